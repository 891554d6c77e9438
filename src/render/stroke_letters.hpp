// The letters themselves, drawn for limber as pen strokes: data only. stroke_font.cpp reads it.
#pragma once

#include <span>

namespace limber {

/// Baseline 0, small letters reach 7, capitals 10, tails -3. Strokes, separated by ';':
///   l x y x y ...                a line through points
///   a cx cy rx ry from to        part of an ellipse, angles in degrees, turning from `from` to `to`
///   c x y x y x y x y            a cubic curve
///   d x y                        a dot
struct LetterStrokes {
    char32_t letter;
    const char* strokes;
};
std::span<const LetterStrokes> letter_strokes();

}  // namespace limber
