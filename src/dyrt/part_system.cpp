#include "dyrt/part_system.hpp"

#include "fem/assembly.hpp"
#include "fem/integration.hpp"
#include "fem/supports.hpp"

namespace limber {

std::shared_ptr<const Body> part_body(const FleshPart& flesh, const Material& material, bool quadratic) {
    BodyDescription d;
    d.name = flesh.name;
    d.mesh = quadratic ? to_tet10(flesh.mesh) : flesh.mesh;
    d.materials = {{"", material}};
    d.anchors = {{"bones and seam", d.mesh.vertex_sets.at("held"), {}}};
    return Body::make(std::move(d), {flesh.name, 0, {}});
}

PartSystem assemble_part(const FleshPart& flesh, const Material& material, bool quadratic, Progress& progress) {
    PartSystem out;
    out.body = part_body(flesh, material, quadratic);
    AssemblySettings settings;
    settings.integration = automatic_integration(*out.body);
    FemMatrices fem = assemble(*out.body, settings, progress);
    const Supports supports(*out.body);
    out.system = {
        std::move(fem.stiffness), std::move(fem.mass), std::move(fem.lumped), fem.uniform_damping, fem.alpha, fem.beta,
        std::move(fem.damping),   supports.free(),     supports.prescribed(), supports.rows()};
    return out;
}

PartSystem make_part_system(const FleshPart& flesh, const Material& material, bool quadratic, Progress& progress) {
    PartSystem out = assemble_part(flesh, material, quadratic, progress);
    out.solver = make_solver(effective_matrix(out.system, 0.0, 0.0, 1.0), {}, progress);
    return out;
}

Vec3 drive_field(std::size_t c, const Vec3& r) {
    switch (c) {
        case 0: return {1.0, 0.0, 0.0};
        case 1: return {0.0, 1.0, 0.0};
        case 2: return {0.0, 0.0, 1.0};
        case 3: return {0.0, -r.z, r.y};  // e_x x r
        case 4: return {r.z, 0.0, -r.x};
        case 5: return {-r.y, r.x, 0.0};
        case 6: return {0.0, -r.y, -r.z};  // w (w.r) - (w.w) r, by the products of w
        case 7: return {-r.x, 0.0, -r.z};
        case 8: return {-r.x, -r.y, 0.0};
        case 9: return {r.y, r.x, 0.0};
        case 10: return {0.0, r.z, r.y};
        default: return {r.z, 0.0, r.x};
    }
}

void inertia(const System& system, const double* x, double* out) {
    if (!system.is_lumped())
        multiply(system.mass, x, out);
    else
        for (std::size_t i = 0; i < system.size(); ++i) out[i] = system.lumped[i / 3] * x[i];
}

std::vector<double> drive_loads(const PartSystem& part, const Vec3& bone) {
    const std::size_t n = part.system.size();
    const std::vector<Vec3>& vertices = part.body->mesh().vertices;
    std::vector<double> field(n), out(kDyrtDrives * n);
    for (std::size_t c = 0; c < kDyrtDrives; ++c) {
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            const Vec3 a = drive_field(c, vertices[v] - bone);
            for (int i = 0; i < 3; ++i) field[3 * v + static_cast<std::size_t>(i)] = -a[i];
        }
        inertia(part.system, field.data(), out.data() + c * n);
    }
    return out;
}

}  // namespace limber
