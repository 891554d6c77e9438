// One rotation per vertex [after Müller et al. 2002]: the assembled rows stay as they are, f_i = R_i sum_j K_ij (R_i^T
// x_j - X_j). Rows that turn differently no longer push and pull in pairs: there is no energy behind these forces, and
// their sum is not zero.
#include "fem_large/corotated.hpp"

#include "core/parallel.hpp"
#include "fem/assembly.hpp"
#include "fem_large/corotated_parts.hpp"

namespace limber {
namespace {

constexpr std::size_t kRowsAtOnce = 256;

template <int dim>
class CorotatedVertices final : public ElasticModel {
public:
    CorotatedVertices(const Body& body, Integration integration)
        : body_(body),
          cells_(make_corotated_cells(body, integration, false, VolumeLaw::trace)),
          cells_rest_(cells_->warm_size()) {
        cells_->warm_start(cells_rest_.data());
        Progress silent;
        AssemblySettings settings;
        settings.integration = integration;
        settings.mass = MassKind::lumped;
        pattern_ = assemble(body, settings, silent).stiffness;
        stiffness_.swap(pattern_.values);
        make_weights();
    }

    std::size_t warm_size() const override { return 4 * pattern_.rows(); }
    void warm_start(double* warm) const noexcept override { rest_quaternions(warm, pattern_.rows()); }
    std::size_t scratch_size() const override { return pattern_.rows(); }
    const BlockCsr& pattern() const override { return pattern_; }
    bool exact_tangent() const override { return false; }
    bool has_energy() const override { return false; }
    std::size_t bytes() const override {
        return cells_->bytes() + sizeof(double) * (stiffness_.size() + weights_.size()) +
               sizeof(std::int32_t) * (pattern_.columns.size() + pattern_.starts.size());
    }

    /// What the pairs hold: - 1/4 sum of d_ij . K_ij d_ij, the elastic energy where all rotations agree.
    double energy(const double* u, double* warm, double* scratch) const noexcept override {
        find_rotations(u, warm);
        return rows(scratch, [&](std::size_t i) noexcept { return row(i, u, warm, nullptr); });
    }
    double gradient(const double* u, double* warm, double* force, double* scratch) const noexcept override {
        find_rotations(u, warm);
        return rows(scratch, [&](std::size_t i) noexcept { return row(i, u, warm, force + i * dim); });
    }

    // (R_i K_ij R_i^T + R_j K_ij R_j^T) / 2, symmetric; where it must be positive R_i K_ij R_j^T, which is K seen from
    // turned axes.
    double linearise(const double* u, const TangentWeights& weights, double* warm, double* force, double* values,
                     double* scratch) const noexcept override {
        const double energy = gradient(u, warm, force, scratch), weight = weights.stiffness + weights.viscosity;
        rows(scratch, [&](std::size_t i) noexcept {
            const Mat3 own = rotation(i, warm);
            for (auto e = static_cast<std::size_t>(pattern_.starts[i]);
                 e < static_cast<std::size_t>(pattern_.starts[i + 1]); ++e) {
                const Mat3 other = rotation(static_cast<std::size_t>(pattern_.columns[e]), warm), k = block(e);
                const Mat3 a = weights.positive
                                   ? own * k * transpose(other)
                                   : scaled(sum_of(own * k * transpose(own), other * k * transpose(other)), 0.5);
                for (int p = 0; p < dim; ++p) {
                    for (int q = 0; q < dim; ++q) {
                        values[(e * dim + static_cast<std::size_t>(p)) * dim + static_cast<std::size_t>(q)] = weight *
                                                                                                              a(p, q);
                    }
                }
            }
            return 0.0;
        });
        return energy;
    }

    void viscous(const double* u, const double* v, double* warm, double* force,
                 double* scratch) const noexcept override {
        find_rotations(u, warm);
        rows(scratch, [&](std::size_t i) noexcept {
            const Mat3 own = rotation(i, warm);
            Vec3 sum;
            for (auto e = static_cast<std::size_t>(pattern_.starts[i]);
                 e < static_cast<std::size_t>(pattern_.starts[i + 1]); ++e) {
                const auto j = static_cast<std::size_t>(pattern_.columns[e]);
                const Mat3 other = rotation(j, warm), k = block(e);
                const Vec3 d = at(v, j) - at(v, i);
                sum += 0.5 * (own * (k * (transpose(own) * d)) + other * (k * (transpose(other) * d)));
            }
            for (int p = 0; p < dim; ++p) force[i * dim + static_cast<std::size_t>(p)] = sum[p];
            return 0.0;
        });
    }

    void cell_stress(const double* u, const double*, std::span<SymMat3> out) const noexcept override {
        cells_->cell_stress(u, cells_rest_.data(), out);
    }
    std::int32_t inverted_cell(const double* u) const noexcept override { return cells_->inverted_cell(u); }

private:
    template <class F>
    double rows(double* scratch, F&& f) const noexcept {
        parallel_blocks(pattern_.rows(), kRowsAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t i = begin; i < end; ++i) scratch[i] = f(i);
        });
        double sum = 0.0;
        for (std::size_t i = 0; i < pattern_.rows(); ++i) sum += scratch[i];
        return sum;
    }
    static Vec3 at(const double* p, std::size_t i) {
        return dim == 3 ? Vec3{p[i * dim], p[i * dim + 1], p[i * dim + dim - 1]}
                        : Vec3{p[i * dim], p[i * dim + 1], 0.0};
    }
    static Quat quaternion(std::size_t i, const double* warm) {
        return {warm[4 * i], warm[4 * i + 1], warm[4 * i + 2], warm[4 * i + 3]};
    }
    static Mat3 rotation(std::size_t i, const double* warm) { return to_matrix(quaternion(i, warm)); }
    Mat3 block(std::size_t e) const {
        Mat3 k;
        for (int p = 0; p < dim; ++p) {
            for (int q = 0; q < dim; ++q)
                k(p, q) = stiffness_[(e * dim + static_cast<std::size_t>(p)) * dim + static_cast<std::size_t>(q)];
        }
        return k;
    }

    // A vertex's deformation is the mean of the cells around it, by volume: linear in the displacements of its
    // neighbours.
    void make_weights() {
        const Mesh& mesh = body_.mesh();
        const int corners = corners_of(mesh.kind);
        std::vector<double> volume(pattern_.rows(), 0.0);
        weights_.assign(pattern_.columns.size() * dim, 0.0);
        std::array<Vec3, kMaxCorners> g{};
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            const double v = physical_gradients(mesh, c, reference_centre(mesh.kind), g.data());
            for (int a = 0; a < corners; ++a) {
                const auto i = static_cast<std::size_t>(mesh.cell(c)[a]);
                volume[i] += v;
                for (int b = 0; b < corners; ++b) {
                    const auto begin = pattern_.columns.begin() + pattern_.starts[i],
                               end = pattern_.columns.begin() + pattern_.starts[i + 1];
                    const auto e = static_cast<std::size_t>(std::lower_bound(begin, end, mesh.cell(c)[b]) -
                                                            pattern_.columns.begin());
                    for (int k = 0; k < dim; ++k)
                        weights_[e * dim + static_cast<std::size_t>(k)] += v * g[static_cast<std::size_t>(b)][k];
                }
            }
        }
        for (std::size_t i = 0; i < pattern_.rows(); ++i) {
            for (auto e = static_cast<std::size_t>(pattern_.starts[i]);
                 e < static_cast<std::size_t>(pattern_.starts[i + 1]); ++e) {
                for (std::size_t k = 0; k < dim && volume[i] > 0.0; ++k) weights_[e * dim + k] /= volume[i];
            }
        }
    }

    void find_rotations(const double* u, double* warm) const noexcept {
        parallel_blocks(pattern_.rows(), kRowsAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t i = begin; i < end; ++i) {
                Mat3 f = Mat3::identity();
                for (auto e = static_cast<std::size_t>(pattern_.starts[i]);
                     e < static_cast<std::size_t>(pattern_.starts[i + 1]); ++e) {
                    const double* moved = u + static_cast<std::size_t>(pattern_.columns[e]) * dim;
                    for (int p = 0; p < dim; ++p) {
                        for (int q = 0; q < dim; ++q)
                            f(p, q) += moved[p] * weights_[e * dim + static_cast<std::size_t>(q)];
                    }
                }
                const Quat found = dim == 3 ? nearest_rotation(f, quaternion(i, warm))
                                            : nearest_rotation_in_plane(f, quaternion(i, warm));
                warm[4 * i] = found.w, warm[4 * i + 1] = found.x, warm[4 * i + 2] = found.y, warm[4 * i + 3] = found.z;
            }
        });
    }

    double row(std::size_t i, const double* u, const double* warm, double* force) const noexcept {
        const Mat3 turn_back = transpose(turn_of(quaternion(i, warm)));
        const std::vector<Vec3>& rest = body_.mesh().vertices;
        Vec3 sum;
        double energy = 0.0;
        for (auto e = static_cast<std::size_t>(pattern_.starts[i]);
             e < static_cast<std::size_t>(pattern_.starts[i + 1]); ++e) {
            const auto j = static_cast<std::size_t>(pattern_.columns[e]);
            const Vec3 moved = at(u, j) - at(u, i), d = moved + turn_back * (moved + (rest[j] - rest[i])),
                       f = block(e) * d;
            sum += f;
            energy -= 0.25 * dot(d, f);
        }
        if (force == nullptr) return energy;
        const Vec3 turned = rotation(i, warm) * sum;
        for (int p = 0; p < dim; ++p) force[p] = turned[p];
        return energy;
    }

    const Body& body_;
    std::unique_ptr<const ElasticModel> cells_;  // for stress
    std::vector<double> cells_rest_;
    BlockCsr pattern_;
    std::vector<double> stiffness_, weights_;  // per entry: a block, and what u_j adds to F_i
};

}  // namespace

std::unique_ptr<const ElasticModel> make_corotated_vertices(const Body& body, Integration integration) {
    if (body.mesh().dimension() == 2) return std::make_unique<CorotatedVertices<2>>(body, integration);
    return std::make_unique<CorotatedVertices<3>>(body, integration);
}

}  // namespace limber
