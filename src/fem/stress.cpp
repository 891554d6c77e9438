#include "fem/stress.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace limber {
namespace {

bool averages_at_vertices(const Body& body, Integration integration) {
    const CellKind kind = body.mesh().kind;
    return integration == Integration::bbar && (kind == CellKind::tri3 || kind == CellKind::tet4);
}

}  // namespace

StressMap::StressMap(const Body& body, Integration integration) : body_(body), dim_(body.mesh().dimension()) {
    const Mesh& mesh = body.mesh();
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    gradients_.resize(mesh.cells.size());
    vertex_measure_.assign(body.vertex_count(), 0.0);
    std::array<double, kMaxElementDofs> dilatation{};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        physical_gradients(mesh, c, reference_centre(mesh.kind), gradients_.data() + c * corners);
        const double measure = mean_dilatation(body, c, dilatation.data());
        measure_.push_back(measure);
        for (std::size_t a = 0; a < corners; ++a) vertex_measure_[static_cast<std::size_t>(mesh.cell(c)[a])] += measure;
        if (integration == Integration::bbar) {
            dilatation_.insert(dilatation_.end(), dilatation.begin(),
                               dilatation.begin() + mesh.dimension() * static_cast<std::ptrdiff_t>(corners));
        }
    }
    if (!averages_at_vertices(body, integration)) return;
    patches_ = nodal_patches(body);
    patch_of_ = patches_of_corners(body, patches_);
}

Mat3 StressMap::patch_gradient(std::size_t patch, std::span<const double> u) const noexcept {
    const NodalPatch& p = patches_[patch];
    const auto dim = static_cast<std::size_t>(dim_);
    Mat3 h;
    for (std::size_t k = 0; k < p.vertices.size(); ++k) {
        for (std::size_t i = 0; i < dim; ++i) {
            for (std::size_t j = 0; j < dim; ++j) {
                h(static_cast<int>(i), static_cast<int>(j)) += u[static_cast<std::size_t>(p.vertices[k]) * dim + i] *
                                                               p.gradient[k * dim + j];
            }
        }
    }
    return h;
}

SymMat3 StressMap::strain_of(std::size_t cell, std::span<const double> u) const noexcept {
    const Mesh& mesh = body_.mesh();
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    const auto dim = static_cast<std::size_t>(dim_);
    Mat3 h;  // displacement gradient
    double mean = 0.0;
    for (std::size_t a = 0; a < corners; ++a) {
        const double* ua = u.data() + static_cast<std::size_t>(mesh.cell(cell)[a]) * dim;
        for (std::size_t i = 0; i < dim; ++i) {
            for (std::size_t j = 0; j < dim; ++j) {
                h(static_cast<int>(i), static_cast<int>(j)) += ua[i] *
                                                               gradients_[cell * corners + a][static_cast<int>(j)];
            }
            if (!dilatation_.empty()) mean += ua[i] * dilatation_[(cell * corners + a) * dim + i];
        }
    }
    if (!patches_.empty()) {
        Mat3 around;  // mean of the averages at the corners: all of the volume change is theirs, and their share of the
                      // rest
        for (std::size_t a = 0; a < corners; ++a) {
            const Mat3 p = patch_gradient(static_cast<std::size_t>(patch_of_[cell * corners + a]), u);
            for (int k = 0; k < 9; ++k) around(k / 3, k % 3) += p(k / 3, k % 3) / static_cast<double>(corners);
        }
        mean = around(0, 0) + around(1, 1) + around(2, 2);
        for (int k = 0; k < 9; ++k)
            h(k / 3, k % 3) = kCellShearShare * h(k / 3, k % 3) + (1.0 - kCellShearShare) * around(k / 3, k % 3);
    }
    SymMat3 e{h(0, 0), h(1, 1), h(2, 2), (h(0, 1) + h(1, 0)) / 2, (h(1, 2) + h(2, 1)) / 2, (h(0, 2) + h(2, 0)) / 2};
    if (dilatation_.empty()) return e;
    const double shift = (mean - (e.xx + e.yy + e.zz)) / 3.0;
    e.xx += shift;
    e.yy += shift;
    e.zz += shift;
    return e;
}

void StressMap::cell_strain(std::span<const double> u, std::span<SymMat3> out) const noexcept {
    for (std::size_t c = 0; c < measure_.size(); ++c) out[c] = strain_of(c, u);
}

void StressMap::cell_stress(std::span<const double> u, std::span<SymMat3> out) const noexcept {
    for (std::size_t c = 0; c < measure_.size(); ++c) {
        const SymMat3 e = strain_of(c, u);
        const ElasticityMatrix d = elasticity_matrix(body_.material_of(c), dim_, body_.plane());
        const std::array<double, 6> v{e.xx, e.yy, e.zz, 2 * e.xy, 2 * e.yz, 2 * e.zx};
        std::array<double, 6> s{};
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) s[i] += d[i][j] * v[j];
        out[c] = {s[0], s[1], s[2], s[3], s[4], s[5]};
    }
}

void StressMap::to_vertices(std::span<const SymMat3> cells, std::span<SymMat3> out) const noexcept {
    const Mesh& mesh = body_.mesh();
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::fill(out.begin(), out.end(), SymMat3{});
    for (std::size_t c = 0; c < cells.size(); ++c) {
        for (std::size_t a = 0; a < corners; ++a) {
            const auto v = static_cast<std::size_t>(mesh.cell(c)[a]);
            const double w = measure_[c] / vertex_measure_[v];
            SymMat3& o = out[v];
            o.xx += w * cells[c].xx;
            o.yy += w * cells[c].yy;
            o.zz += w * cells[c].zz;
            o.xy += w * cells[c].xy;
            o.yz += w * cells[c].yz;
            o.zx += w * cells[c].zx;
        }
    }
}

double von_mises(const SymMat3& s) {
    const double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    return std::sqrt((a * a + b * b + c * c) / 2 + 3 * (s.xy * s.xy + s.yz * s.yz + s.zx * s.zx));
}

// Jacobi's rotations: three of them make a sweep, and few sweeps are enough at any conditioning. Closed forms lose half
// the digits where two values are nearly equal, which is where people look (uniaxial and hydrostatic stress).
std::array<double, 3> principal_stresses(const SymMat3& s) {
    double a[3][3] = {{s.xx, s.xy, s.zx}, {s.xy, s.yy, s.yz}, {s.zx, s.yz, s.zz}};
    for (int sweep = 0; sweep < 12; ++sweep) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) (i == j ? all : off) += a[i][j] * a[i][j];
        if (!(off > 1e-34 * all)) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (a[p][q] == 0.0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
                const double c = 1.0 / std::hypot(t, 1.0), d = t * c, shift = t * a[p][q];
                const int r = 3 - p - q;
                const double rp = a[r][p], rq = a[r][q];
                a[p][p] -= shift;
                a[q][q] += shift;
                a[p][q] = a[q][p] = 0.0;
                a[r][p] = a[p][r] = c * rp - d * rq;
                a[r][q] = a[q][r] = d * rp + c * rq;
            }
        }
    }
    std::array<double, 3> out{a[0][0], a[1][1], a[2][2]};
    std::sort(out.begin(), out.end(), std::greater<>());
    return out;
}

}  // namespace limber
