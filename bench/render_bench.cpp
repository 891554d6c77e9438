// A picture of 20 000 vertices with shadow and four samples per pixel, against writing its samples once and against the
// empty stage.
#include "bench.hpp"

#include "render/renderer.hpp"
#include "render/shapes.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <memory>

namespace limber::bench {
namespace {

/// A closed ball with waves on it: rings x 2 rings corners.
DrawMesh wavy_ball(int rings) {
    DrawMesh mesh = pictures::sphere({}, 1.0, rings);
    mesh.normals.clear();  // the renderer's own: those of the sphere are wrong once it has waves
    for (Vec3& p : mesh.positions)
        p = (1.0 + 0.1 * std::sin(6.0 * std::atan2(p.x, p.z)) * std::sin(5.0 * std::acos(p.y))) * p;
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
    shot->camera = fit_camera(box_of(shot->full), {});
    shot->size.samples = samples;
    shot->renderer.draw(shot->full, shot->camera, shot->size, shot->image);  // shaders are compiled by the first one
    Work w;
    w.subject = [shot] { shot->renderer.draw(shot->full, shot->camera, shot->size, shot->image); };
    w.limit = Limit::triad;
    w.against = "samples written once";
    w.bytes = static_cast<std::size_t>(samples) * 8 * static_cast<std::size_t>(shot->size.width) *
              static_cast<std::size_t>(shot->size.height);
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
        return;  // no OpenGL here
    }
    const int rings = settings.quick ? 30 : 100;
    cases.push_back({"render/plain", [rings] { return picture_work(rings, false, 1); }});
    cases.push_back({"render/samples4", [rings] { return picture_work(rings, false, 4); }});
    cases.push_back({"render/shadow_samples4", [rings] { return picture_work(rings, true, 4); }});
}

}  // namespace limber::bench
