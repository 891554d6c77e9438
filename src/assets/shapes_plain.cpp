// Assets of one idea each: jelly cube, ball, torus, cucumber, chain.
#include "assets/implicit.hpp"
#include "assets/shape.hpp"

#include <numbers>

namespace limber {
namespace {

using namespace implicit;

/// Low in the middle and round at the edges, as jelly leaves its mould: the sides lean in towards the top.
double jelly_cube(const Vec3& p) {
    const double lean = 1.0 + 1.2 * p.y;
    const Vec3 q{p.x * lean, p.y, p.z * lean};
    return round_box(q, {0, 0.05, 0}, {0.05, 0.05, 0.05}, 0.014) / 1.15;
}

double torus(const Vec3& p, const Vec3& centre, double ring, double tube) {
    const Vec3 d = p - centre;
    const double out = std::sqrt(d.x * d.x + d.z * d.z) - ring;
    return std::sqrt(out * out + d.y * d.y) - tube;
}

/// Lies along x and bends a little; warts in rows.
double cucumber(const Vec3& p) {
    const double bend = 1.1 * p.x * p.x, thick = 0.030 * (1.0 - 0.16 * ramp(std::abs(p.x), 0.03, 0.14));
    const Vec3 q{p.x, p.y - 0.031 + 0.15 * bend, p.z - bend + 0.008};
    const double round = rod(q, {-0.112, 0, 0}, {0.112, 0, 0}, thick, thick);
    const double stalk = rod(q, {0.13, 0, 0}, {0.155, 0.003, -0.004}, 0.009, 0.0075);
    const double angle = std::atan2(q.z, q.y), row = 210.0 * q.x;
    const double wart = std::cos(8.0 * angle + 3.0 * std::sin(0.31 * row)) * std::cos(row);
    const double lumps = 0.0012 * wart * wart * wart * (1.0 - ramp(std::abs(q.x), 0.10, 0.13));
    return blend(round - lumps, stalk, 0.012);
}

/// A stadium of round wire in the plane that contains `along` = x and `across`.
double link(const Vec3& p, double at, bool upright) {
    constexpr double kStraight = 0.020, kRing = 0.030, kWire = 0.0108;
    const double across = upright ? p.y : p.z, off = upright ? p.z : p.y;
    const double along = std::max(std::abs(p.x - at) - kStraight, 0.0);
    const double out = std::sqrt(along * along + across * across) - kRing;
    return std::sqrt(out * out + off * off) - kWire;
}

constexpr int kLinks = 4;
constexpr double kLinkPitch = 0.0667;

double chain(const Vec3& p) {
    const Vec3 q{p.x, p.y - 0.0408, p.z};
    double out = 1e9;
    for (int i = 0; i < kLinks; ++i) out = std::min(out, link(q, kLinkPitch * (i - 0.5 * (kLinks - 1)), i % 2 == 1));
    return out;
}

}  // namespace

ShapeGroup jelly_cube_shape() {
    return {"jelly_cube",
            "a cube of jelly with round edges, 10 cm",
            {{"jelly",
              jelly_cube,
              {{-0.06, -0.01, -0.06}, {0.06, 0.11, 0.06}},
              {{"jelly", {0.82, 0.12, 0.22}}},
              {},
              Wrap::globe}}};
}

ShapeGroup ball_shape() {
    return {"ball",
            "a ball, 20 cm across",
            {{"ball",
              [](const Vec3& p) {
                  return ball(p, {0, 0.1, 0}, 0.1);
              },
              {{-0.11, -0.01, -0.11}, {0.11, 0.21, 0.11}},
              {{"red", {0.85, 0.15, 0.12}}, {"white", {0.95, 0.93, 0.88}}},
              [](const Vec3& p) {
                  return static_cast<int>(std::floor(6.0 + 3.0 * std::atan2(p.z, p.x) / std::numbers::pi)) % 2;
              },
              Wrap::globe}}};
}

ShapeGroup torus_shape() {
    return {"torus",
            "a swimming ring, 30 cm across",
            {{"torus",
              [](const Vec3& p) {
                  return torus(p, {0, 0.05, 0}, 0.1, 0.05);
              },
              {{-0.16, -0.01, -0.16}, {0.16, 0.11, 0.16}},
              {{"blue", {0.10, 0.42, 0.80}}, {"white", {0.94, 0.95, 0.96}}},
              [](const Vec3& p) { return std::abs(std::sin(2.0 * std::atan2(p.z, p.x))) < 0.38 ? 1 : 0; },
              Wrap::label}}};
}

ShapeGroup cucumber_shape() {
    return {"cucumber",
            "a cucumber with warts and a stalk, 30 cm",
            {{"cucumber",
              cucumber,
              {{-0.16, -0.01, -0.06}, {0.18, 0.08, 0.07}},
              {{"skin", {0.16, 0.42, 0.13}}, {"stalk", {0.45, 0.50, 0.22}}},
              [](const Vec3& p) { return p.x > 0.137 ? 1 : 0; },
              Wrap::globe}}};
}

ShapeGroup chain_shape() {
    return {"chain",
            "four links of a chain, 32 cm; they do not touch",
            {{"chain",
              chain,
              {{-0.17, -0.01, -0.05}, {0.17, 0.09, 0.05}},
              {{"steel", {0.62, 0.64, 0.68}}},
              {},
              Wrap::globe,
              0.0045}}};
}

}  // namespace limber
