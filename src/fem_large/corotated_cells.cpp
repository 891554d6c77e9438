// Any cell kind: the element matrix of linear_fem, turned with the rotation at the cell's centre. Where volume is
// measured by the determinant, what the matrix has of it is taken out, and k/2 (J - 1)^2 stands in its place at each
// point (lambda), or once for the cell's mean (bulk modulus).
#include "fem_large/corotated.hpp"

#include "fem_large/corotated_parts.hpp"
#include "fem_large/corotated_turning.hpp"
#include "fem_large/hyper_cells.hpp"

#include <array>

namespace limber {
namespace {

template <int dim, int corners>
class CorotatedCells final : public ElasticModel {
public:
    static constexpr int dofs = dim * corners;

    /// `share`: what averages around vertices leave to the cells (tri3, trace).
    CorotatedCells(const Body& body, Integration integration, bool exact, VolumeLaw volume, bool share = false)
        : body_(body),
          cells_(body),
          exact_(exact),
          simplex_(corners == dim + 1),
          mean_(integration == Integration::bbar && !simplex_),
          determinant_(volume == VolumeLaw::determinant) {
        ElementMatrices e;
        for (std::size_t c = 0; c < cells_.count; ++c) {
            element_matrices(body, c, {simplex_ ? Integration::full : integration, share, 0.0}, e);
            const Material& m = body.material_of(c);
            moduli_.push_back(share ? cell_share_of(m) : LameModuli{m.lame_lambda(), m.shear()});
            stiffness_.insert(stiffness_.end(), e.stiffness.begin(), e.stiffness.begin() + dofs * dofs);
            volume_.push_back(e.measure);
            if (mean_ && !determinant_)
                dilatation_.insert(dilatation_.end(), e.dilatation.begin(), e.dilatation.begin() + dofs);
        }
        if (determinant_) take_out_volume();
    }

    std::size_t warm_size() const override { return 4 * cells_.count; }
    void warm_start(double* warm) const noexcept override { rest_quaternions(warm, cells_.count); }
    std::size_t scratch_size() const override { return cells_.parts.size(); }
    const BlockCsr& pattern() const override { return cells_.pattern; }
    bool exact_tangent() const override { return exact_; }
    std::size_t bytes() const override {
        return cells_.bytes() + sizeof(double) * (stiffness_.size() + volume_.size() + dilatation_.size()) +
               sizeof(LameModuli) * moduli_.size();
    }

    double energy(const double* u, double* warm, double* scratch) const noexcept override {
        find_rotations(u, warm);
        return cells_.sum(scratch, [&](std::size_t c) noexcept {
            double force[dofs];
            return respond(c, u, warm, force);
        });
    }

    double gradient(const double* u, double* warm, double* force, double* scratch) const noexcept override {
        find_rotations(u, warm);
        std::fill_n(force, cells_.pattern.size(), 0.0);
        return cells_.sum(scratch, [&](std::size_t c) noexcept {
            double cell[dofs];
            const double energy = respond(c, u, warm, cell);
            add_force(c, cell, force);
            return energy;
        });
    }

    double linearise(const double* u, const TangentWeights& weights, double* warm, double* force, double* values,
                     double* scratch) const noexcept override {
        const double energy = gradient(u, warm, force, scratch);
        std::fill_n(values, cells_.pattern.columns.size() * dim * dim, 0.0);
        cells_.sum(scratch, [&](std::size_t c) noexcept {
            double k[dofs * dofs];
            tangent(c, u, weights, warm, k);
            add_blocks(c, k, values);
            return 0.0;
        });
        return energy;
    }

    void viscous(const double* u, const double* v, double* warm, double* force,
                 double* scratch) const noexcept override {
        find_rotations(u, warm);
        std::fill_n(force, cells_.pattern.size(), 0.0);
        cells_.sum(scratch, [&](std::size_t c) noexcept {
            double cell[dofs], local[dofs], turned[dofs], y[dofs], d[dofs];
            const Mat3 r = rotation(c, warm), s = transpose(r) * deformation_of(c, u);
            shape_change(c, u, quaternion(c, warm), y, d);
            gather(c, v, local);
            turn(transpose(r), local, turned);
            take_out_turning(c, s, y, turned);
            times_stiffness(c, turned, local);
            balance_torque(c, s, y, local);
            turn(r, local, cell);
            if (determinant_) {
                for_each_swelling(c, u, [&](double k, double, const double* slope) {
                    add_scaled(k * inner(slope, v, c), slope, cell);
                });
            }
            for (double& f : cell) f *= cells_.viscosity_share[c];
            add_force(c, cell, force);
            return 0.0;
        });
    }

    void cell_stress(const double* u, const double* warm, std::span<SymMat3> out) const noexcept override {
        for (std::size_t c = 0; c < cells_.count; ++c) {
            const Quat q = nearest(deformation_of(c, u), quaternion(c, warm));
            const Mat3 r = to_matrix(q), strain = strain_of(gradient_at(c, u), q);
            const LameModuli& m = moduli_[c];
            double by_trace = determinant_ ? 0.0 : m.lambda * trace_of(strain),
                   by_volume = determinant_ ? m.lambda * volume_change(strain) : 0.0;
            if (mean_) {
                const double swelling = body_.material_of(c).bulk() * mean_change(c, u, q);
                by_trace = (determinant_ ? 0.0 : swelling) - 2.0 / 3.0 * m.mu * trace_of(strain);
                by_volume = determinant_ ? swelling : 0.0;
            }
            out[c] = turned_stress(r, strain, by_trace, by_volume, m.mu);
        }
    }

    std::int32_t inverted_cell(const double* u) const noexcept override {
        for (std::size_t c = 0; c < cells_.count; ++c)
            if (!(determinant(deformation_of(c, u)) > 0.0)) return static_cast<std::int32_t>(c);
        return -1;
    }

private:
    const std::int32_t* vertices_of(std::size_t c) const { return body_.mesh().cells.data() + c * corners; }
    const double* centre(std::size_t c) const {
        return cells_.points > 1 ? cells_.centre_gradients.data() + c * dofs : cells_.gradients_of(c);
    }

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
                for (int i = 0; i < dim; ++i)
                    for (int j = 0; j < dim; ++j) to[i * dim + j] += k[(a * dim + i) * dofs + b * dim + j];
            }
        }
    }

    Mat3 deformation_of(std::size_t c, const double* u) const noexcept { return deformation(gradient_at(c, u)); }
    Mat3 gradient_at(std::size_t c, const double* u) const noexcept {
        double local[dofs];
        gather(c, u, local);
        return gradient_from(local, centre(c));
    }
    static Mat3 gradient_from(const double* local, const double* g) noexcept {
        Mat3 f;
        for (int a = 0; a < corners; ++a) {
            for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j) f(i, j) += local[a * dim + i] * g[a * dim + j];
        }
        return f;
    }
    static Quat quaternion(std::size_t c, const double* warm) {
        return {warm[4 * c], warm[4 * c + 1], warm[4 * c + 2], warm[4 * c + 3]};
    }
    static Mat3 rotation(std::size_t c, const double* warm) { return to_matrix(quaternion(c, warm)); }
    static Quat nearest(const Mat3& f, const Quat& guess) {
        return dim == 3 ? nearest_rotation(f, guess) : nearest_rotation_in_plane(f, guess);
    }

    void find_rotations(const double* u, double* warm) const noexcept {
        limber::find_rotations<dim>(cells_.count, warm, [&](std::size_t c) noexcept { return gradient_at(c, u); });
    }

    static void turn(const Mat3& r, const double* from, double* to) noexcept {
        for (int a = 0; a < corners; ++a) {
            for (int i = 0; i < dim; ++i) {
                double sum = 0.0;
                for (int j = 0; j < dim; ++j) sum += r(i, j) * from[a * dim + j];
                to[a * dim + i] = sum;
            }
        }
    }
    void times_stiffness(std::size_t c, const double* d, double* f) const noexcept {
        const double* k = stiffness_.data() + c * dofs * dofs;
        for (int i = 0; i < dofs; ++i) {
            double sum = 0.0;
            for (int j = 0; j < dofs; ++j) sum += k[i * dofs + j] * d[j];
            f[i] = sum;
        }
    }
    // Corners seen from the first one and turned back (y), and what they have moved from rest: d = R^T u + (R^T - 1) X.
    void shape_change(std::size_t c, const double* u, const Quat& q, double* y, double* d) const noexcept {
        double rest[dofs], moved[dofs], swung[dofs];
        const std::int32_t* v = vertices_of(c);
        const Vec3& origin = body_.mesh().vertices[static_cast<std::size_t>(v[0])];
        for (int a = 0; a < corners; ++a) {
            for (int i = 0; i < dim; ++i) {
                rest[a * dim + i] = body_.mesh().vertices[static_cast<std::size_t>(v[a])][i] - origin[i];
                moved[a * dim + i] = u[v[a] * dim + i] - u[v[0] * dim + i];
            }
        }
        const Mat3 back = transpose(turn_of(q));
        turn(back, rest, swung);
        turn(back, moved, d);
        for (int i = 0; i < dofs; ++i) {
            d[i] += moved[i] + swung[i];
            y[i] = rest[i] + d[i];
        }
    }

    // f(k, J - 1, its slope by the corners) for each point where the determinant is taken; k [J].
    template <class F>
    void for_each_swelling(std::size_t c, const double* u, F&& f) const noexcept {
        double local[dofs], slope[dofs] = {}, change = 0.0;
        gather(c, u, local);
        const Material& m = body_.material_of(c);
        for (int q = 0; q < cells_.points; ++q) {
            const double* g = cells_.gradients_of(c) + q * dofs;
            const double weight =
                             cells_.weights[c * static_cast<std::size_t>(cells_.points) + static_cast<std::size_t>(q)],
                         share = mean_ ? weight / volume_[c] : 1.0;
            const Mat3 h = gradient_from(local, g), cof = cofactor(deformation(h));
            if (!mean_) {
                std::fill_n(slope, dofs, 0.0);
                change = 0.0;
            }
            change += share * volume_change(h);
            for (int a = 0; a < corners; ++a) {
                for (int i = 0; i < dim; ++i)
                    for (int j = 0; j < dim; ++j) slope[a * dim + i] += share * cof(i, j) * g[a * dim + j];
            }
            if (!mean_) f(m.lame_lambda() * weight, change, slope);
        }
        if (mean_) f(m.bulk() * volume_[c], change, slope);
    }
    static void add_scaled(double s, const double* from, double* to) noexcept {
        for (int i = 0; i < dofs; ++i) to[i] += s * from[i];
    }
    double inner(const double* slope, const double* v, std::size_t c) const noexcept {
        double local[dofs], sum = 0.0;
        gather(c, v, local);
        for (int i = 0; i < dofs; ++i) sum += slope[i] * local[i];
        return sum;
    }

    // At rest the slopes are the divergence's, so K without k (slope)(slope)^T is what is left.
    void take_out_volume() {
        const std::vector<double> rest(static_cast<std::size_t>(dim) * body_.mesh().vertices.size(), 0.0);
        for (std::size_t c = 0; c < cells_.count; ++c) {
            double* k = stiffness_.data() + c * dofs * dofs;
            for_each_swelling(c, rest.data(), [&](double modulus, double, const double* slope) {
                for (int i = 0; i < dofs; ++i) add_scaled(-modulus * slope[i], slope, k + i * dofs);
            });
        }
    }

    // The cell's mean change of volume, as it is measured.
    double mean_change(std::size_t c, const double* u, const Quat& q) const noexcept {
        double theta = 0.0;
        if (determinant_) {
            for_each_swelling(c, u, [&](double, double change, const double*) { theta = change; });
            return theta;
        }
        double x[dofs], d[dofs];
        shape_change(c, u, q, x, d);
        for (int i = 0; i < dofs; ++i) theta += dilatation_[c * dofs + static_cast<std::size_t>(i)] * d[i];
        return theta;
    }

    // The cell's part of the gradient; returns its energy.
    double respond(std::size_t c, const double* u, const double* warm, double* force) const noexcept {
        const Mat3 r = rotation(c, warm);
        double y[dofs], d[dofs], f[dofs];
        shape_change(c, u, quaternion(c, warm), y, d);
        times_stiffness(c, d, f);
        double energy = 0.0;
        for (int i = 0; i < dofs; ++i) energy += 0.5 * d[i] * f[i];
        if (!simplex_) balance_torque(c, transpose(r) * deformation_of(c, u), y, f);
        turn(r, f, force);
        if (!determinant_) return energy;
        for_each_swelling(c, u, [&](double k, double change, const double* slope) {
            energy += 0.5 * k * change * change;
            add_scaled(k * change, slope, force);
        });
        return energy;
    }

    static Vec3 vec(const double* p) { return dim == 3 ? Vec3{p[0], p[1], p[dim - 1]} : Vec3{p[0], p[1], 0.0}; }

    // tr S - S; false where the rotation is free to choose.
    static bool turning_matrix(const Mat3& s, Mat3& t) noexcept {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) t(i, j) = (i == j ? trace_of(s) : 0.0) - 0.5 * (s(i, j) + s(j, i));
        return determinant(t) > 1e-3;
    }

    // Velocities (turned back) without what turns with R: dy_a - w x y_a.
    void take_out_turning(std::size_t c, const Mat3& s, const double* y, double* dy) const noexcept {
        Mat3 t;
        if (!turning_matrix(s, t)) return;
        Vec3 z;
        const double* g = centre(c);
        for (int a = 0; a < corners; ++a) z += cross(vec(g + a * dim), vec(dy + a * dim));
        const Vec3 w = inverse(t) * z;
        for (int a = 0; a < corners; ++a) {
            const Vec3 turning = cross(w, vec(y + a * dim));
            for (int i = 0; i < dim; ++i) dy[a * dim + i] -= turning[i];
        }
    }

    // R turns by w = (tr S - S)^-1 (sum of g x dy) when corners move by dy, which does the work - w . (sum of y x f):
    // the corner b gets - n x g_b with n = (tr S - S)^-1 (sum of y x f).
    void balance_torque(std::size_t c, const Mat3& s, const double* y, double* f) const noexcept {
        Vec3 torque;
        for (int a = 0; a < corners; ++a) torque += cross(vec(y + a * dim), vec(f + a * dim));
        Mat3 t;
        if (!turning_matrix(s, t)) return;
        const Vec3 n = inverse(t) * torque;
        const double* g = centre(c);
        for (int a = 0; a < corners; ++a) {
            const Vec3 back = cross(n, vec(g + a * dim));
            for (int i = 0; i < dim; ++i) f[a * dim + i] -= back[i];
        }
    }

    // In the cell's own axes; simplices have what R's derivative adds in world axes.
    void unturned_tangent(std::size_t c, const double* u, const TangentWeights& w, const double* warm,
                          double* out) const noexcept {
        const double* k = stiffness_.data() + c * dofs * dofs;
        const double weight = w.stiffness + w.viscosity * cells_.viscosity_share[c];
        for (int i = 0; i < dofs * dofs; ++i) out[i] = weight * k[i];
        if (simplex_ || !exact_ || w.cheap) return;
        Mat3 t;
        if (!turning_matrix(transpose(rotation(c, warm)) * deformation_of(c, u), t)) return;
        double y[dofs], d[dofs], f[dofs];
        shape_change(c, u, quaternion(c, warm), y, d);
        times_stiffness(c, d, f);
        CellTurning<dim, corners>({k, centre(c), y, f, inverse(t)}).add(w.stiffness, w.positive, out);
    }

    void tangent(std::size_t c, const double* u, const TangentWeights& w, const double* warm,
                 double* out) const noexcept {
        const Mat3 r = rotation(c, warm);
        const double weight = w.stiffness + w.viscosity * cells_.viscosity_share[c];
        double k[dofs * dofs];
        unturned_tangent(c, u, w, warm, k);
        for (int a = 0; a < corners; ++a) {
            for (int b = 0; b < corners; ++b) {
                double half[dim][dim];
                for (int i = 0; i < dim; ++i) {
                    for (int j = 0; j < dim; ++j) {
                        half[i][j] = 0.0;
                        for (int m = 0; m < dim; ++m) half[i][j] += r(i, m) * k[(a * dim + m) * dofs + b * dim + j];
                    }
                }
                for (int i = 0; i < dim; ++i) {
                    for (int j = 0; j < dim; ++j) {
                        double sum = 0.0;
                        for (int m = 0; m < dim; ++m) sum += half[i][m] * r(j, m);
                        out[(a * dim + i) * dofs + b * dim + j] = sum;
                    }
                }
            }
        }
        const bool exact = exact_ && !w.cheap;
        if (exact && simplex_) add_turning(c, deformation_of(c, u) * transpose(r), r, w, out);
        if (!determinant_) return;
        for_each_swelling(c, u, [&](double modulus, double, const double* slope) {
            for (int i = 0; i < dofs; ++i) add_scaled(weight * modulus * slope[i], slope, out + i * dofs);
        });
        if (exact && !w.positive) add_pressures(c, u, w.stiffness, out);
    }

    // What pressures do as cof F changes.
    void add_pressures(std::size_t c, const double* u, double s, double* out) const noexcept {
        const Material& m = body_.material_of(c);
        double local[dofs], mean = 0.0;
        gather(c, u, local);
        if (mean_) for_each_swelling(c, u, [&](double, double change, const double*) { mean = change; });
        for (int q = 0; q < cells_.points; ++q) {
            const double* g = cells_.gradients_of(c) + q * dofs;
            const double weight =
                cells_.weights[c * static_cast<std::size_t>(cells_.points) + static_cast<std::size_t>(q)];
            const Mat3 h = gradient_from(local, g);
            add_pressure(deformation(h), s * weight * (mean_ ? m.bulk() * mean : m.lame_lambda() * volume_change(h)), g,
                         out);
        }
    }

    // Of one point: - p [F (g_a x g_b)]_x
    static void add_pressure(const Mat3& f, double pressure, const double* g, double* out) noexcept {
        for (int a = 0; a < corners; ++a) {
            for (int b = 0; b < corners; ++b) {
                const Vec3 area = pressure * (f * cross(vec(g + a * dim), vec(g + b * dim)));
                double* block = out + a * dim * dofs + b * dim;
                block[1] += area.z;
                block[dofs] -= area.z;
                if constexpr (dim == 3) {
                    block[2] -= area.y;
                    block[2 * dofs] += area.y;
                    block[dofs + 2] += area.x;
                    block[2 * dofs + 1] -= area.x;
                }
            }
        }
    }

    // Simplices in the plane (tet4 has a file of its own): z = sum of h_a x du_a has one component.
    void add_turning(std::size_t c, const Mat3& stretch, const Mat3& r, const TangentWeights& w,
                     double* out) const noexcept {
        const double s = w.stiffness * volume_[c];
        const Mat3 k = turning_stiffness(stretch, determinant_ ? 0.0 : s * moduli_[c].lambda, s * moduli_[c].mu,
                                         w.positive);
        double h[dofs];
        turn(r, centre(c), h);
        double z[dofs];
        for (int a = 0; a < corners; ++a) {
            z[a * dim] = -h[a * dim + 1];
            z[a * dim + 1] = h[a * dim];
        }
        for (int i = 0; i < dofs; ++i)
            for (int j = 0; j < dofs; ++j) out[i * dofs + j] += k(2, 2) * z[i] * z[j];
    }

    const Body& body_;
    HyperCells cells_;
    bool exact_, simplex_, mean_, determinant_;
    std::vector<double> stiffness_, volume_, dilatation_;
    std::vector<LameModuli> moduli_;
};

}  // namespace

std::unique_ptr<const ElasticModel> make_corotated_cells(const Body& body, Integration integration, bool exact,
                                                         VolumeLaw volume) {
    switch (body.mesh().kind) {
        case CellKind::tri3: return std::make_unique<CorotatedCells<2, 3>>(body, integration, exact, volume);
        case CellKind::quad4: return std::make_unique<CorotatedCells<2, 4>>(body, integration, exact, volume);
        case CellKind::tet10: return std::make_unique<CorotatedCells<3, 10>>(body, integration, exact, volume);
        case CellKind::hex8: return std::make_unique<CorotatedCells<3, 8>>(body, integration, exact, volume);
        default: return make_corotated_tets(body, exact, volume);
    }
}

std::unique_ptr<const ElasticModel> make_corotated_cell_shares(const Body& body, bool exact) {
    if (body.mesh().kind == CellKind::tri3)
        return std::make_unique<CorotatedCells<2, 3>>(body, Integration::full, exact, VolumeLaw::trace, true);
    return make_corotated_tet_shares(body, exact);
}

std::unique_ptr<const ElasticModel> make_corotated(const Body& body, const CorotatedSettings& settings) {
    if (settings.warp == Warp::vertices) return make_corotated_vertices(body, settings.integration);
    const bool simplex = body.mesh().kind == CellKind::tri3 || body.mesh().kind == CellKind::tet4;
    if (simplex && settings.integration == Integration::bbar)
        return make_corotated_averaged(body, settings.exact_tangent, settings.volume);
    return make_corotated_cells(body, settings.integration, settings.exact_tangent, settings.volume);
}

}  // namespace limber
