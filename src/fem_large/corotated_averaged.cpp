// Tri3 and tet4 near nu = 0.5: F averaged around each vertex (fem/assembly.hpp has the small-strain form) is a point
// with a rotation and a volume change of its own, which all of the bulk modulus and most of the shear stiffness act on;
// the cells keep a share of the shear stiffness.
#include "fem_large/corotated.hpp"

#include "core/parallel.hpp"
#include "fem/assembly.hpp"
#include "fem_large/corotated_nodes.hpp"

#include <limber/version.hpp>

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kPatchesAtOnce = 256, kGatheredAtOnce = 256;

// From so many vertices on the averages' part of the matrix is not written out: it would have four times as many blocks
// as the cells'. Below, the whole matrix is small enough to be factored.
constexpr std::size_t kApartFrom = 500;

struct AveragedPatch {
    std::int32_t first_cell;  // in the list; one more patch ends it
    double measure, viscosity_share;
    CorotatedModuli moduli;  // times the measure
};

template <int dim>
class CorotatedAveraged final : public ElasticModel {
public:
    CorotatedAveraged(const Body& body, bool exact, VolumeLaw volume)
        : cells_(make_corotated_cell_shares(body, exact)), exact_(exact), corners_(dim + 1) {
        const std::vector<NodalPatch> patches = nodal_patches(body);
        add_patches(body, patches, volume);
        operator_.list_around(body.vertex_count());
        list_cells(body, patches);
        apart_ = dim == 3 && body.vertex_count() >= kApartFrom;
        if (apart_) {
            pattern_ = cells_->pattern();
            pattern_.columns.resize(pattern_.columns.size() + PatchOperator::kNumbers / 9 * count(), 0);
            return;
        }
        pattern_ = cell_pattern(body.mesh(), patches);
        pattern_.values = {};
        place_cells();
    }

    std::size_t warm_size() const override { return cells_->warm_size() + 4 * count(); }
    void warm_start(double* warm) const noexcept override {
        cells_->warm_start(warm);
        rest_quaternions(warm + cells_->warm_size(), count());
    }
    std::size_t scratch_size() const override {
        return cells_->scratch_size() + cells_->pattern().columns.size() * dim * dim + 27 * count() +
               count() / kPatchesAtOnce + 1;
    }
    const BlockCsr& pattern() const override { return pattern_; }
    const PatchOperator* apart() const override { return apart_ ? &operator_ : nullptr; }
    bool exact_tangent() const override { return exact_; }
    std::size_t bytes() const override {
        return cells_->bytes() + sizeof(AveragedPatch) * patches_.size() + operator_.bytes() +
               sizeof(std::int32_t) *
                   (cells_of_.size() + cells_at_.size() + pattern_.columns.size() + pattern_.starts.size());
    }

    double energy(const double* u, double* warm, double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double cells = cells_->energy(u, warm, s.cells);
        return cells + respond(u, nullptr, warm, s);
    }

    double gradient(const double* u, double* warm, double* force, double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double cells = cells_->gradient(u, warm, force, s.cells), averages = respond(u, nullptr, warm, s);
        spread(s.stress, force);
        return cells + averages;
    }

    double gradient_moving(const double* u, const double* v, double* warm, double* force, double* damping,
                           double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double cells = cells_->gradient_moving(u, v, warm, force, damping, s.cells),
                     averages = respond(u, v, warm, s);
        spread(s.stress, force);
        spread(s.damping, damping);
        return cells + averages;
    }

    double linearise(const double* u, const TangentWeights& weights, double* warm, double* force, double* values,
                     double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const Wanted tangent{weights, apart_ ? values + cells_->pattern().columns.size() * dim * dim : nullptr};
        const double cells = cells_->linearise(u, weights, warm, force, apart_ ? values : s.values, s.cells),
                     averages = respond(u, nullptr, warm, s, &tangent);
        spread(s.stress, force);
        if (!apart_) write_out(weights, warm, s, values);
        return cells + averages;
    }

    double linearise_moving(const double* u, const double* v, const TangentWeights& weights, double* warm,
                            double* force, double* damping, double* values, double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const Wanted tangent{weights, apart_ ? values + cells_->pattern().columns.size() * dim * dim : nullptr};
        const double cells = cells_->linearise_moving(u, v, weights, warm, force, damping, apart_ ? values : s.values,
                                                      s.cells);
        const double averages = respond(u, v, warm, s, &tangent);
        spread(s.stress, force);
        spread(s.damping, damping);
        if (!apart_) write_out(weights, warm, s, values);
        return cells + averages;
    }

    void viscous(const double* u, const double* v, double* warm, double* force,
                 double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        cells_->viscous(u, v, warm, force, s.cells);
        respond(u, v, warm, s);
        spread(s.damping, force);
    }

    void cell_stress(const double* u, const double* warm, std::span<SymMat3> out) const noexcept override {
        cells_->cell_stress(u, warm, out);
        for (std::size_t p = 0; p < count(); ++p) {
            const Mat3 h = field_gradient(p, u);
            const Quat guess = quaternion_in(rotations(warm), p),
                       q = dim == 3 ? nearest_rotation(deformation(h), guess)
                                    : nearest_rotation_in_plane(deformation(h), guess);
            const CorotatedPoint at(h, q, patches_[p].moduli);
            const double share = 1.0 / (patches_[p].measure * corners_);
            const SymMat3 s = turned_stress(at.r, at.strain, share * at.moduli.lambda * trace_of(at.strain),
                                            share * at.moduli.bulk * at.change, share * at.moduli.mu);
            for (auto k = static_cast<std::size_t>(patches_[p].first_cell);
                 k < static_cast<std::size_t>(patches_[p + 1].first_cell); ++k) {
                SymMat3& to = out[static_cast<std::size_t>(cells_of_[k])];
                to = {to.xx + s.xx, to.yy + s.yy, to.zz + s.zz, to.xy + s.xy, to.yz + s.yz, to.zx + s.zx};
            }
        }
    }

    std::int32_t inverted_cell(const double* u) const noexcept override { return cells_->inverted_cell(u); }

private:
    struct Parts {
        Parts(const CorotatedAveraged& m, double* p)
            : cells(p),
              values(cells + m.cells_->scratch_size()),
              gradients(values + m.cells_->pattern().columns.size() * dim * dim),
              stress(gradients + 9 * m.count()),
              damping(stress + 9 * m.count()),
              sums(damping + 9 * m.count()) {}
        double *cells, *values, *gradients, *stress, *damping, *sums;
    };
    struct Wanted {
        const TangentWeights& weights;
        double* numbers;  // of all patches, or null: the matrix is written out
    };

    std::size_t count() const { return patches_.size() - 1; }
    const double* rotations(const double* warm) const { return warm + cells_->warm_size(); }

    void add_patches(const Body& body, const std::vector<NodalPatch>& from, VolumeLaw volume) {
        double beta = 0.0;
        for (const Material& m : body.materials()) beta = std::max(beta, m.rayleigh_beta);
        for (const NodalPatch& p : from) {
            const Material& m = body.materials()[static_cast<std::size_t>(p.material)];
            const double shear = (1.0 - kCellShearShare) * m.shear() * p.measure, bulk = m.bulk() * p.measure;
            const bool determinant = volume == VolumeLaw::determinant;
            patches_.push_back({0,
                                p.measure,
                                beta > 0.0 ? m.rayleigh_beta / beta : 1.0,
                                {(determinant ? 0.0 : bulk) - 2.0 / 3.0 * shear, shear, determinant ? bulk : 0.0}});
            operator_.vertices.insert(operator_.vertices.end(), p.vertices.begin(), p.vertices.end());
            operator_.gradients.insert(operator_.gradients.end(), p.gradient.begin(), p.gradient.end());
            operator_.starts.push_back(static_cast<std::int32_t>(operator_.vertices.size()));
        }
        patches_.push_back({0, 0.0, 0.0, {}});
    }

    void list_cells(const Body& body, const std::vector<NodalPatch>& from) {
        const std::vector<std::int32_t> patch_of = patches_of_corners(body, from);
        std::vector<std::vector<std::int32_t>> around(from.size());
        for (std::size_t k = 0; k < patch_of.size(); ++k)
            around[static_cast<std::size_t>(patch_of[k])].push_back(static_cast<std::int32_t>(k) / corners_);
        for (std::size_t p = 0; p < around.size(); ++p) {
            cells_of_.insert(cells_of_.end(), around[p].begin(), around[p].end());
            patches_[p + 1].first_cell = static_cast<std::int32_t>(cells_of_.size());
        }
    }

    // Where each entry of the cells' matrix lies in this one.
    void place_cells() {
        const BlockCsr& from = cells_->pattern();
        for (std::size_t r = 0; r < from.rows(); ++r) {
            auto to = static_cast<std::size_t>(pattern_.starts[r]);
            for (auto e = static_cast<std::size_t>(from.starts[r]); e < static_cast<std::size_t>(from.starts[r + 1]);
                 ++e) {
                while (pattern_.columns[to] != from.columns[e]) ++to;
                cells_at_.push_back(static_cast<std::int32_t>(to));
            }
        }
    }

    Mat3 field_gradient(std::size_t p, const double* u) const noexcept {
        Mat3 h;
        for (auto k = static_cast<std::size_t>(operator_.starts[p]);
             k < static_cast<std::size_t>(operator_.starts[p + 1]); ++k) {
            const double *at = u + static_cast<std::size_t>(operator_.vertices[k]) * dim,
                         *g = operator_.gradients.data() + k * dim;
            for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j) h(i, j) += at[i] * g[j];
        }
        return h;
    }

    // Rotations and stresses of the averages, with v what damps it, and what a tangent wants; returns their energy.
    double respond(const double* u, const double* v, double* warm, const Parts& s,
                   const Wanted* tangent = nullptr) const noexcept {
        double* q = warm + cells_->warm_size();
        find_rotations<dim>(count(), q, [&](std::size_t p) noexcept {
            const Mat3 h = field_gradient(p, u);
            keep(h, 1.0, s.gradients + 9 * p);
            return h;
        });
        parallel_blocks(count(), kPatchesAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
            double sum = 0.0;
            for (std::size_t p = begin; p < end; ++p) {
                const CorotatedPoint at = point_of(p, q, s);
                sum += at.energy();
                keep(at.piola(), 1.0, s.stress + 9 * p);
                if (v != nullptr)
                    keep(at.viscous(field_gradient(p, v)), patches_[p].viscosity_share, s.damping + 9 * p);
                if (tangent != nullptr && tangent->numbers != nullptr) {
                    list_numbers(at, tangent_of(p, at, tangent->weights),
                                 tangent->numbers + PatchOperator::kNumbers * p);
                }
            }
            s.sums[block] = sum;
        });
        double energy = 0.0;
        for (std::size_t k = 0; k * kPatchesAtOnce < count(); ++k) energy += s.sums[k];
        return energy;
    }
    static void keep(const Mat3& m, double scale, double* to) noexcept {
        for (int k = 0; k < 9; ++k) to[k] = scale * m(k / 3, k % 3);
    }
    CorotatedPoint point_of(std::size_t p, const double* q, const Parts& s) const noexcept {
        Mat3 h;
        for (int k = 0; k < 9; ++k) h(k / 3, k % 3) = s.gradients[9 * p + static_cast<std::size_t>(k)];
        return {h, quaternion_in(q, p), patches_[p].moduli};
    }
    CorotatedTangent tangent_of(std::size_t p, const CorotatedPoint& at, const TangentWeights& weights) const noexcept {
        return {at, weights, patches_[p].viscosity_share, exact_ && !weights.cheap};
    }

    // force += what the stresses do to each vertex. By patches or by vertices: each adds in the order of the patches,
    // and the first is faster alone.
    void spread(const double* stress, double* force) const noexcept {
        const auto add = [&](std::size_t patch, std::size_t entry, std::size_t vertex) noexcept {
            const double *p = stress + 9 * patch, *g = operator_.gradients.data() + entry * dim;
            double* f = force + vertex * dim;
            if constexpr (dim == 3) {
                f[0] += p[0] * g[0] + p[1] * g[1] + p[2] * g[2];
                f[1] += p[3] * g[0] + p[4] * g[1] + p[5] * g[2];
                f[2] += p[6] * g[0] + p[7] * g[1] + p[8] * g[2];
            } else {
                f[0] += p[0] * g[0] + p[1] * g[1];
                f[1] += p[3] * g[0] + p[4] * g[1];
            }
        };
        if (thread_count() == 1) {
            for (std::size_t p = 0; p < count(); ++p) {
                for (auto k = static_cast<std::size_t>(operator_.starts[p]);
                     k < static_cast<std::size_t>(operator_.starts[p + 1]); ++k) {
                    add(p, k, static_cast<std::size_t>(operator_.vertices[k]));
                }
            }
            return;
        }
        parallel_blocks(operator_.around_starts.size() - 1, kGatheredAtOnce,
                        [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                            for (std::size_t v = begin; v < end; ++v) {
                                for (auto k = static_cast<std::size_t>(operator_.around_starts[v]);
                                     k < static_cast<std::size_t>(operator_.around_starts[v + 1]); k += 2) {
                                    add(static_cast<std::size_t>(operator_.around[k]),
                                        static_cast<std::size_t>(operator_.around[k + 1]), v);
                                }
                            }
                        });
    }

    void write_out(const TangentWeights& weights, const double* warm, const Parts& s, double* values) const noexcept {
        std::fill_n(values, pattern_.columns.size() * dim * dim, 0.0);
        for (std::size_t e = 0; e < cells_at_.size(); ++e) {
            std::copy_n(s.values + e * dim * dim, dim * dim,
                        values + static_cast<std::size_t>(cells_at_[e]) * dim * dim);
        }
        for (std::size_t p = 0; p < count(); ++p)
            add_patch(p, tangent_of(p, point_of(p, rotations(warm), s), weights), values);
    }

    static void list_numbers(const CorotatedPoint& at, const CorotatedTangent& tangent, double* n) noexcept {
        std::fill_n(n, PatchOperator::kNumbers, 0.0);
        keep(at.r, 1.0, n + PatchNumbers::kR);
        keep(at.cof, 1.0, n + PatchNumbers::kC);
        keep(tangent.turning, 1.0, n + PatchNumbers::kTurning);
        keep(at.f, 1.0, n + PatchNumbers::kF);
        n[PatchNumbers::kMu] = tangent.moduli.mu;
        n[PatchNumbers::kLambda] = tangent.moduli.lambda;
        n[PatchNumbers::kBulk] = tangent.moduli.bulk;
        n[PatchNumbers::kPressing] = tangent.pressure;
    }

    // Both a row's columns and a patch's vertices ascend.
    void add_patch(std::size_t p, const CorotatedTangent& tangent, double* values) const noexcept {
        const auto first = static_cast<std::size_t>(operator_.starts[p]),
                   last = static_cast<std::size_t>(operator_.starts[p + 1]);
        for (std::size_t row = first; row < last; ++row) {
            auto entry = static_cast<std::size_t>(pattern_.starts[static_cast<std::size_t>(operator_.vertices[row])]);
            for (std::size_t column = first; column < last; ++column) {
                while (pattern_.columns[entry] != operator_.vertices[column]) ++entry;
                const Mat3 k = tangent.block(gradient_of(row), gradient_of(column));
                for (int i = 0; i < dim; ++i) {
                    for (int j = 0; j < dim; ++j)
                        values[entry * dim * dim + static_cast<std::size_t>(i * dim + j)] += k(i, j);
                }
            }
        }
    }
    Vec3 gradient_of(std::size_t k) const {
        Vec3 g;
        for (int i = 0; i < dim; ++i) g[i] = operator_.gradients[k * dim + static_cast<std::size_t>(i)];
        return g;
    }

    std::unique_ptr<const ElasticModel> cells_;
    bool exact_;
    std::int32_t corners_;  // of a cell
    BlockCsr pattern_;
    std::vector<AveragedPatch> patches_;
    PatchOperator operator_;  // vertices and gradients of the patches, F - 1 = sum of u g^T
    bool apart_ = false;
    std::vector<std::int32_t> cells_of_;  // patch by patch
    std::vector<std::int32_t> cells_at_;
};

}  // namespace

std::unique_ptr<const ElasticModel> make_corotated_averaged(const Body& body, bool exact, VolumeLaw volume) {
    if (body.mesh().dimension() == 2) return std::make_unique<CorotatedAveraged<2>>(body, exact, volume);
    return std::make_unique<CorotatedAveraged<3>>(body, exact, volume);
}

}  // namespace limber
