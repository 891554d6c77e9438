// The duck for the bath: body, breast and head flow into each other, wings and bill are laid on, and it sits flat.
#include "assets/implicit.hpp"
#include "assets/shape.hpp"

namespace limber {
namespace {

using namespace implicit;

constexpr double kSole = 0.0094;  // where the rounded cut ends, above the plane that makes it

/// Left and right are the same: everything is modelled for x >= 0.
Vec3 folded(const Vec3& p) { return {std::abs(p.x), p.y, p.z}; }

double bill(const Vec3& q) {
    const Vec3 up = turned(q, {0, 0.176, 0.115}, {0.22, 0, 0});
    const double upper = ellipsoid(up, {0, 0.178, 0.121}, {0.030, 0.0135, 0.036});
    const double lower = ellipsoid(q, {0, 0.163, 0.110}, {0.022, 0.011, 0.030});
    return blend(upper, lower, 0.006);
}

double eye(const Vec3& q) { return ball(q, {0.0285, 0.206, 0.101}, 0.0098); }

double flesh(const Vec3& q) {
    double d = ellipsoid(q, {0, 0.066, -0.005}, {0.072, 0.060, 0.098});
    d = blend(d, ball(q, {0, 0.078, 0.045}, 0.054), 0.05);
    d = blend(d, rod(q, {0, 0.085, -0.065}, {0, 0.133, -0.125}, 0.036, 0.015), 0.05);
    d = blend(d, rod(q, {0, 0.110, 0.050}, {0, 0.160, 0.058}, 0.036, 0.034), 0.045);
    d = blend(d, ball(q, {0, 0.186, 0.062}, 0.052), 0.022);
    const Vec3 w = turned(turned(q, {0.066, 0.082, 0}, {-0.30, 0, 0}), {0.066, 0.082, 0}, {0, -0.16, 0});
    const double wing = ellipsoid(w, {0.068, 0.082, -0.014}, {0.018, 0.034, 0.062});
    return blend(d, wing, 0.012);
}

double duck(const Vec3& p) {
    const Vec3 q = folded(p);
    double d = blend(flesh(q), bill(q), 0.010);
    d = blend(d, eye(q), 0.003);
    return overlap(d, -p.y, 0.03);
}

int duck_paint(const Vec3& p) {
    const Vec3 q = folded(p);
    if (eye(q) < 0.0012 && q.z > 0.06) return 2;
    return bill(q) < flesh(q) ? 1 : 0;
}

}  // namespace

ShapeGroup duck_shape() {
    return {"duck",
            "a duck for the bath, 27 cm long",
            {{"duck",
              [](const Vec3& p) {
                  return duck({p.x, p.y + kSole, p.z});
              },
              {{-0.10, -0.01, -0.16}, {0.10, 0.25, 0.17}},
              {{"yellow", {0.98, 0.80, 0.12}}, {"orange", {0.95, 0.45, 0.08}}, {"black", {0.06, 0.06, 0.07}}},
              [](const Vec3& p) {
                  return duck_paint({p.x, p.y + kSole, p.z});
              },
              Wrap::globe}}};
}

}  // namespace limber
