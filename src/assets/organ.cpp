// An organ with a vessel: a liver-like wedge, and a vein that enters from below and forks within it.
#include "assets/implicit.hpp"
#include "assets/shape.hpp"

namespace limber {
namespace {

using namespace implicit;

constexpr double kLift = 0.0085;  // the vein's end stands on the ground

double liver(const Vec3& p) {
    double d = ellipsoid(p, {-0.045, 0.080, 0}, {0.080, 0.070, 0.068});  // right lobe, the thick one
    d = blend(d, ellipsoid(turned(p, {0.055, 0.09, 0}, {0, 0, 0.25}), {0.055, 0.092, 0.004}, {0.082, 0.044, 0.050}),
              0.06);
    d = blend(d, ellipsoid(p, {-0.02, 0.060, -0.030}, {0.050, 0.042, 0.036}), 0.04);
    const double cleft = rod(p, {0.018, 0.045, 0.080}, {0.026, 0.150, 0.045}, 0.006,
                             0.004);  // between the lobes, in front
    d = carve(d, cleft, 0.030);
    return carve(d, ball(p, {0.03, -0.085, 0.02}, 0.125), 0.030);  // rests on its neighbours
}

double vessel(const Vec3& p) {
    double d = rod(p, {-0.004, 0.008, -0.010}, {-0.010, 0.078, -0.004}, 0.0165, 0.0165);
    d = blend(d, rod(p, {-0.010, 0.078, -0.004}, {-0.060, 0.098, 0.012}, 0.0155, 0.0135), 0.012);
    return blend(d, rod(p, {-0.010, 0.078, -0.004}, {0.050, 0.098, 0.006}, 0.0155, 0.0130), 0.012);
}

}  // namespace

ShapeGroup organ_shape() {
    return {"organ",
            "a liver and the vein that forks within it, 26 cm: two nested surfaces",
            {{"liver",
              [](const Vec3& p) {
                  return liver({p.x, p.y - kLift, p.z});
              },
              {{-0.14, -0.02, -0.09}, {0.16, 0.17, 0.09}},
              {{"liver", {0.55, 0.18, 0.14}}},
              {},
              Wrap::globe},
             {"vessel",
              [](const Vec3& p) {
                  return vessel({p.x, p.y - kLift, p.z});
              },
              {{-0.10, -0.02, -0.04}, {0.08, 0.13, 0.05}},
              {{"vessel", {0.22, 0.28, 0.62}}},
              {},
              Wrap::label}}};
}

}  // namespace limber
