#include "beam.hpp"

#include "linalg/test_matrices.hpp"

namespace limber::bench {

Mesh jittered_box(int nx, int ny, int nz, const Vec3& size) {
    Mesh mesh = make_box(CellKind::tet4, nx, ny, nz, {}, size);
    testing::Random random(7);
    const Vec3 cell{size.x / nx, size.y / ny, size.z / nz};
    for (Vec3& x : mesh.vertices) {
        const Vec3 way{random(), random(), random()};
        bool inside = true;
        for (int i = 0; i < 3; ++i) inside = inside && x[i] > 0.5 * cell[i] && x[i] < size[i] - 0.5 * cell[i];
        for (int i = 0; inside && i < 3; ++i) x[i] += 0.1 * cell[i] * way[i];
    }
    return mesh;
}

std::shared_ptr<const Body> beam_body(const Beam& beam) {
    BodyDescription d;
    d.mesh = jittered_box(beam.nx, beam.ny, beam.nz, {1.0, 0.25, 0.25});
    d.materials = {{"", {"soft", 1e5, 0.45, 1000.0, 0.0, 0.01}}};
    d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(std::move(d));
}

}  // namespace limber::bench
