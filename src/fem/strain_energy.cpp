// For an isotropic material the energy density is  mu |dev e|^2 + kappa (tr e)^2 / 2  with both moduli positive; in
// plane stress the same holds in the plane, with lambda' + mu in place of kappa. B-bar changes only which (tr e) is
// meant; nodal averaging has a part of both on averages of e.
#include "fem/strain_energy.hpp"

#include "fem/cell_gradients.hpp"

#include <array>

namespace limber {
namespace {

constexpr std::size_t kMostGradients = (std::size_t{64} << 20) / sizeof(Vec3);

struct Strain {
    double trace = 0.0;
    double deviator = 0.0;  ///< |dev e|^2
};

/// Of a displacement gradient; `flat`: the deviator within the plane (plane stress).
Strain strain_of(const Mat3& h, bool flat) noexcept {
    const double xy = (h(0, 1) + h(1, 0)) / 2, yz = (h(1, 2) + h(2, 1)) / 2, zx = (h(0, 2) + h(2, 0)) / 2;
    const double trace = h(0, 0) + h(1, 1) + h(2, 2), mean = trace / (flat ? 2.0 : 3.0);
    const double x = h(0, 0) - mean, y = h(1, 1) - mean, z = flat ? 0.0 : h(2, 2) - mean;
    return {trace, x * x + y * y + z * z + 2 * (xy * xy + yz * yz + zx * zx)};
}

}  // namespace

StrainEnergy::StrainEnergy(const Body& body, const AssemblySettings& settings) : body_(body), settings_(settings) {
    const Mesh& mesh = body.mesh();
    averaged_ = settings.integration == Integration::bbar &&
                (mesh.kind == CellKind::tri3 || mesh.kind == CellKind::tet4);
    if (averaged_) patches_ = nodal_patches(body);
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::array<double, kMaxStiffnessPoints> weights{};
    std::array<Vec3, kMaxStiffnessPoints * kMaxCorners> gradients{};
    if (mesh.cell_count() > 0) points_ = cell_gradients(body, 0, weights.data(), gradients.data());
    if (mesh.cell_count() * points_ * corners > kMostGradients) return;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        cell_gradients(body, c, weights.data(), gradients.data());
        weights_.insert(weights_.end(), weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(points_));
        gradients_.insert(gradients_.end(), gradients.begin(),
                          gradients.begin() + static_cast<std::ptrdiff_t>(points_ * corners));
    }
}

double StrainEnergy::of_cell(std::size_t c, std::size_t points, const double* weights, const Vec3* gradients,
                             const double* u) const noexcept {
    const Mesh& mesh = body_.mesh();
    const Material& m = body_.material_of(c);
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind)),
               dim = static_cast<std::size_t>(mesh.dimension());
    const bool flat = dim == 2 && body_.plane() == Plane::stress, bbar = settings_.integration == Integration::bbar;
    const double kappa = flat ? m.young * m.poisson / (1 - m.poisson * m.poisson) + m.shear() : m.bulk();
    const double* first = u + static_cast<std::size_t>(mesh.cell(c)[0]) * dim;
    double energy = 0.0, mean = 0.0, volume = 0.0;
    for (std::size_t q = 0; q < points; ++q) {
        Mat3 h;
        for (std::size_t a = 1; a < corners;
             ++a) {  // from the first corner on: a translation, however far, cancels before it is rounded
            const double* at = u + static_cast<std::size_t>(mesh.cell(c)[a]) * dim;
            const Vec3& g = gradients[q * corners + a];
            for (std::size_t i = 0; i < dim; ++i) {
                for (std::size_t j = 0; j < dim; ++j)
                    h(static_cast<int>(i), static_cast<int>(j)) += (at[i] - first[i]) * g[static_cast<int>(j)];
            }
        }
        const Strain e = strain_of(h, flat);
        energy += weights[q] * (averaged_ ? kCellShearShare : 1.0) * m.shear() * e.deviator;
        if (!bbar) energy += 0.5 * weights[q] * kappa * e.trace * e.trace;
        mean += weights[q] * e.trace;
        volume += weights[q];
    }
    mean /= volume;
    const double by_mean = (bbar && !averaged_ ? kappa : 0.0) + settings_.volume_penalty;
    return energy + 0.5 * by_mean * volume * mean * mean;
}

double StrainEnergy::of_patch(const NodalPatch& patch, const double* u) const noexcept {
    const auto dim = static_cast<std::size_t>(body_.mesh().dimension());
    const double* first = u + static_cast<std::size_t>(patch.vertex) * dim;
    Mat3 h;
    for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
        for (std::size_t i = 0; i < dim; ++i) {
            for (std::size_t j = 0; j < dim; ++j) {
                h(static_cast<int>(i),
                  static_cast<int>(j)) += patch.gradient[k * dim + j] *
                                          (u[static_cast<std::size_t>(patch.vertices[k]) * dim + i] - first[i]);
            }
        }
    }
    const Strain e = strain_of(h, false);
    const Material& m = body_.materials()[static_cast<std::size_t>(patch.material)];
    return patch.measure * (0.5 * m.bulk() * e.trace * e.trace + (1.0 - kCellShearShare) * m.shear() * e.deviator);
}

double StrainEnergy::of(const double* u) const noexcept {
    const auto corners = static_cast<std::size_t>(corners_of(body_.mesh().kind));
    std::array<double, kMaxStiffnessPoints> weights{};
    std::array<Vec3, kMaxStiffnessPoints * kMaxCorners> gradients{};
    double energy = 0.0;
    for (std::size_t c = 0; c < body_.mesh().cell_count(); ++c) {
        if (weights_.empty()) {
            cell_gradients(body_, c, weights.data(), gradients.data());
            energy += of_cell(c, points_, weights.data(), gradients.data(), u);
        } else {
            energy += of_cell(c, points_, weights_.data() + c * points_, gradients_.data() + c * points_ * corners, u);
        }
    }
    for (const NodalPatch& patch : patches_) energy += of_patch(patch, u);
    return energy;
}

}  // namespace limber
