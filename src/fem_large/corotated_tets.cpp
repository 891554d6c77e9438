// Tet4 bodies: cells in batches of eight, then every vertex gathers its forces and every entry of the matrix its
// blocks. Nothing is scattered, so threads never meet and sums always run in the same order.
#include "fem_large/corotated.hpp"

#include "core/parallel.hpp"
#include "fem/assembly.hpp"
#include "fem_large/corotated_parts.hpp"
#include "kernels/corotated.hpp"
#include "linalg/aligned.hpp"

#include <array>

namespace limber {
namespace {

constexpr std::size_t kLanes = kTetBatch, kBatchesAtOnce = 32, kVerticesAtOnce = 512, kEntriesAtOnce = 512;

struct Entry {
    std::int32_t here, there;  // blocks (i, j) and (j, i) of the pattern
    std::int32_t first;        // of its pairs
};

class CorotatedTets final : public ElasticModel {
public:
    /// `share`: what averages around vertices leave to the cells (trace).
    CorotatedTets(const Body& body, bool exact, VolumeLaw volume, bool share = false)
        : body_(body),
          exact_(exact),
          determinant_(volume == VolumeLaw::determinant),
          cells_(body.mesh().cell_count()),
          pattern_(cell_pattern(body.mesh())) {
        pattern_.values = {};
        share_ = viscosity_shares(body);
        for (std::size_t c = 0; c < cells_; ++c) {
            const Material& m = body.material_of(c);
            moduli_.push_back(share ? cell_share_of(m) : LameModuli{m.lame_lambda(), m.shear()});
        }
        make_batches();
        make_lists();
    }

    std::size_t warm_size() const override { return 4 * kLanes * batches(); }
    void warm_start(double* warm) const noexcept override {
        std::fill_n(warm, warm_size(), 0.0);
        for (std::size_t b = 0; b < batches(); ++b) std::fill_n(warm + 4 * kLanes * b, kLanes, 1.0);
    }
    std::size_t scratch_size() const override {
        return kLanes * batches() * (24 + 4 * kTetCorner + 2 + (exact_ ? 18 : 0)) + batches() / kBatchesAtOnce + 1 + 8;
    }  // 8: to begin on a line of the cache
    const BlockCsr& pattern() const override { return pattern_; }
    bool exact_tangent() const override { return exact_; }
    std::size_t bytes() const override {
        return sizeof(double) * (gradients_.size() + lame_.size() + share_.size()) +
               sizeof(LameModuli) * moduli_.size() + sizeof(Entry) * entries_.size() + sizeof(TetPair) * pairs_.size() +
               sizeof(std::int32_t) * (corners_.size() + around_starts_.size() + around_.size() +
                                       pattern_.columns.size() + pattern_.starts.size());
    }

    double energy(const double* u, double* warm, double* scratch) const noexcept override {
        return run(u, nullptr, warm, Parts(*this, scratch), false);
    }

    double gradient(const double* u, double* warm, double* force, double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double energy = run(u, nullptr, warm, s, false);
        gather_forces(s.force, force);
        return energy;
    }

    double gradient_moving(const double* u, const double* v, double* warm, double* force, double* damping,
                           double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double energy = run(u, v, warm, s, false);
        gather_forces(s.force, force);
        gather_forces(s.damping, damping);
        return energy;
    }

    double linearise(const double* u, const TangentWeights& weights, double* warm, double* force, double* values,
                     double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double energy = run(u, nullptr, warm, s, true);
        gather_forces(s.force, force);
        fill_matrix(u, weights, warm, s, values);
        return energy;
    }

    double linearise_moving(const double* u, const double* v, const TangentWeights& weights, double* warm,
                            double* force, double* damping, double* values, double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        const double energy = run(u, v, warm, s, true);
        gather_forces(s.force, force);
        gather_forces(s.damping, damping);
        fill_matrix(u, weights, warm, s, values);
        return energy;
    }

    void viscous(const double* u, const double* v, double* warm, double* force,
                 double* scratch) const noexcept override {
        const Parts s(*this, scratch);
        parallel_blocks(batches(), kBatchesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            alignas(64) double f[9 * kLanes];
            for (std::size_t b = begin; b < end; ++b) {
                turn(b, u, warm, f);
                damp(b, f, v, warm, s.damping);
            }
        });
        gather_forces(s.damping, force);
    }

    void cell_stress(const double* u, const double* warm, std::span<SymMat3> out) const noexcept override {
        for (std::size_t c = 0; c < cells_; ++c) {
            alignas(64) double f[9 * kLanes], q[4 * kLanes];
            std::copy_n(warm + 4 * kLanes * (c / kLanes), 4 * kLanes, q);
            turn_batch(c / kLanes, u, q, f);
            const Quat own = quaternion(c % kLanes, q);
            const Mat3 strain = strain_of(gradient_in(f, c % kLanes), own);
            const LameModuli& m = moduli_[c];
            out[c] = turned_stress(to_matrix(own), strain, determinant_ ? 0.0 : m.lambda * trace_of(strain),
                                   determinant_ ? m.lambda * volume_change(strain) : 0.0, m.mu);
        }
    }

    std::int32_t inverted_cell(const double* u) const noexcept override {
        alignas(64) double f[9 * kLanes];
        for (std::size_t b = 0; b < batches(); ++b) {
            kernels().gradient(batch(b), u, f);
            for (std::size_t c = 0; c < kLanes && kLanes * b + c < cells_; ++c)
                if (!(determinant(deformation_in(f, c)) > 0.0)) return static_cast<std::int32_t>(kLanes * b + c);
        }
        return -1;
    }

private:
    struct Parts {
        Parts(const CorotatedTets& m, double* anywhere) {
            double* p = on_cache_line(anywhere);
            const std::size_t n = kLanes * m.batches();
            force = p;
            damping = force + 12 * n;
            corners = damping + 12 * n;
            lame = corners + 4 * kTetCorner * n;
            turning = lame + 2 * n;
            sums = turning + (m.exact_ ? 18 * n : 0);
        }
        double *force, *damping, *corners, *lame, *turning, *sums;  // per cell: 12, 12, 32, 2, 18
    };

    std::size_t batches() const { return (cells_ + kLanes - 1) / kLanes; }
    TetBatch batch(std::size_t b) const {
        return {corners_.data() + 4 * kLanes * b, gradients_.data() + 9 * kLanes * b, lame_.data() + 2 * kLanes * b};
    }
    static const CorotatedKernels& kernels() { return corotated_kernels(); }
    static Mat3 gradient_in(const double* f, std::size_t lane) {
        Mat3 m;
        for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = f[kLanes * static_cast<std::size_t>(k) + lane];
        return m;
    }
    static Mat3 deformation_in(const double* f, std::size_t lane) { return deformation(gradient_in(f, lane)); }
    Mat3 deformation_of(std::size_t c, const double* u) const {
        alignas(64) double f[9 * kLanes];
        kernels().gradient(batch(c / kLanes), u, f);
        return deformation_in(f, c % kLanes);
    }
    static Quat quaternion(std::size_t c, const double* warm) {
        const double* q = warm + 4 * kLanes * (c / kLanes) + c % kLanes;
        return {q[0], q[kLanes], q[2 * kLanes], q[3 * kLanes]};
    }

    // Cells short of a full batch repeat the last one, without stiffness.
    void make_batches() {
        const Mesh& mesh = body_.mesh();
        corners_.resize(4 * kLanes * batches());
        gradients_ = AlignedArray(9 * kLanes * batches());
        lame_ = AlignedArray(2 * kLanes * batches());
        std::array<Vec3, kMaxCorners> g{};
        for (std::size_t i = 0; i < kLanes * batches(); ++i) {
            const std::size_t c = std::min(i, cells_ - 1), b = i / kLanes, lane = i % kLanes;
            const double volume = physical_gradients(mesh, c, reference_centre(mesh.kind), g.data()) / 6.0;
            for (std::size_t a = 0; a < 4; ++a) corners_[kLanes * (4 * b + a) + lane] = mesh.cell(c)[a];
            for (std::size_t k = 0; k < 9; ++k)
                gradients_.data()[kLanes * (9 * b + k) + lane] = g[k / 3 + 1][static_cast<int>(k % 3)];
            if (i >= cells_) continue;
            lame_.data()[2 * kLanes * b + lane] = volume * moduli_[c].lambda;
            lame_.data()[2 * kLanes * b + kLanes + lane] = volume * moduli_[c].mu;
        }
    }

    void make_lists() {
        const Mesh& mesh = body_.mesh();
        std::vector<std::vector<std::int32_t>> around(mesh.vertices.size());
        for (std::size_t c = 0; c < cells_; ++c) {
            for (std::size_t a = 0; a < 4; ++a)
                around[static_cast<std::size_t>(mesh.cell(c)[a])].push_back(static_cast<std::int32_t>(4 * c + a));
        }
        for (const auto& list : around) {
            around_.insert(around_.end(), list.begin(), list.end());
            around_starts_.push_back(static_cast<std::int32_t>(around_.size()));
        }
        std::vector<std::vector<TetPair>> pairs(mesh.vertices.size());  // of one row, by position in it
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) add_row(i, around[i], pairs);
        entries_.push_back({-1, -1, static_cast<std::int32_t>(pairs_.size())});
    }

    void add_row(std::size_t i, const std::vector<std::int32_t>& around, std::vector<std::vector<TetPair>>& pairs) {
        for (const std::int32_t corner : around) {
            for (std::int32_t b = 0; b < 4; ++b) {
                const std::int32_t j = body_.mesh().cell(static_cast<std::size_t>(corner / 4))[b];
                if (j >= static_cast<std::int32_t>(i))
                    pairs[static_cast<std::size_t>(j)].push_back({corner, corner / 4 * 4 + b});
            }
        }
        for (std::int32_t e = pattern_.starts[i]; e < pattern_.starts[i + 1]; ++e) {
            const auto j = static_cast<std::size_t>(pattern_.columns[static_cast<std::size_t>(e)]);
            if (j < i) continue;
            const auto begin = pattern_.columns.begin() + pattern_.starts[j],
                       end = pattern_.columns.begin() + pattern_.starts[j + 1];
            entries_.push_back({e,
                                static_cast<std::int32_t>(std::lower_bound(begin, end, static_cast<std::int32_t>(i)) -
                                                          pattern_.columns.begin()),
                                static_cast<std::int32_t>(pairs_.size())});
            pairs_.insert(pairs_.end(), pairs[j].begin(), pairs[j].end());
            pairs[j].clear();
        }
    }

    // f = F - 1 and the rotations of a batch; what Newton's method cannot do is left to the eigenvectors.
    void turn(std::size_t b, const double* u, double* warm, double* f) const noexcept {
        turn_batch(b, u, warm + 4 * kLanes * b, f);
    }
    void turn_batch(std::size_t b, const double* u, double* q, double* f) const noexcept {
        kernels().gradient(batch(b), u, f);
        const unsigned bad = kernels().rotate_batch(f, q);
        for (std::size_t c = 0; bad != 0 && c < kLanes; ++c) {
            if ((bad >> c & 1u) == 0) continue;
            const Quat found = nearest_rotation(deformation_in(f, c), quaternion(c, q));
            q[c] = found.w;
            q[kLanes + c] = found.x;
            q[2 * kLanes + c] = found.y;
            q[3 * kLanes + c] = found.z;
        }
    }

    // Forces of a batch as twelve numbers per cell.
    static void spread(std::size_t b, const double* forces, double* out) noexcept {
        for (std::size_t c = 0; c < kLanes; ++c) {
            double* to = out + 12 * (kLanes * b + c);
            for (std::size_t i = 0; i < 3; ++i) {
                const double f1 = forces[kLanes * i + c], f2 = forces[kLanes * (3 + i) + c],
                             f3 = forces[kLanes * (6 + i) + c];
                to[i] = -(f1 + f2 + f3);
                to[3 + i] = f1;
                to[6 + i] = f2;
                to[9 + i] = f3;
            }
        }
    }

    // Damping forces of a batch that has been turned.
    void damp(std::size_t b, const double* f, const double* v, const double* warm, double* out) const noexcept {
        alignas(64) double dv[9 * kLanes], forces[9 * kLanes];
        kernels().gradient(batch(b), v, dv);
        (determinant_ ? kernels().damp_volume : kernels().damp)(batch(b), f, dv, warm + 4 * kLanes * b, forces);
        spread(b, forces, out);
        for (std::size_t c = kLanes * b; c < std::min(kLanes * (b + 1), cells_); ++c)
            for (std::size_t k = 0; k < 12 && share_[c] != 1.0; ++k) out[12 * c + k] *= share_[c];
    }

    // Rotations, forces and energy of all cells; with v also what damps it; for a matrix also the turned gradients.
    double run(const double* u, const double* v, double* warm, const Parts& s, bool matrix) const noexcept {
        parallel_blocks(batches(), kBatchesAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
            alignas(64) double f[9 * kLanes], forces[9 * kLanes], turned[9 * kLanes], pushed[9 * kLanes],
                energies[kLanes];
            double sum = 0.0;
            for (std::size_t b = begin; b < end; ++b) {
                turn(b, u, warm, f);
                if (determinant_)
                    kernels().respond_volume(batch(b), f, warm + 4 * kLanes * b, forces, energies, turned, pushed);
                else
                    kernels().respond(batch(b), f, warm + 4 * kLanes * b, forces, energies, turned);
                for (std::size_t c = 0; c < kLanes; c += 4)
                    sum += (energies[c] + energies[c + 1]) + (energies[c + 2] + energies[c + 3]);
                spread(b, forces, s.force);
                if (matrix)
                    kernels().spread(turned, determinant_ ? pushed : turned, s.corners + 4 * kTetCorner * kLanes * b);
                if (v != nullptr) damp(b, f, v, warm, s.damping);
            }
            s.sums[block] = sum;
        });
        double energy = 0.0;
        for (std::size_t k = 0; k * kBatchesAtOnce < batches(); ++k) energy += s.sums[k];
        return energy;
    }

    void fill_matrix(const double* u, const TangentWeights& weights, const double* warm, const Parts& s,
                     double* values) const noexcept {
        for (std::size_t c = 0; c < cells_; ++c) {
            const double weight = weights.stiffness + weights.viscosity * share_[c];
            for (std::size_t k = 0; k < 2; ++k)
                s.lame[2 * c + k] = weight * lame_.data()[kLanes * (2 * (c / kLanes) + k) + c % kLanes];
        }
        const auto block = kernels().block;
        const bool exact = exact_ && !weights.cheap;
        if (exact) find_turning(u, weights, warm, s);
        parallel_blocks(
            entries_.size() - 1, kEntriesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                for (std::size_t e = begin; e < end; ++e) {
                    const Entry& at = entries_[e];
                    double* to = values + 9 * static_cast<std::size_t>(at.here);
                    block(pairs_.data() + at.first, static_cast<std::size_t>(entries_[e + 1].first - at.first),
                          s.corners, s.lame, to);
                    if (exact) add_turning(at.first, entries_[e + 1].first, s, to);
                    if (at.here == at.there) continue;
                    double* mirror = values + 9 * static_cast<std::size_t>(at.there);
                    for (std::size_t i = 0; i < 3; ++i)
                        for (std::size_t j = 0; j < 3; ++j) mirror[3 * j + i] = to[3 * i + j];
                }
            });
    }

    void gather_forces(const double* from, double* force) const noexcept {
        parallel_blocks(around_starts_.size() - 1, kVerticesAtOnce,
                        [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                            for (std::size_t v = begin; v < end; ++v) {
                                double sum[3] = {};
                                for (auto k = static_cast<std::size_t>(around_starts_[v]);
                                     k < static_cast<std::size_t>(around_starts_[v + 1]); ++k) {
                                    const double* f = from + 3 * static_cast<std::size_t>(around_[k]);
                                    for (std::size_t i = 0; i < 3; ++i) sum[i] += f[i];
                                }
                                for (std::size_t i = 0; i < 3; ++i) force[3 * v + i] = sum[i];
                            }
                        });
    }

    void find_turning(const double* u, const TangentWeights& weights, const double* warm,
                      const Parts& s) const noexcept {
        parallel_blocks(cells_, kLanes * kBatchesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t c = begin; c < end; ++c) {
                const Mat3 stretch = deformation_of(c, u) * transpose(to_matrix(quaternion(c, warm)));
                const double* lame = lame_.data() + 2 * kLanes * (c / kLanes) + c % kLanes;
                const double v_lambda = weights.stiffness * lame[0];
                const Mat3 k = turning_stiffness(stretch, determinant_ ? 0.0 : v_lambda,
                                                 weights.stiffness * lame[kLanes], weights.positive);
                const Mat3 p = scaled(
                    stretch, determinant_ && !weights.positive ? v_lambda * (determinant(stretch) - 1.0) : 0.0);
                for (int i = 0; i < 9; ++i) {
                    s.turning[18 * c + static_cast<std::size_t>(i)] = k(i / 3, i % 3),
                                       s.turning[18 * c + 9 + static_cast<std::size_t>(i)] = p(i / 3, i % 3);
                }
            }
        });
    }

    // Sum of [h_a]_x^T C [h_b]_x, and of what pressure does as cof F changes: -[P (h_a x h_b)]_x, P = V lambda (det F -
    // 1) times the left stretch.
    void add_turning(std::int32_t first, std::int32_t last, const Parts& s, double* block) const noexcept {
        for (std::int32_t k = first; k < last; ++k) {
            const TetPair& pair = pairs_[static_cast<std::size_t>(k)];
            const double *h = s.corners + kTetCorner * static_cast<std::size_t>(pair.a),
                         *g = s.corners + kTetCorner * static_cast<std::size_t>(pair.b);
            const double *c = s.turning + 18 * static_cast<std::size_t>(pair.a / 4), *p = c + 9;
            const Vec3 a{h[0], h[1], h[2]}, b{g[0], g[1], g[2]};
            const Mat3 middle{{{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}, {c[6], c[7], c[8]}}}},
                pressure{{{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}}};
            const Mat3 sum = transpose(crossing(a)) * middle * crossing(b), push = crossing(pressure * cross(a, b));
            for (int i = 0; i < 9; ++i) block[i] += sum(i / 3, i % 3) - push(i / 3, i % 3);
        }
    }
    static Mat3 crossing(const Vec3& a) { return {{{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}}}; }

    const Body& body_;
    bool exact_, determinant_;
    std::size_t cells_;
    BlockCsr pattern_;
    std::vector<double> share_;
    std::vector<LameModuli> moduli_;
    std::vector<std::int32_t> corners_;
    AlignedArray gradients_, lame_;                        // in batches
    std::vector<std::int32_t> around_starts_{0}, around_;  // per vertex: corners of cells (4 cell + corner)
    std::vector<Entry> entries_;                           // of the upper half, one more at the end
    std::vector<TetPair> pairs_;
};

}  // namespace

std::unique_ptr<const ElasticModel> make_corotated_tets(const Body& body, bool exact_tangent, VolumeLaw volume) {
    return std::make_unique<CorotatedTets>(body, exact_tangent, volume);
}

std::unique_ptr<const ElasticModel> make_corotated_tet_shares(const Body& body, bool exact_tangent) {
    return std::make_unique<CorotatedTets>(body, exact_tangent, VolumeLaw::trace, true);
}

}  // namespace limber
