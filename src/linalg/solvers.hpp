// Linear solvers for symmetric positive definite systems, prepared once and then only read.
#pragma once

#include "linalg/sparse.hpp"

#include <limber/bytes.hpp>
#include <limber/progress.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace limber {

struct SolveReport {
    int iterations = 0;     ///< 0 for direct solvers
    double residual = 0.0;  ///< |b - A x| / |b|; 0 for direct solvers
    bool converged = true;
};

enum class SolverKind { cholesky, cholesky_float, pcg, gauss_seidel };

struct SolverSettings {
    SolverKind kind = SolverKind::cholesky;
    double tolerance = 1e-10;  ///< of the residual: iterative solvers, and the single-precision factor's refinement
    int max_iterations = 10000;
};

/// Const and shareable; scratch comes from the caller.
class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t scratch_size() const = 0;  ///< doubles
    virtual const char* name() const = 0;          ///< for StepReport::solver: a literal
    /// x holds a first guess (iterative solvers start there) and receives the solution. b and x may not overlap. Never
    /// allocates.
    virtual SolveReport solve(const double* b, double* x, double* scratch) const noexcept = 0;
    /// `count` columns of length size(), one after the other. A direct solver reads its factor once for eight of them.
    /// scratch holds many_scratch_size() doubles on a 32-byte boundary. Throws nothing, allocates nothing.
    virtual void solve_many(const double* b, double* x, std::size_t count, double* scratch) const noexcept {
        for (std::size_t c = 0; c < count; ++c) solve(b + c * size(), x + c * size(), scratch);
    }
    virtual std::size_t many_scratch_size() const { return scratch_size(); }
    virtual std::size_t bytes() const = 0;
    virtual void save(ByteWriter& out) const = 0;
};

/// Throws Error{bad_mesh} when `a` is not positive definite; the message names the first bad pivot's unknown (its index
/// in `a`).
std::unique_ptr<LinearSolver> make_solver(const Csr& a, const SolverSettings& settings, Progress& progress);
std::unique_ptr<LinearSolver> load_solver(ByteReader& in);

/// Largest angular frequency of K u = w^2 M u: block Lanczos to `tolerance` relative, from fixed start vectors.
/// `mass_solver` applies M^-1; `mass` itself is not needed. When `shape` is given it receives the mode (size n, u^T M u
/// = 1).
double largest_frequency(const Csr& k, const LinearSolver& mass_solver, double tolerance = 1e-6,
                         std::vector<double>* shape = nullptr, const Csr* mass = nullptr);

struct ModeSettings {
    int count = 10;                        ///< how many of the lowest; with a bound: at most
    double below = 0.0;                    ///< only those up to this angular frequency [rad/s]; 0 = no bound
    const LinearSolver* solver = nullptr;  ///< of K, when the caller has it already
    bool singular = false;                 ///< K is known to be singular (a free body): factoring it is not even tried
    /// Unknowns in the order in which ties are broken, when signs and bases of repeated frequencies are fixed; empty =
    /// as numbered.
    std::span<const std::int32_t> priority{};
    std::size_t block = 4;    ///< start vectors: frequencies repeated up to this often are found for certain
    std::uint64_t seed = 20;  ///< of the start vectors
};

/// Reproducible: signs, and the basis of frequencies that are equal to working precision, do not depend on how they
/// were found. The first shape of such a group is the one that is largest at one unknown (the group's largest there,
/// positive), the others are zero there, and so on.
struct Eigenpairs {
    std::vector<double> omega;   ///< angular frequencies, ascending [rad/s]; rigid modes come out as 0
    std::vector<double> shapes;  ///< omega.size() columns of length n, M-orthonormal
    /// |K phi - w^2 M phi| / |K phi|, Euclidean norms over the unknowns (rigid modes: over the largest).
    std::vector<double> residual;
    double orthonormality = 0.0;  ///< largest entry of |Phi^T M Phi - 1|
    int rigid = 0;                ///< how many of them are rigid motions; they come first
    int solves = 0;               ///< right-hand sides solved for
};
/// Lowest pairs of K phi = w^2 M phi by shift-invert block Lanczos (blocks, so that repeated frequencies come out
/// complete). K may be singular (free bodies: as many zeros as there are rigid motions). Residuals and orthonormality
/// are computed from K and M afterwards and are below 1e-8; throws Error{unsupported} when they cannot be made so, or
/// when more than `count` modes lie below the bound.
Eigenpairs lowest_modes(const Csr& k, const Csr& m, const ModeSettings& settings, Progress& progress);

}  // namespace limber
