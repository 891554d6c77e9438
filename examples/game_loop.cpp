// The loop of a game: two bars of one prepared body, a spring that drags one of them about, and a skin that is driven vertex by
// vertex. Prints where the ends are, ten times a second.
#include <limber/method.hpp>
#include <limber/world.hpp>

#include <cmath>
#include <cstdio>

using namespace limber;

namespace {

/// Held at the left; `driven`: every vertex of the right side goes where it is told.
std::shared_ptr<const Deformer> prepared_bar(bool driven) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, 14, 8, 8, {0, 0, 0}, {0.35, 0.2, 0.2});
    d.materials = {{"", find_material_preset("silicone")->material}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    if (driven) d.handles = {{"skin", d.mesh.vertex_sets.at("right"), {}, {}, true}};
    Progress silent;
    return require_method("corotational").prepare(Body::make(d), {}, silent);
}

}  // namespace

int main() {
    World world;
    const std::size_t dragged = world.add(prepared_bar(false)), skinned = world.add(prepared_bar(true));
    world.set_gravity({0, -9.81, 0});

    const auto tip = static_cast<std::size_t>(world.deformer(dragged).body().mesh().vertex_sets.at("right").front());
    PointConstraint& finger = world.inputs(dragged).live[0];
    finger.kind = PointConstraint::Kind::soft;
    finger.stiffness = 400.0;  // [N/m]
    finger.vertex_count = 1;
    finger.vertices[0] = static_cast<std::int32_t>(tip);
    finger.weights[0] = 1.0;

    const std::vector<std::int32_t>& skin = world.deformer(skinned).body().driven_vertices();
    for (int frame = 0; frame < 120; ++frame) {  // nothing in here takes memory
        const double t = (frame + 1) / 60.0;
        finger.target = {0.35, 0.1 + 0.1 * std::sin(4.0 * t), 0.1 + 0.05 * std::sin(7.0 * t)};
        for (std::size_t i = 0; i < skin.size(); ++i) {
            const Vec3 rest = world.deformer(skinned).body().mesh().vertices[static_cast<std::size_t>(skin[i])];
            const double bulge = 0.05 * std::sin(15.0 * rest.y);
            world.inputs(skinned).vertices[i] = {rest + Vec3{bulge * std::sin(4.0 * t), 0, 0}, {bulge * 4.0 * std::cos(4.0 * t), 0, 0}};
        }
        if (world.step(1.0 / 60.0) != Trouble::none)
            for (std::size_t body = 0; body < world.body_count(); ++body)
                std::fprintf(stderr, "frame %d, body %zu: %s\n", frame, body, to_string(world.report(body).trouble).c_str());
        if (frame % 6 != 5) continue;
        const Vec3 a = world.positions(dragged)[tip], b = world.positions(skinned)[tip];
        std::printf("%.1f s: %.3f %.3f %.3f   %.3f %.3f %.3f\n", t, a.x, a.y, a.z, b.x, b.y, b.z);
    }
}
