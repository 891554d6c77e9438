#include "fem/energy.hpp"

#include "fem/element.hpp"

namespace limber {

double energy_norm2(const Body& body, std::span<const Vec3> u) {
    const Mesh& mesh = body.mesh();
    const auto dim = static_cast<std::size_t>(mesh.dimension());
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    ElementMatrices e;
    std::array<double, kMaxElementDofs> local{};
    double total = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        element_matrices(body, c, {}, e);
        for (std::size_t a = 0; a < corners; ++a)
            for (std::size_t axis = 0; axis < dim; ++axis)
                local[a * dim + axis] = u[static_cast<std::size_t>(mesh.cell(c)[a])][static_cast<int>(axis)];
        const auto n = static_cast<std::size_t>(e.dofs);
        for (std::size_t i = 0; i < n; ++i) {
            double row = 0.0;
            for (std::size_t j = 0; j < n; ++j) row += e.stiffness[i * n + j] * local[j];
            total += local[i] * row;
        }
    }
    return total;
}

}  // namespace limber
