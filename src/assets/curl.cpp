// A dragon that lies curled: a spiral that rises, thick at the neck and thin at the tail, with spines and gaps between
// its turns.
#include "assets/implicit.hpp"
#include "assets/shape.hpp"

#include <array>
#include <numbers>

namespace limber {
namespace {

using namespace implicit;

constexpr int kKnots = 48;
constexpr std::size_t kGroup = 8;
constexpr int kSpines = 13;
constexpr double kTurns = 1.62;

struct Knot {
    Vec3 at, outward;
    double radius;
};

struct Dragon {
    std::array<Knot, kKnots> body;
    std::array<Knot, kKnots / kGroup> groups;  ///< balls around kGroup rods each
    std::array<Knot, kSpines> spines;          ///< root, direction, length
};

/// s from 0 (tip of the tail, outside, on the ground) to 1 (neck, inside, lifted).
Knot along(double s) {
    const double angle = 2.0 * std::numbers::pi * kTurns * s - 0.4;
    const double reach = 0.215 - 0.115 * s - 0.10 * ramp(s, 0.86, 1.0);
    const double radius = 0.023 + 0.016 * ramp(s, 0.0, 0.6) - 0.006 * ramp(s, 0.80, 1.0);
    const double lift = 0.125 * ramp(s, 0.62, 1.0);
    const Vec3 out{std::cos(angle), 0, std::sin(angle)};
    return {reach * out + Vec3{0, radius + lift, 0}, out, radius};
}

/// A ball that holds the rods from `first` on.
Knot ball_around(const std::array<Knot, kKnots>& body, std::size_t first) {
    const std::size_t last = std::min(first + kGroup, body.size() - 1);
    Knot out{0.5 * (body[first].at + body[last].at), {}, 0.0};
    for (std::size_t i = first; i <= last; ++i)
        out.radius = std::max(out.radius, norm(body[i].at - out.at) + body[i].radius);
    return out;
}

Dragon make_dragon() {
    Dragon d;
    for (int i = 0; i < kKnots; ++i) d.body[static_cast<std::size_t>(i)] = along(static_cast<double>(i) / (kKnots - 1));
    for (std::size_t g = 0; g < d.groups.size(); ++g) d.groups[g] = ball_around(d.body, kGroup * g);
    for (int i = 0; i < kSpines; ++i) {
        const double s = 0.10 + 0.82 * i / (kSpines - 1);
        const Knot here = along(s), next = along(s + 0.01);
        const Vec3 back = (here.at - next.at) / norm(here.at - next.at);
        Knot& spine = d.spines[static_cast<std::size_t>(i)];
        spine.at = here.at + Vec3{0, 0.75 * here.radius, 0};
        spine.outward = (Vec3{0, 1, 0} + 0.55 * back + 0.15 * here.outward) / 1.15;
        spine.radius = here.radius;
    }
    return d;
}

const Dragon& dragon() {
    static const Dragon made = make_dragon();
    return made;
}

double body(const Vec3& p) {
    double d = 1e9;
    const auto& knots = dragon().body;
    for (std::size_t g = 0; g < dragon().groups.size(); ++g) {
        const Knot& group = dragon().groups[g];
        if (norm(p - group.at) - group.radius > d) continue;  // nothing of it can be nearer
        for (std::size_t i = kGroup * g; i < kGroup * (g + 1) && i + 1 < knots.size(); ++i)
            d = std::min(d, rod(p, knots[i].at, knots[i + 1].at, knots[i].radius, knots[i + 1].radius));
    }
    return d;
}

double spines(const Vec3& p) {
    double d = 1e9;
    for (const Knot& s : dragon().spines) {
        d = std::min(
            d, rod(p, s.at, s.at + 1.15 * s.radius * s.outward, 0.55 * s.radius + 0.003, 0.18 * s.radius + 0.003));
    }
    return d;
}

/// The axes of the head: forward from the neck's end, level.
struct Head {
    Vec3 at, forward, side;
};
Head head_axes() {
    const Knot end = along(1.0), before = along(0.985);
    Vec3 forward = end.at - before.at;
    forward.y = -0.12 * norm(forward);
    forward = forward / norm(forward);
    const Vec3 side = cross(Vec3{0, 1, 0}, forward);
    return {end.at, forward, side / norm(side)};
}

/// In the head's own axes: x to the side (folded), y up, z forward.
Vec3 in_head(const Vec3& p) {
    static const Head h = head_axes();
    const Vec3 d = p - h.at;
    const Vec3 up = cross(h.forward, h.side);
    return {std::abs(dot(d, h.side)), dot(d, up), dot(d, h.forward)};
}

double head(const Vec3& q) {
    double d = ellipsoid(q, {0, 0.004, 0.022}, {0.036, 0.032, 0.044});
    d = blend(d, ellipsoid(q, {0, -0.006, 0.066}, {0.025, 0.020, 0.036}), 0.03);  // snout
    d = blend(d, ball(q, {0.012, 0.010, 0.088}, 0.009), 0.010);                   // nostrils
    d = blend(d, ball(q, {0.022, 0.024, 0.030}, 0.0135), 0.008);                  // brows
    return d;
}

double horns(const Vec3& q) { return rod(q, {0.018, 0.024, 0.004}, {0.036, 0.062, -0.042}, 0.0135, 0.0075); }
double curl_eyes(const Vec3& q) { return ball(q, {0.0275, 0.0205, 0.0395}, 0.0085); }

double curl(const Vec3& p) {
    const Vec3 q = in_head(p);
    double d = blend(body(p), spines(p), 0.012);
    d = blend(d, head(q), 0.025);
    d = blend(d, horns(q), 0.008);
    d = blend(d, curl_eyes(q), 0.002);
    return overlap(d, -p.y + 0.0038, 0.008);
}

int curl_paint(const Vec3& p) {
    const Vec3 q = in_head(p);
    if (curl_eyes(q) < 0.001) return 2;
    return std::min(spines(p), horns(q)) < std::min(body(p), head(q)) ? 1 : 0;
}

}  // namespace

ShapeGroup curl_shape() {
    return {"curl",
            "a dragon that lies curled, spines along its back, gaps between its turns; 44 cm",
            {{"curl",
              [](const Vec3& p) {
                  return curl({p.x, p.y + 0.0038, p.z});
              },
              {{-0.27, -0.01, -0.27}, {0.27, 0.30, 0.27}},
              {{"scales", {0.20, 0.52, 0.38}}, {"horn", {0.90, 0.80, 0.55}}, {"black", {0.05, 0.05, 0.06}}},
              [](const Vec3& p) {
                  return curl_paint({p.x, p.y + 0.0038, p.z});
              },
              Wrap::label,
              0.0095}}};
}

}  // namespace limber
