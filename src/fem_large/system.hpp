// ElasticSystem: M a + alpha M v + beta D(u) v + g(u) = f over all unknowns of a body, some of them prescribed.
#pragma once

#include "fem/supports.hpp"
#include "fem_large/model.hpp"
#include "fem_large/settings.hpp"

#include <limber/progress.hpp>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace limber {

class ElasticSystem {
public:
    /// `couplings`: pairs of vertices whose blocks the pattern has beside the model's.
    ElasticSystem(const Body& body, std::unique_ptr<const ElasticModel> model, const AssemblySettings& settings,
                  std::span<const std::array<std::int32_t, 2>> couplings, Progress& progress);

    const ElasticModel& model() const { return *model_; }
    const Supports& supports() const { return supports_; }
    /// Of the step's matrix: the model's, with couplings where there are any.
    const BlockCsr& pattern() const { return coupled_at_.empty() ? model_->pattern() : coupled_; }
    std::size_t value_count() const { return pattern().columns.size() * block2(); }
    /// The model's linearise() in that pattern; `model_values`: scratch_values() doubles.
    double linearise(const double* u, const double* v, const TangentWeights& weights, double* warm, double* force,
                     double* damping, double* values, double* model_values, double* model_scratch) const noexcept;
    std::size_t scratch_values() const { return coupled_at_.empty() ? 0 : model_->pattern().columns.size() * block2(); }
    std::size_t size() const { return model_->pattern().size(); }
    int dimension() const { return model_->pattern().block; }
    /// Gravity's share per vertex [kg].
    const std::vector<double>& weight() const { return weight_; }
    double total_mass() const { return total_mass_; }  ///< [kg]
    double beta() const { return beta_; }
    /// |stiffness of each vertex at rest x (its displacement, and beta times its velocity unless beta is 0)| [N]: what
    /// the terms of elastic forces may be as large as before they cancel, so that a rounding error of so many epsilons
    /// of it is in every force.
    double rest_force(const double* u, const double* v, double beta) const noexcept;
    std::size_t bytes() const;

    /// out = M a + alpha M v; either may be null. `scratch`: size() doubles.
    void inertia(const double* a, const double* v, double* out, double* scratch) const noexcept;
    /// values += m M + c alpha M
    void add_mass(double m, double c, double* values) const noexcept;

    /// Decouples the prescribed unknowns: their rows (kept_size() doubles of them, for reactions) go to `kept`, and in
    /// `values` only their diagonal stays.
    std::size_t kept_size() const { return kept_entries_.size() * block2() + apart_size(); }
    void project(double* values, double* kept) const noexcept;
    /// out[p] += (A x)[p] for prescribed unknowns, from the rows kept.
    void add_kept_rows(const double* kept, const double* x, double* out) const noexcept;
    /// Sets the prescribed entries of a vector to zero.
    void clear_prescribed(double* x) const noexcept;
    /// out = A x, of the model's matrix as its own linearise() gives it.
    void multiply_tangent(const double* values, const double* x, double* out) const noexcept;

private:
    std::size_t block2() const { return static_cast<std::size_t>(dimension() * dimension()); }
    std::size_t apart_size() const {
        return model_->apart() != nullptr ? PatchOperator::kNumbers * model_->apart()->count() : 0;
    }
    std::size_t apart_offset(const BlockCsr& in) const { return static_cast<std::size_t>(in.starts.back()) * block2(); }
    const double* apart_numbers(const double* values) const { return values + apart_offset(pattern()); }
    void couple(std::span<const std::array<std::int32_t, 2>> couplings);
    void find_entries();
    void map_mass();
    void find_vertex_stiffness();
    void multiply_mass(const double* x, double* out) const noexcept;

    std::unique_ptr<const ElasticModel> model_;
    Supports supports_;
    BlockCsr coupled_;                      ///< the pattern where something couples vertices that share no cell,
    std::vector<std::int32_t> coupled_at_;  ///< and where each of the model's entries lies in it
    BlockCsr mass_;                         ///< no rows when lumped; without values
    std::vector<double> mass_numbers_;  ///< per entry of mass_: it is the same for all components of a pair of vertices
    std::vector<double> lumped_, weight_;
    double total_mass_ = 0.0;
    std::vector<double> vertex_stiffness_;  ///< at rest: the mean of the diagonal [N/m]
    bool uniform_alpha_ = true;
    double alpha_ = 0.0, beta_ = 0.0;    ///< beta: the largest; the model shares it out among cells
    BlockCsr mass_damping_;              ///< sum of alpha M cell by cell, where alpha differs
    std::vector<std::int32_t> mass_at_;  ///< where each entry of M (diagonal entries when lumped) lies in the pattern
    std::vector<std::int32_t> damping_at_;
    std::vector<std::int32_t> kept_entries_;  ///< entries of the rows with a prescribed unknown, row by row
    struct Coupling {
        std::int32_t entry;
        std::uint8_t rows, columns;
        bool diagonal;
    };
    std::vector<Coupling> couplings_;  ///< blocks with something prescribed in them: bit masks
    std::vector<std::uint8_t> held_;   ///< per block row: bit mask of prescribed components
};

}  // namespace limber
