#include "render/colour.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace limber {

namespace {

double encoded(double linear) {
    const double x = std::clamp(linear, 0.0, 1.0);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
}
double decoded(double srgb) {
    const double x = std::clamp(srgb, 0.0, 1.0);
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

/// CIE 1976 L*, chroma and hue [degrees] under D65: equal steps in L* look equally large.
struct Perceived {
    double at, lightness, chroma, hue;
};

double lab_inverse(double f) {
    constexpr double kBend = 6.0 / 29.0;
    return f > kBend ? f * f * f : 3.0 * kBend * kBend * (f - 4.0 / 29.0);
}

Colour to_colour(const Perceived& p) {
    constexpr double kPi = 3.14159265358979323846;
    const double a = p.chroma * std::cos(p.hue * kPi / 180.0), b = p.chroma * std::sin(p.hue * kPi / 180.0);
    const double f = (p.lightness + 16.0) / 116.0;
    const double x = 0.95047 * lab_inverse(f + a / 500.0), y = lab_inverse(f), z = 1.08883 * lab_inverse(f - b / 200.0);
    return from_linear({3.2404542 * x - 1.5371385 * y - 0.4985314 * z, -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
                        0.0556434 * x - 0.2040259 * y + 1.0572252 * z, 1.0});
}

/// Between control points by a cubic whose slopes are those of the neighbours, so that no kink shows as a band.
double between(std::span<const Perceived> points, double Perceived::*part, double t) {
    std::size_t k = 0;
    while (k + 2 < points.size() && t > points[k + 1].at) ++k;
    const auto slope = [&](std::size_t i) {
        const std::size_t low = i == 0 ? 0 : i - 1, high = std::min(i + 1, points.size() - 1);
        return (points[high].*part - points[low].*part) / (points[high].at - points[low].at);
    };
    const double h = points[k + 1].at - points[k].at, s = (t - points[k].at) / h, r = 1.0 - s;
    return r * r * (1.0 + 2.0 * s) * points[k].*part + s * s * (3.0 - 2.0 * s) * points[k + 1].*part +
           h * s * r * r * slope(k) - h * s * s * r * slope(k + 1);
}

using Table = std::array<Colour, 256>;

Table table_of(std::span<const Perceived> points) {
    Table out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double t = static_cast<double>(i) / 255.0;
        out[i] = to_colour({t, between(points, &Perceived::lightness, t), between(points, &Perceived::chroma, t),
                            between(points, &Perceived::hue, t)});
    }
    return out;
}

/// All within sRGB: cut colours would bend the line. Lightness is straight in `at`: what looks twice as bright is
/// twice the value.
const Table& sequential() {
    static constexpr std::array<Perceived, 6> kPoints{{{0.0, 15.0, 42.0, 312.0},
                                                       {0.2, 30.2, 40.0, 291.0},
                                                       {0.4, 45.4, 28.0, 252.0},
                                                       {0.6, 60.6, 31.0, 186.0},
                                                       {0.8, 75.8, 56.0, 138.0},
                                                       {1.0, 91.0, 82.0, 102.0}}};
    static const Table kTable = table_of(kPoints);
    return kTable;
}

const Table& diverging() {
    static constexpr std::array<Perceived, 4> kBlue{
        {{0.0, 30.0, 36.0, 276.0}, {0.2, 52.0, 41.0, 267.0}, {0.4, 82.0, 18.0, 256.0}, {0.5, 95.0, 0.0, 250.0}}};
    static constexpr std::array<Perceived, 4> kRed{
        {{0.0, 95.0, 0.0, 60.0}, {0.1, 82.0, 20.0, 52.0}, {0.3, 52.0, 56.0, 36.0}, {0.5, 30.0, 58.0, 30.0}}};
    static const Table kTable = [] {
        const Table blue = table_of(kBlue);
        Table out = blue;
        const auto red_at = [](double t) {
            return to_colour({t, between(kRed, &Perceived::lightness, t), between(kRed, &Perceived::chroma, t),
                              between(kRed, &Perceived::hue, t)});
        };
        for (std::size_t i = 128; i < out.size(); ++i) out[i] = red_at(static_cast<double>(i) / 255.0 - 0.5);
        return out;
    }();
    return kTable;
}

constexpr std::array<Colour, 10> kCategories{rgb(0x4C78A8), rgb(0xE8893B), rgb(0x5AA469), rgb(0xD65F5F), rgb(0x8B6DB3),
                                             rgb(0x8C6D55), rgb(0xDB86B5), rgb(0x7F7F7F), rgb(0xB8AE3E), rgb(0x4FB3BF)};

Colour mixed(const Colour& a, const Colour& b, float s) {
    return {a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b), a.a + s * (b.a - a.a)};
}

}  // namespace

Colour from_linear(const std::array<double, 4>& linear) {
    return {static_cast<float>(encoded(linear[0])), static_cast<float>(encoded(linear[1])),
            static_cast<float>(encoded(linear[2])), static_cast<float>(std::clamp(linear[3], 0.0, 1.0))};
}

std::array<double, 4> to_linear(const Colour& colour) {
    return {decoded(static_cast<double>(colour.r)), decoded(static_cast<double>(colour.g)),
            decoded(static_cast<double>(colour.b)), static_cast<double>(colour.a)};
}

const char* to_string(ColourMap map) {
    switch (map) {
        case ColourMap::sequential: return "sequential";
        case ColourMap::diverging: return "diverging";
        case ColourMap::categorical: return "categorical";
    }
    return "?";
}

bool parse_colour_map(const std::string& name, ColourMap& out) {
    for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging, ColourMap::categorical}) {
        if (name == to_string(map)) {
            out = map;
            return true;
        }
    }
    return false;
}

Colour category(std::size_t index) { return kCategories[index % kCategories.size()]; }

Colour sample(ColourMap map, double t) {
    if (std::isnan(t)) return kNoValue;
    const double entry = 255.0 * std::clamp(t, 0.0, 1.0);
    if (map == ColourMap::categorical) return category(static_cast<std::size_t>(std::lround(entry)));
    const Table& table = map == ColourMap::sequential ? sequential() : diverging();
    const auto low = std::min<std::size_t>(static_cast<std::size_t>(entry), 254);
    return mixed(table[low], table[low + 1], static_cast<float>(entry - static_cast<double>(low)));
}

double fraction_in(const ValueRange& range, double value) {
    if (!std::isfinite(value)) return std::nan("");
    if (range.map == ColourMap::categorical)
        return std::fmod(std::round(std::abs(value)), static_cast<double>(kCategories.size())) / 255.0;
    const double span = range.high - range.low;
    return span > 0.0 && std::isfinite(span) ? (value - range.low) / span : 0.5;
}

Colour colour_of(const ValueRange& range, double value) { return sample(range.map, fraction_in(range, value)); }

}  // namespace limber
