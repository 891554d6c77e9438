#include "fem/energy.hpp"

#include "fem/element.hpp"

namespace limber {

namespace {

constexpr std::size_t kMostKept = (std::size_t{256} << 20) / sizeof(double);

/// u^T K u of one cell, rows in order.
double cell_form(const Mesh& mesh, std::size_t c, const double* stiffness, std::size_t n, std::span<const Vec3> u,
                 double total) {
    const auto dim = static_cast<std::size_t>(mesh.dimension());
    std::array<double, kMaxElementDofs> local{};
    for (std::size_t i = 0; i < n; ++i)
        local[i] = u[static_cast<std::size_t>(mesh.cell(c)[i / dim])][static_cast<int>(i % dim)];
    for (std::size_t i = 0; i < n; ++i) {
        double row = 0.0;
        for (std::size_t j = 0; j < n; ++j) row += stiffness[i * n + j] * local[j];
        total += local[i] * row;
    }
    return total;
}

}  // namespace

double energy_norm2(const Body& body, std::span<const Vec3> u) {
    ElementMatrices e;
    double total = 0.0;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) {
        element_matrices(body, c, {}, e);
        total = cell_form(body.mesh(), c, e.stiffness.data(), static_cast<std::size_t>(e.dofs), u, total);
    }
    return total;
}

EnergyNorm::EnergyNorm(const Body& body) : body_(&body) {
    const auto n = static_cast<std::size_t>(corners_of(body.mesh().kind) * body.mesh().dimension());
    if (body.mesh().cell_count() > kMostKept / (n * n)) return;
    ElementMatrices e;
    stiffness_.reserve(body.mesh().cell_count() * n * n);
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) {
        element_matrices(body, c, {}, e);
        stiffness_.insert(stiffness_.end(), e.stiffness.begin(),
                          e.stiffness.begin() + static_cast<std::ptrdiff_t>(n * n));
    }
}

double EnergyNorm::squared(std::span<const Vec3> u) const {
    if (stiffness_.empty()) return energy_norm2(*body_, u);
    const auto n = static_cast<std::size_t>(corners_of(body_->mesh().kind) * body_->mesh().dimension());
    double total = 0.0;
    for (std::size_t c = 0; c < body_->mesh().cell_count(); ++c)
        total = cell_form(body_->mesh(), c, stiffness_.data() + c * n * n, n, u, total);
    return total;
}

}  // namespace limber
