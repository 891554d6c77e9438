#include "render/stroke_font.hpp"

#include "render/stroke_letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

namespace limber {
namespace {

constexpr double kCap = 10.0;          // capitals in the table's units
constexpr double kDigitAdvance = 8.1;  // all digits alike: numbers that change must not jitter
constexpr double kSpaceAdvance = 4.0;

using Stroke = std::vector<FontPoint>;

std::vector<double> numbers_of(const char*& at) {
    std::vector<double> out;
    while (*at != '\0' && *at != ';') {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at) break;
        out.push_back(value);
        at = end;
    }
    return out;
}

Stroke arc(const std::vector<double>& n) {
    const double turn = std::numbers::pi / 180.0;
    const int pieces = std::max(4, static_cast<int>(std::ceil(std::abs(n[5] - n[4]) / 9.0)));
    Stroke out;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (n[4] + (n[5] - n[4]) * i / pieces) * turn;
        out.push_back({n[0] + n[2] * std::cos(angle), n[1] + n[3] * std::sin(angle)});
    }
    return out;
}

Stroke cubic(const std::vector<double>& n) {
    constexpr int kPieces = 14;
    Stroke out;
    for (int i = 0; i <= kPieces; ++i) {
        const double t = static_cast<double>(i) / kPieces, s = 1.0 - t;
        const std::array<double, 4> w{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        FontPoint p;
        for (std::size_t k = 0; k < 4; ++k) {
            p.x += w[k] * n[2 * k];
            p.y += w[k] * n[2 * k + 1];
        }
        out.push_back(p);
    }
    return out;
}

Stroke stroke_of(char kind, const std::vector<double>& n) {
    if (kind == 'a' && n.size() == 6) return arc(n);
    if (kind == 'c' && n.size() == 8) return cubic(n);
    Stroke out;
    for (std::size_t i = 0; i + 1 < n.size(); i += 2) out.push_back({n[i], n[i + 1]});
    return out;
}

/// How far the letter recedes from its side, on average over the height of small letters: round and slanted sides stand
/// closer.
double mean_gap(const std::vector<Stroke>& strokes, double side, double sign) {
    constexpr double kMost = 2.6;
    double sum = 0.0;
    constexpr int kRows = 9;
    for (int row = 0; row < kRows; ++row) {
        const double y = 8.0 * row / (kRows - 1);
        double nearest = kMost;
        for (const Stroke& stroke : strokes) {
            for (std::size_t i = 0; i < stroke.size(); ++i) {
                const FontPoint a = stroke[i], b = stroke[std::min(i + 1, stroke.size() - 1)];
                if (std::max(a.y, b.y) < y - 0.5 || std::min(a.y, b.y) > y + 0.5) continue;
                const double t = a.y == b.y ? 0.0 : std::clamp((y - a.y) / (b.y - a.y), 0.0, 1.0);
                for (const double x : {a.x + t * (b.x - a.x), a.y == b.y ? b.x : a.x + t * (b.x - a.x)})
                    nearest = std::min(nearest, sign * (x - side));
            }
        }
        sum += nearest;
    }
    return sum / kRows;
}

void measure(Letter& g) {
    g.left = g.low = 1e9;
    g.right = g.high = -1e9;
    for (const Stroke& stroke : g.strokes) {
        for (const FontPoint& p : stroke) {
            g.left = std::min(g.left, p.x);
            g.right = std::max(g.right, p.x);
            g.low = std::min(g.low, p.y);
            g.high = std::max(g.high, p.y);
        }
    }
}

/// Puts the strokes at their distance from the letter before, and sets the advance.
void space(Letter& g, char32_t letter) {
    double before = 0.0;
    if (letter >= U'0' && letter <= U'9') {
        before = (kDigitAdvance - 6.0) / 2;
        g.advance = kDigitAdvance;
    } else {
        const bool word = letter < 128 ? std::isalnum(static_cast<int>(letter)) != 0 : letter < 0x2000;
        const auto bearing = [word](double gap) {
            return word ? std::max(0.5, 1.4 - 0.42 * gap) : std::max(1.0, 1.3 - 0.3 * gap);
        };
        before = bearing(mean_gap(g.strokes, g.left, 1.0)) - g.left;
        g.advance = g.right + before + bearing(mean_gap(g.strokes, g.right, -1.0));
    }
    for (Stroke& stroke : g.strokes)
        for (FontPoint& p : stroke) p.x += before;
    g.left += before;
    g.right += before;
}

void resize(Letter& g, double factor, double rise) {
    for (Stroke& stroke : g.strokes)
        for (FontPoint& p : stroke) p = {p.x * factor, p.y * factor + rise};
    g.advance *= factor;
    g.left *= factor;
    g.right *= factor;
    g.low = g.low * factor + rise;
    g.high = g.high * factor + rise;
}

Letter made(char32_t letter, const char* at) {
    Letter g;
    while (*at != '\0') {
        const char kind = *at++;
        const std::vector<double> numbers = numbers_of(at);
        if (!numbers.empty()) g.strokes.push_back(stroke_of(kind, numbers));
        if (*at == ';') ++at;
    }
    if (g.strokes.empty()) {
        g.left = g.right = g.low = g.high = 0.0;
        g.advance = kSpaceAdvance / kCap;
        return g;
    }
    measure(g);
    space(g, letter);
    resize(g, 1.0 / kCap, 0.0);
    return g;
}

std::map<char32_t, Letter> all_letters() {
    std::map<char32_t, Letter> out;
    for (const LetterStrokes& entry : letter_strokes()) out[entry.letter] = made(entry.letter, entry.strokes);
    out[U'\uFFFD'] = made(U'\uFFFD', "l 0 0 5 0 5 9 0 9 0 0");
    out[U'\u03BC'] = out[U'\u00B5'];
    out[U'\u00A0'] = out[U' '];
    const std::pair<char32_t, char32_t> raised[] = {{U'\u2070', U'0'}, {U'\u00B9', U'1'},     {U'\u00B2', U'2'},
                                                    {U'\u00B3', U'3'}, {U'\u2074', U'4'},     {U'\u2075', U'5'},
                                                    {U'\u2076', U'6'}, {U'\u2077', U'7'},     {U'\u2078', U'8'},
                                                    {U'\u2079', U'9'}, {U'\u207B', U'\u2212'}};
    for (const auto& [high, base] : raised) {
        out[high] = out[base];
        resize(out[high], 0.62, 0.44);
    }
    return out;
}

/// Latin-1 letters without their accents; 0 for anything else.
char32_t plain_letter(char32_t c) {
    static constexpr char kPlain[] = "AAAAAAACEEEEIIIIDNOOOOO*OUUUUYPsaaaaaaaceeeeiiiidnooooo/ouuuuypy";
    return c >= 0xC0 && c <= 0xFF ? static_cast<char32_t>(kPlain[c - 0xC0]) : 0;
}

}  // namespace

const Letter& letter_of(char32_t c) {
    static const std::map<char32_t, Letter> letters = all_letters();
    auto found = letters.find(c);
    if (found == letters.end()) found = letters.find(plain_letter(c));
    if (found == letters.end()) found = letters.find(U'\uFFFD');
    return found->second;
}

std::vector<char32_t> code_points(std::string_view utf8) {
    std::vector<char32_t> out;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t more = lead < 0x80                   ? 0
                                 : lead >= 0xC2 && lead < 0xE0 ? 1
                                 : lead >= 0xE0 && lead < 0xF0 ? 2
                                 : lead >= 0xF0 && lead < 0xF5 ? 3
                                                               : 9;
        char32_t c = more == 0 ? lead : lead & (0x3Fu >> more);
        bool good = more < 9 && i + more < utf8.size();
        for (std::size_t k = 1; good && k <= more; ++k) {
            const auto next = static_cast<unsigned char>(utf8[i + k]);
            good = (next & 0xC0) == 0x80;
            c = (c << 6) | (next & 0x3Fu);
        }
        out.push_back(good ? c : U'\uFFFD');
        i += good ? more + 1 : 1;
    }
    return out;
}

}  // namespace limber
