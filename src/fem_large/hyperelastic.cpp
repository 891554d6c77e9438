#include "fem_large/hyperelastic.hpp"

#include "fem_large/hyper_cells.hpp"
#include "fem_large/hyper_nodes.hpp"
#include "fem_large/laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

// One cell's sums: force per corner, and where asked for the blocks of each pair of corners.
template <int dim, int corners>
struct CellSums {
    static constexpr int dofs = dim * corners;
    double energy = 0.0;
    double force[dofs];
    double dilatation[dofs];      // integral of d theta / du
    double tangent[dofs * dofs];  // only blocks b >= a
};

template <int dim>
Vec3 vector_at(const double* p) {
    if constexpr (dim == 2)
        return {p[0], p[1], 0.0};
    else
        return {p[0], p[1], p[2]};
}

template <int dim>
Mat3 gradient_of(const double* field, const double* g, int corners) {
    Mat3 h;
    for (int a = 0; a < corners; ++a) {
        for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j) h(i, j) += field[a * dim + i] * g[a * dim + j];
    }
    return h;
}

// lambda f_a f_b^T + mu f_b f_a^T + mu (g_a . g_b) F F^T, the material part that both laws damp with; `spin` (g_a . G
// g_b) 1 on top.
template <int dim, int corners>
void add_material(const Mat3& f, LameModuli m, double weight, const Mat3& spin, const double* g, double* k) {
    constexpr int dofs = dim * corners;
    double fg[dofs], ff[dim * dim], sg[dofs];
    for (int a = 0; a < corners; ++a) {
        for (int i = 0; i < dim; ++i) {
            double s = 0.0, t = 0.0;
            for (int j = 0; j < dim; ++j) {
                s += f(i, j) * g[a * dim + j];
                t += spin(i, j) * g[a * dim + j];
            }
            fg[a * dim + i] = s;
            sg[a * dim + i] = t;
        }
    }
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < dim; ++j) {
            double s = 0.0;
            for (int r = 0; r < dim; ++r) s += f(i, r) * f(j, r);
            ff[i * dim + j] = weight * m.mu * s;
        }
    }
    const double wl = weight * m.lambda, wm = weight * m.mu;
    for (int a = 0; a < corners; ++a) {
        for (int b = a; b < corners; ++b) {
            double along = 0.0, turn = 0.0;
            for (int i = 0; i < dim; ++i) {
                along += g[a * dim + i] * g[b * dim + i];
                turn += g[a * dim + i] * sg[b * dim + i];
            }
            double* block = k + a * dim * dofs + b * dim;
            for (int i = 0; i < dim; ++i) {
                const double la = wl * fg[a * dim + i], mb = wm * fg[b * dim + i];
                for (int j = 0; j < dim; ++j)
                    block[i * dofs + j] += la * fg[b * dim + j] + mb * fg[a * dim + j] + along * ff[i * dim + j];
                block[i * dofs + i] += turn;
            }
        }
    }
}

template <int dim, int corners>
void add_tangent(const StvkPoint& at, LameModuli, const BlockWeights& w, const double* g, double* k) {
    const Mat3 spin = scaled(w.positive ? positive_part(at.s) : at.s, w.stiffness);
    add_material<dim, corners>(at.f, at.moduli, w.stiffness + w.viscosity, spin, g, k);
}

template <int dim, int corners>
void add_tangent(const NeoHookeanPoint& at, LameModuli small, const BlockWeights& w, const double* g, double* k) {
    constexpr int dofs = dim * corners;
    if (w.positive) {
        const PointTangent tangent(at, small, w);
        for (int a = 0; a < corners; ++a) {
            const auto row = tangent.row<dim>(g + a * dim);
            for (int b = a; b < corners; ++b) {
                double block[dim * dim] = {};
                row.add(g + b * dim, block);
                for (int i = 0; i < dim; ++i)
                    for (int j = 0; j < dim; ++j) k[(a * dim + i) * dofs + b * dim + j] += block[i * dim + j];
            }
        }
        return;
    }
    if (w.viscosity != 0.0) add_material<dim, corners>(at.f, small, w.viscosity, {}, g, k);
    double fg[dofs], cg[dofs];
    for (int a = 0; a < corners; ++a) {
        for (int i = 0; i < dim; ++i) {
            double s = 0.0, t = 0.0;
            for (int j = 0; j < dim; ++j) {
                s += at.f(i, j) * g[a * dim + j];
                t += at.cof(i, j) * g[a * dim + j];
            }
            fg[a * dim + i] = s;
            cg[a * dim + i] = t;
        }
    }
    const double up = at.invariant + 1;
    const double plain = at.m * at.invariant / up;
    const double wp = w.stiffness * plain, wf = w.stiffness * 2 * at.m / (up * up), wc = w.stiffness * at.l,
                 wq = w.stiffness * at.q;
    for (int a = 0; a < corners; ++a) {
        for (int b = a; b < corners; ++b) {
            const double *ga = g + a * dim, *gb = g + b * dim;
            double along = 0.0;
            for (int i = 0; i < dim; ++i) along += ga[i] * gb[i];
            double* block = k + a * dim * dofs + b * dim;
            for (int i = 0; i < dim; ++i) {
                const double fa = wf * fg[a * dim + i], ca = wc * cg[a * dim + i];
                for (int j = 0; j < dim; ++j) block[i * dofs + j] += fa * fg[b * dim + j] + ca * cg[b * dim + j];
                block[i * dofs + i] += wp * along;
            }
            // - q [F (g_a x g_b)]_x
            const Vec3 t = wq * (at.f * cross(vector_at<dim>(ga), vector_at<dim>(gb)));
            block[1] += t.z;
            block[dofs] -= t.z;
            if constexpr (dim == 3) {
                block[2] -= t.y;
                block[dofs + 2] += t.x;
                block[2 * dofs] += t.y;
                block[2 * dofs + 1] -= t.x;
            }
        }
    }
}

enum class Wanted : std::uint8_t { energy, gradient, tangent };

template <class Point, int dim, int corners>
class HyperModel final : public ElasticModel {
public:
    static constexpr int dofs = dim * corners;
    static constexpr int kMostPoints = 8;

    HyperModel(const Body& body, Integration integration)
        : HyperModel(body, integration, averaged_patches(body, integration)) {}
    HyperModel(const Body& body, Integration integration, const std::vector<NodalPatch>& patches)
        : body_(body),
          cells_(body, patches),
          patches_(body, patches),
          mean_(integration == Integration::bbar && patches.empty()) {
        for (std::size_t c = 0; c < cells_.count; ++c) {
            const Material& m = body.material_of(c);
            const double shear = (patches.empty() ? 1.0 : kCellShearShare) * m.shear();
            // lambda - kappa, without their cancelling digits
            moduli_.push_back({integration == Integration::bbar ? -2.0 / 3.0 * shear : m.lame_lambda(), shear});
            bulk_.push_back(m.bulk());
        }
    }

    std::size_t scratch_size() const override {
        return cells_.parts.size() + (averages() ? cells_.count + patches_.count() + patches_.most_vertices * dim : 0);
    }
    const BlockCsr& pattern() const override { return cells_.pattern; }
    std::size_t bytes() const override {
        return cells_.bytes() + patches_.bytes() + moduli_.size() * sizeof(LameModuli) + bulk_.size() * sizeof(double);
    }

    double energy(const double* u, double*, double* scratch) const noexcept override {
        const double averaged = swell(u, scratch) + patch_shear(u, nullptr);
        return averaged + cells_.sum(scratch, [&](std::size_t c) noexcept {
            Sums s;
            cell_sums<Wanted::energy>(c, u, {}, scratch, s);
            return s.energy;
        });
    }

    double gradient(const double* u, double*, double* force, double* scratch) const noexcept override {
        const double volumetric = swell(u, scratch);
        std::fill_n(force, cells_.pattern.size(), 0.0);
        const double cells = cells_.sum(scratch, [&](std::size_t c) noexcept {
            Sums s;
            cell_sums<Wanted::gradient>(c, u, {}, scratch, s);
            add_force(c, s.force, force);
            return s.energy;
        });
        return volumetric + patch_shear(u, force) + cells;
    }

    double linearise(const double* u, const TangentWeights& weights, double*, double* force, double* values,
                     double* scratch) const noexcept override {
        const double volumetric = swell(u, scratch);
        std::fill_n(force, cells_.pattern.size(), 0.0);
        std::fill_n(values, cells_.pattern.columns.size() * dim * dim, 0.0);
        const double energy = cells_.sum(scratch, [&](std::size_t c) noexcept {
            Sums s;
            cell_sums<Wanted::tangent>(c, u, weights, scratch, s);
            add_force(c, s.force, force);
            add_blocks(c, s.tangent, values);
            return s.energy;
        });
        for (std::size_t p = 0; p < patches_.count(); ++p) {
            const HyperPatches::Patch& patch = patches_.patches[p];
            const double stiffness = weights.stiffness, viscosity = weights.viscosity * patch.viscosity_share;
            const PointTangent shear(Point(patch_gradient(p, u), patch.moduli, 0.0), patch.moduli,
                                     {patch.measure * stiffness, patch.measure * viscosity, weights.positive});
            add_patch(p, patch.bulk / patch.measure * (stiffness + viscosity), patch_slope(p, u, scratch), shear,
                      values);
        }
        return volumetric + patch_shear(u, force) + energy;
    }

    void viscous(const double* u, const double* v, double*, double* force, double* scratch) const noexcept override {
        std::fill_n(force, cells_.pattern.size(), 0.0);
        cells_.sum(scratch, [&](std::size_t c) noexcept {
            double cell[dofs];
            cell_viscous(c, u, v, cell);
            add_force(c, cell, force);
            return 0.0;
        });
        for (std::size_t p = 0; p < patches_.count(); ++p) {
            const HyperPatches::Patch& patch = patches_.patches[p];
            const double* slope = patch_slope(p, u, scratch);
            const std::int32_t *vertex = patches_.vertices.data() + patch.first_vertex,
                               *end = patches_.vertices.data() + patches_.patches[p + 1].first_vertex;
            double rate = 0.0;
            for (const std::int32_t* x = vertex; x != end; ++x)
                for (int i = 0; i < dim; ++i) rate += slope[(x - vertex) * dim + i] * v[*x * dim + i];
            rate *= patch.bulk / patch.measure * patch.viscosity_share;
            const Mat3 shear = viscous_piola(deformation(patch_gradient(p, u)), patch_gradient(p, v), patch.moduli);
            add_patch_force(p, scaled(shear, patch.measure * patch.viscosity_share), force);
            for (const std::int32_t* x = vertex; x != end; ++x)
                for (int i = 0; i < dim; ++i) force[*x * dim + i] += rate * slope[(x - vertex) * dim + i];
        }
    }

    void cell_stress(const double* u, const double*, std::span<SymMat3> out) const noexcept override {
        double local[dofs];
        // There is no scratch here: the cells' own volume changes, then their pressures, wait in `out`.
        for (std::size_t c = 0; averages() && c < cells_.count; ++c) out[c].xx = cell_theta(c, u);
        for (std::size_t c = 0; averages() && c < cells_.count; ++c) {
            double p = 0.0;
            for (std::size_t a = 0; a < corners; ++a)
                p += patch_pressure(patches_.patch_of[c * corners + a], [&](std::size_t e) { return out[e].xx; });
            out[c].yy = p / corners;
        }
        for (std::size_t c = 0; c < cells_.count; ++c) {
            gather(c, u, local);
            const double* g = cells_.points > 1 ? cells_.centre_gradients.data() + c * dofs : cells_.gradients_of(c);
            const Mat3 h = gradient_of<dim>(local, g, corners);
            const Point at(h, moduli_[c], averages() ? out[c].yy : mean_ ? bulk_[c] * mean_theta(c, local) : 0.0);
            const Mat3 tau = at.piola() * transpose(deformation(h));
            const double s = over_volume(h);
            Mat3 cauchy = scaled(tau, s);
            for (std::size_t a = 0; averages() && a < corners; ++a) {
                cauchy = sum_of(cauchy,
                                scaled(patch_stress(static_cast<std::size_t>(patches_.patch_of[c * corners + a]), u),
                                       1.0 / corners));
            }
            out[c] = {cauchy(0, 0),
                      cauchy(1, 1),
                      cauchy(2, 2),
                      (cauchy(0, 1) + cauchy(1, 0)) / 2,
                      (cauchy(1, 2) + cauchy(2, 1)) / 2,
                      (cauchy(2, 0) + cauchy(0, 2)) / 2};
        }
    }

    std::int32_t inverted_cell(const double* u) const noexcept override {
        double local[dofs];
        for (std::size_t c = 0; c < cells_.count; ++c) {
            gather(c, u, local);
            for (int q = 0; q < cells_.points; ++q) {
                if (!(1.0 + volume_change(gradient_of<dim>(local, cells_.gradients_of(c) + q * dofs, corners)) > 0.0))
                    return static_cast<std::int32_t>(c);
            }
        }
        return -1;
    }

private:
    using Sums = CellSums<dim, corners>;

    static std::vector<NodalPatch> averaged_patches(const Body& body, Integration integration) {
        return integration == Integration::bbar && corners == dim + 1 ? nodal_patches(body) : std::vector<NodalPatch>{};
    }
    bool averages() const { return patches_.count() > 0; }
    double* thetas(double* scratch) const { return scratch + cells_.parts.size(); }
    double* pressures(double* scratch) const { return thetas(scratch) + cells_.count; }

    double cell_theta(std::size_t c, const double* u) const noexcept {
        double local[dofs];
        gather(c, u, local);
        return Point::theta(gradient_of<dim>(local, cells_.gradients_of(c), corners));
    }
    template <class F>
    double patch_pressure(std::int32_t p, F&& theta) const noexcept {
        const HyperPatches::Patch& patch = patches_.patches[static_cast<std::size_t>(p)];
        const auto end = static_cast<std::size_t>(patches_.patches[static_cast<std::size_t>(p) + 1].first_cell);
        double sum = 0.0;
        for (auto k = static_cast<std::size_t>(patch.first_cell); k < end; ++k)
            sum += patches_.share[k] * theta(static_cast<std::size_t>(patches_.cells[k]));
        return patch.bulk * sum / patch.measure;
    }
    // Finds the patches' pressures; returns their energy.
    double swell(const double* u, double* scratch) const noexcept {
        if (!averages()) return 0.0;
        double *theta = thetas(scratch), *pressure = pressures(scratch), energy = 0.0;
        parallel_blocks(cells_.count, 1024, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t c = begin; c < end; ++c) theta[c] = cell_theta(c, u);
        });
        for (std::size_t p = 0; p < patches_.count(); ++p) {
            pressure[p] = patch_pressure(static_cast<std::int32_t>(p), [&](std::size_t c) { return theta[c]; });
            energy += patches_.patches[p].measure / (2 * patches_.patches[p].bulk) * pressure[p] * pressure[p];
        }
        return energy;
    }
    // 1 / J; where flat: large, not infinite
    static double over_volume(const Mat3& h) noexcept {
        const double j = 1.0 + volume_change(h);
        return 1.0 / (std::fabs(j) > 1e-9 ? j : std::copysign(1e-9, j));
    }
    // The mean of a field's gradient over a patch.
    Mat3 patch_gradient(std::size_t p, const double* u) const noexcept {
        Mat3 h;
        for (auto k = static_cast<std::size_t>(patches_.patches[p].first_vertex);
             k < static_cast<std::size_t>(patches_.patches[p + 1].first_vertex); ++k) {
            for (int i = 0; i < dim; ++i) {
                for (int j = 0; j < dim; ++j) {
                    h(i, j) += u[patches_.vertices[k] * dim + i] *
                               patches_.gradients[k * dim + static_cast<std::size_t>(j)];
                }
            }
        }
        return h;
    }
    void add_patch_force(std::size_t p, const Mat3& piola, double* force) const noexcept {
        for (auto k = static_cast<std::size_t>(patches_.patches[p].first_vertex);
             k < static_cast<std::size_t>(patches_.patches[p + 1].first_vertex); ++k) {
            for (int i = 0; i < dim; ++i) {
                for (int j = 0; j < dim; ++j) {
                    force[patches_.vertices[k] * dim + i] += piola(i, j) *
                                                             patches_.gradients[k * dim + static_cast<std::size_t>(j)];
                }
            }
        }
    }
    // What the averages of F have of the energy, and where asked for of the forces.
    double patch_shear(const double* u, double* force) const noexcept {
        double energy = 0.0;
        for (std::size_t p = 0; p < patches_.count(); ++p) {
            const HyperPatches::Patch& patch = patches_.patches[p];
            const Point at(patch_gradient(p, u), patch.moduli, 0.0);
            energy += patch.measure * at.energy();
            if (force != nullptr) add_patch_force(p, scaled(at.piola(), patch.measure), force);
        }
        return energy;
    }
    Mat3 patch_stress(std::size_t p, const double* u) const noexcept {
        const Mat3 h = patch_gradient(p, u);
        return scaled(Point(h, patches_.patches[p].moduli, 0.0).piola() * transpose(deformation(h)), over_volume(h));
    }
    // V_a d theta_a / du over the patch's vertices.
    const double* patch_slope(std::size_t p, const double* u, double* scratch) const noexcept {
        double* slope = pressures(scratch) + patches_.count();
        std::fill_n(slope, patches_.most_vertices * dim, 0.0);
        double local[dofs];
        const auto end = static_cast<std::size_t>(patches_.patches[p + 1].first_cell);
        for (auto k = static_cast<std::size_t>(patches_.patches[p].first_cell); k < end; ++k) {
            const auto c = static_cast<std::size_t>(patches_.cells[k]);
            gather(c, u, local);
            const double* g = cells_.gradients_of(c);
            const Mat3 d = Point(gradient_of<dim>(local, g, corners), moduli_[c], 0.0).theta_slope();
            for (int a = 0; a < corners; ++a) {
                for (int i = 0; i < dim; ++i) {
                    for (int j = 0; j < dim; ++j) {
                        slope[patches_.position_in_patch[k * corners + static_cast<std::size_t>(a)] * dim + i] +=
                            patches_.share[k] * d(i, j) * g[a * dim + j];
                    }
                }
            }
        }
        return slope;
    }
    // values += s slope slope^T + shear. Both a row's columns and a patch's vertices ascend.
    void add_patch(std::size_t p, double s, const double* slope, const PointTangent& shear,
                   double* values) const noexcept {
        const double* gradients = patches_.gradients.data() + patches_.patches[p].first_vertex * dim;
        const std::int32_t *vertex = patches_.vertices.data() + patches_.patches[p].first_vertex,
                           *end = patches_.vertices.data() + patches_.patches[p + 1].first_vertex;
        for (const std::int32_t* row = vertex; row != end; ++row) {
            std::int32_t entry = cells_.pattern.starts[static_cast<std::size_t>(*row)];
            const double* a = slope + (row - vertex) * dim;
            const auto shear_row = shear.row<dim>(gradients + (row - vertex) * dim);
            for (const std::int32_t* column = vertex; column != end; ++column) {
                while (cells_.pattern.columns[static_cast<std::size_t>(entry)] != *column) ++entry;
                double* to = values + static_cast<std::size_t>(entry) * dim * dim;
                const double* b = slope + (column - vertex) * dim;
                for (int i = 0; i < dim; ++i)
                    for (int j = 0; j < dim; ++j) to[i * dim + j] += s * a[i] * b[j];
                shear_row.add(gradients + (column - vertex) * dim, to);
            }
        }
    }

    const std::int32_t* vertices_of(std::size_t c) const { return body_.mesh().cells.data() + c * corners; }

    void gather(std::size_t c, const double* u, double* local) const noexcept {
        gather_cell<corners, dim>(vertices_of(c), u, local);
    }
    void add_force(std::size_t c, const double* from, double* to) const noexcept {
        add_cell<corners, dim>(vertices_of(c), from, to);
    }
    void add_blocks(std::size_t c, const double* k, double* values) const noexcept {
        const std::int32_t* entry = cells_.entries.data() + c * corners * corners;
        for (int a = 0; a < corners; ++a) {
            for (int b = 0; b < corners; ++b) {
                double* to = values + static_cast<std::size_t>(entry[a * corners + b]) * dim * dim;
                for (int i = 0; i < dim; ++i) {
                    for (int j = 0; j < dim; ++j) {
                        to[i * dim + j] += b >= a ? k[(a * dim + i) * dofs + b * dim + j]
                                                  : k[(b * dim + j) * dofs + a * dim + i];
                    }
                }
            }
        }
    }

    double mean_theta(std::size_t c, const double* local) const noexcept {
        const double* weight = cells_.weights.data() + c * static_cast<std::size_t>(cells_.points);
        double sum = 0.0, volume = 0.0;
        for (int q = 0; q < cells_.points; ++q) {
            sum += weight[q] * Point::theta(gradient_of<dim>(local, cells_.gradients_of(c) + q * dofs, corners));
            volume += weight[q];
        }
        return sum / volume;
    }

    template <Wanted wanted>
    void cell_sums(std::size_t c, const double* u, const TangentWeights& w, double* scratch, Sums& s) const noexcept {
        double local[dofs];
        gather(c, u, local);
        const double* weight = cells_.weights.data() + c * static_cast<std::size_t>(cells_.points);
        const LameModuli m = moduli_[c];
        double volume = 0.0, theta = 0.0;
        if (mean_) {
            for (int q = 0; q < cells_.points; ++q) volume += weight[q];
            theta = mean_theta(c, local);
        }
        double pressure = bulk_[c] * theta;
        for (int a = 0; averages() && a < corners; ++a)
            pressure += pressures(scratch)[patches_.patch_of[c * corners + static_cast<std::size_t>(a)]] / corners;
        s.energy = bulk_[c] / 2 * volume * theta * theta;
        if constexpr (wanted != Wanted::energy) std::fill_n(s.force, dofs, 0.0);
        if constexpr (wanted == Wanted::tangent) {
            std::fill_n(s.tangent, dofs * dofs, 0.0);
            std::fill_n(s.dilatation, dofs, 0.0);
        }
        for (int q = 0; q < cells_.points; ++q) {
            const double* g = cells_.gradients_of(c) + q * dofs;
            const Point at(gradient_of<dim>(local, g, corners), m, pressure);
            s.energy += weight[q] * at.energy();
            if constexpr (wanted != Wanted::energy) add_product(scaled(at.piola(), weight[q]), g, s.force);
            if constexpr (wanted == Wanted::tangent) {
                const double share = cells_.viscosity_share[c];
                add_tangent<dim, corners>(at, m, {weight[q] * w.stiffness, weight[q] * w.viscosity * share, w.positive},
                                          g, s.tangent);
                if (mean_) add_product(scaled(at.theta_slope(), weight[q]), g, s.dilatation);
            }
        }
        if constexpr (wanted == Wanted::tangent) {
            if (mean_) {
                const double k = bulk_[c] / volume * (w.stiffness + w.viscosity * cells_.viscosity_share[c]);
                for (int i = 0; i < dofs; ++i) {
                    for (int j = i / dim * dim; j < dofs; ++j)
                        s.tangent[i * dofs + j] += k * s.dilatation[i] * s.dilatation[j];
                }
            }
        }
    }

    // out_a += P g_a
    static void add_product(const Mat3& p, const double* g, double* out) noexcept {
        for (int a = 0; a < corners; ++a) {
            for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j) out[a * dim + i] += p(i, j) * g[a * dim + j];
        }
    }

    void cell_viscous(std::size_t c, const double* u, const double* v, double* out) const noexcept {
        double displacement[dofs], rate[dofs], dilatation[dofs] = {};
        gather(c, u, displacement);
        gather(c, v, rate);
        std::fill_n(out, dofs, 0.0);
        const double* weight = cells_.weights.data() + c * static_cast<std::size_t>(cells_.points);
        double volume = 0.0;
        for (int q = 0; q < cells_.points; ++q) {
            const double* g = cells_.gradients_of(c) + q * dofs;
            const Mat3 h = gradient_of<dim>(displacement, g, corners),
                       piola = viscous_piola(deformation(h), gradient_of<dim>(rate, g, corners), moduli_[c]);
            add_product(scaled(piola, weight[q] * cells_.viscosity_share[c]), g, out);
            volume += weight[q];
            if (mean_) add_product(scaled(Point(h, moduli_[c], 0.0).theta_slope(), weight[q]), g, dilatation);
        }
        if (!mean_) return;
        double swell = 0.0;
        for (int i = 0; i < dofs; ++i) swell += dilatation[i] * rate[i];
        for (int i = 0; i < dofs; ++i) out[i] += cells_.viscosity_share[c] * bulk_[c] / volume * swell * dilatation[i];
    }

    const Body& body_;
    HyperCells cells_;
    HyperPatches patches_;            // none unless tri3 or tet4 average volume changes
    bool mean_;                       // the other kinds do so within a cell
    std::vector<LameModuli> moduli_;  // per cell, as the points see them
    std::vector<double> bulk_;
};

template <class Point>
std::unique_ptr<const ElasticModel> make_model(const Body& body, Integration integration) {
    switch (body.mesh().kind) {
        case CellKind::tri3: return std::make_unique<HyperModel<Point, 2, 3>>(body, integration);
        case CellKind::quad4: return std::make_unique<HyperModel<Point, 2, 4>>(body, integration);
        case CellKind::tet4: return std::make_unique<HyperModel<Point, 3, 4>>(body, integration);
        case CellKind::tet10: return std::make_unique<HyperModel<Point, 3, 10>>(body, integration);
        case CellKind::hex8: return std::make_unique<HyperModel<Point, 3, 8>>(body, integration);
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<const ElasticModel> make_hyperelastic(const Body& body, HyperLaw law, Integration integration) {
    return law == HyperLaw::stvk ? make_model<StvkPoint>(body, integration)
                                 : make_model<NeoHookeanPoint>(body, integration);
}

}  // namespace limber
