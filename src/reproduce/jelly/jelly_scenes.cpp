#include "reproduce/jelly/jelly_scenes.hpp"

#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kJellyTall = 0.045, kJellyWide = 0.04, kJellyTop = 0.03;  // height, radii of bottom and top [m]

Scene falling(const std::string& name, const MeshGenerator& generator, double young, double poisson, double height,
              const OptionValues& options) {
    Scene s;
    s.name = name;
    s.gravity.vector = {0.0, -9.81, 0.0};
    s.method = {"bem", options};
    s.step = 1.0 / 240.0;
    s.duration = 0.6;
    BodySpec b;
    b.name = name;
    b.mesh.generator = generator;
    b.place.position = {0.0, height, 0.0};
    Material m;
    m.young = young;
    m.poisson = poisson;
    m.density = kJellyDensity;
    b.materials = {{"*", m}};
    s.bodies = {std::move(b)};
    ObstacleSpec floor;
    floor.name = "floor";
    s.obstacles = {floor};
    return s;
}

MeshGenerator solid(MeshGenerator::Shape shape, CellKind kind, int count) {
    MeshGenerator g;
    g.shape = shape;
    g.kind = kind;
    g.counts = {count, 1, 1};
    g.radius = kJellyRadius;
    return g;
}

}  // namespace

Scene disc_drop(int around, double young, double poisson, double fall, const OptionValues& options) {
    return falling("disc", solid(MeshGenerator::Shape::disc, CellKind::tri3, around), young, poisson,
                   fall + kJellyRadius, options);
}

Scene ball_drop(int across, double young, double poisson, double fall, const OptionValues& options) {
    return falling("ball", solid(MeshGenerator::Shape::ball, CellKind::tet4, across), young, poisson,
                   fall + kJellyRadius, options);
}

Scene ellipsoid_drop(int across, double young, double poisson, double fall, const OptionValues& options) {
    MeshGenerator g = solid(MeshGenerator::Shape::ellipsoid, CellKind::tet4, across);
    g.radii = {0.07, 0.04, 0.05};
    return falling("ellipsoid", g, young, poisson, fall + g.radii.y, options);
}

Scene bar_drop(const OptionValues& options) {
    MeshGenerator g;
    g.shape = MeshGenerator::Shape::grid, g.kind = CellKind::quad4, g.counts = {20, 6, 1}, g.low = {-0.09, -0.02, 0.0},
    g.high = {0.09, 0.02, 0.0};
    Scene s = falling("bar", g, 4e3, 0.3, 0.15, options);
    s.bodies[0].place.rotation = {0.0, 0.0, 0.35};
    return s;
}

Scene jelly_drop(const std::string& name, int across, double fall, double tilt, const OptionValues& options) {
    MeshGenerator g = solid(MeshGenerator::Shape::cylinder, CellKind::tet4, across);
    g.counts = {across, across, 1};
    g.radius = kJellyWide;
    g.length = kJellyTall;
    g.end_radius = kJellyTop;
    Scene s = falling(name, g, 4e3, 0.45, fall + kJellyWide * std::sin(std::abs(tilt)), options);
    s.bodies[0].place.rotation = {0.0, 0.0, 0.5 * std::numbers::pi + tilt};  // generated along x
    s.duration = 1.2;
    return s;
}

}  // namespace limber
