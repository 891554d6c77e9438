#include "fem_large/system.hpp"

#include "core/assert.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::int32_t entry_of(const BlockCsr& a, std::size_t row, std::int32_t column) {
    const auto begin = a.columns.begin() + a.starts[row], end = a.columns.begin() + a.starts[row + 1];
    const auto it = std::lower_bound(begin, end, column);
    LIMBER_ASSERT(it != end && *it == column);
    return static_cast<std::int32_t>(it - a.columns.begin());
}

std::vector<std::int32_t> entries_in(const BlockCsr& small, const BlockCsr& pattern) {
    std::vector<std::int32_t> at;
    at.reserve(small.columns.size());
    for (std::size_t r = 0; r < small.rows(); ++r) {
        for (std::int32_t e = small.starts[r]; e < small.starts[r + 1]; ++e)
            at.push_back(entry_of(pattern, r, small.columns[static_cast<std::size_t>(e)]));
    }
    return at;
}

// A vertex that no cell uses has a row of its own all the same.
void add_diagonals(const BlockCsr& b, const std::vector<std::int32_t>& at, double s, double* values) noexcept {
    const auto d = static_cast<std::size_t>(b.block), d2 = d * d;
    for (std::size_t e = 0; e < at.size(); ++e) {
        for (std::size_t i = 0; i < d; ++i)
            values[static_cast<std::size_t>(at[e]) * d2 + i * d + i] += s * b.values[e * d2 + i * d + i];
    }
}

}  // namespace

ElasticSystem::ElasticSystem(const Body& body, std::unique_ptr<const ElasticModel> model,
                             const AssemblySettings& settings, std::span<const std::array<std::int32_t, 2>> couplings,
                             Progress& progress)
    : model_(std::move(model)), supports_(body) {
    couple(couplings);
    AssemblySettings mass_only = settings;  // K of the rest shape is not wanted: its cheapest form
    mass_only.integration = Integration::full;
    mass_only.damping = DampingKind::mass_only;
    FemMatrices fem = assemble(body, mass_only, progress);
    mass_ = std::move(fem.mass);
    lumped_ = std::move(fem.lumped);
    weight_ = std::move(fem.weight);
    for (const double m : weight_) total_mass_ += m;
    uniform_alpha_ = fem.uniform_damping;
    alpha_ = uniform_alpha_ ? fem.alpha : 0.0;
    mass_damping_ = std::move(fem.damping);
    if (settings.damping == DampingKind::rayleigh)
        for (const Material& m : body.materials()) beta_ = std::max(beta_, m.rayleigh_beta);
    map_mass();
    find_entries();
    find_vertex_stiffness();
}

void ElasticSystem::couple(std::span<const std::array<std::int32_t, 2>> couplings) {
    if (couplings.empty()) return;
    const BlockCsr& own = model_->pattern();
    std::vector<std::vector<std::int32_t>> more(own.rows());
    for (const auto& [a, b] : couplings) {
        more[static_cast<std::size_t>(a)].push_back(b);
        more[static_cast<std::size_t>(b)].push_back(a);
    }
    coupled_.block = own.block;
    for (std::size_t r = 0; r < own.rows(); ++r) {
        std::vector<std::int32_t>& row = more[r];
        row.insert(row.end(), own.columns.begin() + own.starts[r], own.columns.begin() + own.starts[r + 1]);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        coupled_.columns.insert(coupled_.columns.end(), row.begin(), row.end());
        coupled_.starts.push_back(static_cast<std::int32_t>(coupled_.columns.size()));
    }
    coupled_at_ = entries_in(own, coupled_);
    // Room for what is kept apart, as in the model's own pattern.
    coupled_.columns.insert(coupled_.columns.end(), own.columns.begin() + own.starts.back(), own.columns.end());
}

double ElasticSystem::linearise(const double* u, const double* v, const TangentWeights& weights, double* warm,
                                double* force, double* damping, double* values, double* model_values,
                                double* model_scratch) const noexcept {
    const bool own = coupled_at_.empty();
    double* into = own ? values : model_values;
    const double energy = damping != nullptr
                              ? model_->linearise_moving(u, v, weights, warm, force, damping, into, model_scratch)
                              : model_->linearise(u, weights, warm, force, into, model_scratch);
    if (own) return energy;
    std::fill_n(values, value_count(), 0.0);
    for (std::size_t e = 0; e < coupled_at_.size(); ++e)
        std::copy_n(into + e * block2(), block2(), values + static_cast<std::size_t>(coupled_at_[e]) * block2());
    std::copy_n(into + apart_offset(model_->pattern()), apart_size(), values + apart_offset(coupled_));
    return energy;
}

void ElasticSystem::find_vertex_stiffness() {
    const BlockCsr& a = model_->pattern();
    const auto d = static_cast<std::size_t>(a.block);
    std::vector<double> u(size(), 0.0), force(size()), values(a.columns.size() * block2()), warm(model_->warm_size()),
        scratch(model_->scratch_size());
    model_->warm_start(warm.data());
    model_->linearise(u.data(), {}, warm.data(), force.data(), values.data(), scratch.data());
    for (std::size_t r = 0; r < a.rows(); ++r) {
        double* block = values.data() +
                        static_cast<std::size_t>(entry_of(a, r, static_cast<std::int32_t>(r))) * block2();
        if (model_->apart() != nullptr) model_->apart()->add_diagonal(values.data() + apart_offset(a), r, block);
        double sum = 0.0;
        for (std::size_t i = 0; i < d; ++i) sum += block[i * d + i];
        vertex_stiffness_.push_back(sum / static_cast<double>(d));
    }
}

double ElasticSystem::rest_force(const double* u, const double* v, double beta) const noexcept {
    const auto d = static_cast<std::size_t>(dimension());
    double sum = 0.0;
    for (std::size_t r = 0; r < vertex_stiffness_.size(); ++r) {
        double square = 0.0;
        for (std::size_t i = r * d; i < (r + 1) * d; ++i)
            square += u[i] * u[i] + (beta > 0.0 ? beta * beta * v[i] * v[i] : 0.0);
        sum += vertex_stiffness_[r] * vertex_stiffness_[r] * square;
    }
    return std::sqrt(sum);
}

void ElasticSystem::map_mass() {
    if (!uniform_alpha_) damping_at_ = entries_in(mass_damping_, pattern());
    if (mass_.rows() > 0) {
        mass_at_ = entries_in(mass_, pattern());
        for (std::size_t e = 0; e < mass_.columns.size(); ++e) mass_numbers_.push_back(mass_.values[e * block2()]);
        mass_.values = {};
        return;
    }
    for (std::size_t r = 0; r < pattern().rows(); ++r)
        mass_at_.push_back(entry_of(pattern(), r, static_cast<std::int32_t>(r)));
}

void ElasticSystem::find_entries() {
    const BlockCsr& a = pattern();
    const auto d = static_cast<std::size_t>(a.block);
    held_.assign(a.rows(), 0);
    for (const std::int32_t p : supports_.prescribed()) {
        held_[static_cast<std::size_t>(p) / d] = static_cast<std::uint8_t>(held_[static_cast<std::size_t>(p) / d] |
                                                                           (1u << (static_cast<std::size_t>(p) % d)));
    }
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::int32_t e = a.starts[r]; e < a.starts[r + 1]; ++e) {
            const auto c = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)]);
            if (held_[r] != 0) kept_entries_.push_back(e);
            if (held_[r] != 0 || held_[c] != 0) couplings_.push_back({e, held_[r], held_[c], r == c});
        }
    }
}

std::size_t ElasticSystem::bytes() const {
    return model_->bytes() +
           (mass_numbers_.size() + mass_damping_.values.size() + lumped_.size() + weight_.size() +
            vertex_stiffness_.size()) *
               sizeof(double) +
           (mass_at_.size() + damping_at_.size() + kept_entries_.size() + mass_.columns.size()) * sizeof(std::int32_t) +
           couplings_.size() * sizeof(Coupling);
}

void ElasticSystem::multiply_mass(const double* x, double* out) const noexcept {
    constexpr std::size_t kRowsAtOnce = 256;
    const auto d = static_cast<std::size_t>(dimension());
    parallel_blocks(mass_.rows(), kRowsAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            double sum[3] = {};
            for (auto e = static_cast<std::size_t>(mass_.starts[r]); e < static_cast<std::size_t>(mass_.starts[r + 1]);
                 ++e) {
                for (std::size_t i = 0; i < d; ++i)
                    sum[i] += mass_numbers_[e] * x[d * static_cast<std::size_t>(mass_.columns[e]) + i];
            }
            std::copy_n(sum, d, out + d * r);
        }
    });
}

void ElasticSystem::inertia(const double* a, const double* v, double* out, double* scratch) const noexcept {
    const std::size_t n = size();
    const auto d = static_cast<std::size_t>(dimension());
    const bool damps = v != nullptr && alpha_ != 0.0;
    for (std::size_t i = 0; i < n; ++i) scratch[i] = (a != nullptr ? a[i] : 0.0) + (damps ? alpha_ * v[i] : 0.0);
    if (mass_.rows() > 0)
        multiply_mass(scratch, out);
    else
        for (std::size_t i = 0; i < n; ++i) out[i] = lumped_[i / d] * scratch[i];
    if (!uniform_alpha_ && v != nullptr) multiply_add(mass_damping_, 1.0, v, out);
}

void ElasticSystem::add_mass(double m, double c, double* values) const noexcept {
    const double s = m + c * alpha_;
    const auto d = static_cast<std::size_t>(dimension()), d2 = d * d;
    for (std::size_t e = 0; e < mass_numbers_.size(); ++e) {
        for (std::size_t i = 0; i < d; ++i)
            values[static_cast<std::size_t>(mass_at_[e]) * d2 + i * d + i] += s * mass_numbers_[e];
    }
    if (mass_.rows() == 0) {
        for (std::size_t r = 0; r < mass_at_.size(); ++r) {
            for (std::size_t i = 0; i < d; ++i)
                values[static_cast<std::size_t>(mass_at_[r]) * d2 + i * d + i] += s * lumped_[r];
        }
    }
    if (!uniform_alpha_ && c != 0.0) add_diagonals(mass_damping_, damping_at_, c, values);
}

void ElasticSystem::project(double* values, double* kept) const noexcept {
    const auto d = static_cast<std::size_t>(dimension()), d2 = d * d;
    for (std::size_t k = 0; k < kept_entries_.size(); ++k)
        std::copy_n(values + static_cast<std::size_t>(kept_entries_[k]) * d2, d2, kept + k * d2);
    std::copy_n(apart_numbers(values), apart_size(), kept + kept_entries_.size() * d2);
    for (const Coupling& c : couplings_) {
        double* block = values + static_cast<std::size_t>(c.entry) * d2;
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                if ((c.rows >> i & 1u) == 0 && (c.columns >> j & 1u) == 0) continue;
                // Any positive number will do on the diagonal; its own keeps the scale.
                block[i * d + j] = c.diagonal && i == j ? (block[i * d + j] > 0.0 ? block[i * d + j] : 1.0) : 0.0;
            }
        }
    }
}

void ElasticSystem::add_kept_rows(const double* kept, const double* x, double* out) const noexcept {
    const BlockCsr& a = pattern();
    const auto d = static_cast<std::size_t>(dimension());
    std::size_t k = 0;
    for (const std::int32_t row : supports_.rows()) {
        const auto r = static_cast<std::size_t>(row);
        for (std::int32_t e = a.starts[r]; e < a.starts[r + 1]; ++e, ++k) {
            const double* from = x + static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)]) * d;
            for (std::size_t i = 0; i < d; ++i) {
                if ((held_[r] >> i & 1u) == 0) continue;
                for (std::size_t j = 0; j < d; ++j) out[r * d + i] += kept[k * d * d + i * d + j] * from[j];
            }
        }
        if (model_->apart() == nullptr) continue;
        double row_sum[3] = {};
        model_->apart()->add_row(kept + kept_entries_.size() * d * d, r, x, row_sum);
        for (std::size_t i = 0; i < d; ++i) out[r * d + i] += (held_[r] >> i & 1u) != 0 ? row_sum[i] : 0.0;
    }
}

void ElasticSystem::multiply_tangent(const double* values, const double* x, double* out) const noexcept {
    const BlockCsr& own = model_->pattern();
    multiply(own, values, x, out);
    const PatchOperator* apart = model_->apart();
    for (std::size_t v = 0; apart != nullptr && v < own.rows(); ++v)
        apart->add_row(values + apart_offset(own), v, x, out + 3 * v);
}

void ElasticSystem::clear_prescribed(double* x) const noexcept {
    for (const std::int32_t p : supports_.prescribed()) x[p] = 0.0;
}

}  // namespace limber
