// Colours as people write them (sRGB), and the maps that turn numbers into colours.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace limber {

/// sRGB from 0 to 1 with straight alpha.
struct Colour {
    float r = 0.8F, g = 0.8F, b = 0.8F, a = 1.0F;
    friend bool operator==(const Colour&, const Colour&) = default;
};
/// glTF and other light sums are linear.
Colour from_linear(const std::array<double, 4>& linear);
std::array<double, 4> to_linear(const Colour& colour);
/// 0xRRGGBB
constexpr Colour rgb(std::uint32_t hex) {
    return {static_cast<float>((hex >> 16U) & 255U) / 255.0F, static_cast<float>((hex >> 8U) & 255U) / 255.0F,
            static_cast<float>(hex & 255U) / 255.0F, 1.0F};
}

/// sequential: dark violet to yellow, lightness rising evenly; diverging: blue over white to red, for signed values and
/// differences; categorical: distinct colours for names such as materials (value 0, 1, 2, ...; not interpolated).
enum class ColourMap : std::uint8_t { sequential, diverging, categorical };
const char* to_string(ColourMap map);
bool parse_colour_map(const std::string& name, ColourMap& out);
/// `t` from 0 to 1 (clamped; NaN: kNoValue). Categorical: the colour of number round(t * 255), around again after the
/// last.
Colour sample(ColourMap map, double t);
/// The colour number `index` of the categorical map.
Colour category(std::size_t index);
/// For places that have no value.
inline constexpr Colour kNoValue{0.55F, 0.55F, 0.55F, 1.0F};

/// Which numbers the ends of a map stand for. Equal ends give the map's middle.
struct ValueRange {
    double low = 0.0, high = 1.0;
    ColourMap map = ColourMap::sequential;
};
/// Where in its map a value is: 0 to 1, and beyond for values out of range (between two vertices the colour must turn
/// where the value does); NaN for a value that is not finite.
double fraction_in(const ValueRange& range, double value);
/// The colour of a value, the same that the renderer gives it.
Colour colour_of(const ValueRange& range, double value);

}  // namespace limber
