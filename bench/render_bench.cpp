// A picture of 20 000 vertices with shadow and four samples per pixel, against writing its samples once and against the empty stage.
#include "bench.hpp"

#include "render/renderer.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <memory>

namespace limber::bench {
namespace {

/// A closed ball with waves on it: rings x 2 rings corners.
DrawMesh wavy_ball(int rings) {
    constexpr double kPi = 3.14159265358979323846;
    const int pieces = 2 * rings;
    DrawMesh mesh;
    for (int i = 1; i < rings; ++i)
        for (int j = 0; j < pieces; ++j) {
            const double a = kPi * i / rings, b = 2.0 * kPi * j / pieces, r = 1.0 + 0.1 * std::sin(6.0 * b) * std::sin(5.0 * a);
            mesh.positions.push_back(r * Vec3{std::sin(a) * std::sin(b), std::cos(a), std::sin(a) * std::cos(b)});
        }
    const auto top = static_cast<std::int32_t>(mesh.positions.size());
    mesh.positions.push_back({0.0, 1.0, 0.0});
    mesh.positions.push_back({0.0, -1.0, 0.0});
    std::vector<std::int32_t> faces;
    for (int i = 0; i + 2 < rings; ++i)
        for (int j = 0; j < pieces; ++j) {
            const int a = i * pieces + j, b = i * pieces + (j + 1) % pieces, c = a + pieces, d = b + pieces;
            faces.insert(faces.end(), {a, c, d, a, d, b});
        }
    for (int j = 0; j < pieces; ++j) {
        const int k = (j + 1) % pieces;
        faces.insert(faces.end(), {top, j, k, top + 1, top - pieces + k, top - pieces + j});
    }
    DrawPolygons polygons;
    polygons.faces = faces;
    polygons.vertex_count = mesh.positions.size();
    mesh.topology = make_topology(polygons);
    return mesh;
}

struct Shot {
    Renderer renderer;
    DrawList full, empty;
    Camera camera;
    PictureSize size;
    Image image;
};

Work picture_work(int rings, bool shadow, int samples) {
    auto shot = std::make_shared<Shot>();
    shot->full.meshes.push_back(wavy_ball(rings));
    shot->full.stage.shadow = shadow;
    shot->empty.stage.extent = {{Vec3{-1.1, -1.1, -1.1}, Vec3{1.1, 1.1, 1.1}}};
    shot->camera = frame(box_of(shot->full), {});
    shot->size.samples = samples;
    shot->renderer.draw(shot->full, shot->camera, shot->size, shot->image);     // shaders are compiled by the first one
    Work w;
    w.subject = [shot] { shot->renderer.draw(shot->full, shot->camera, shot->size, shot->image); };
    w.limit = Limit::triad;
    w.against = "samples written once";
    w.bytes = static_cast<std::size_t>(samples) * 8 * static_cast<std::size_t>(shot->size.width) * static_cast<std::size_t>(shot->size.height);
    w.baseline = [shot] { shot->renderer.draw(shot->empty, shot->camera, shot->size, shot->image); };
    w.baseline_name = "the empty stage";
    w.dear = true;
    return w;
}

}  // namespace

void add_render_cases(Cases& cases, const Settings& settings) {
    try {
        const Renderer tried;
    } catch (const Error&) {
        return;     // no OpenGL here
    }
    const int rings = settings.quick ? 30 : 100;
    cases.push_back({"render/plain", [rings] { return picture_work(rings, false, 1); }});
    cases.push_back({"render/samples4", [rings] { return picture_work(rings, false, 4); }});
    cases.push_back({"render/shadow_samples4", [rings] { return picture_work(rings, true, 4); }});
}

}  // namespace limber::bench
