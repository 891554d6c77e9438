// Term: something that acts on a body during a step: inertia, elasticity, damping, loads, live constraints. Newton's
// method knows nothing but a list of them, so that contact or a skeleton is one more entry.
//
// A step has one unknown vector x. Where it balances the body is at u = u_e + du x with the velocity v = v_e + dv x; at
// its end at u_b + end_u x. A term gives there
//     its force            what it adds to the residual r(x) = 0 (a resistance counts as positive) [N]
//     blocks               of the step's matrix dr/dx, in the body's pattern or in couplings() stated at prepare,
//                          or rows of its own, which it eliminates after each linear solve (correct())
//     its value            the energy whose gradient the force is, or how it curves along a correction; friction has
//     none a bound              how much of a correction it lets pass
// Vectors are over all unknowns of the body, prescribed ones included. Terms are const and shareable: what changes lies
// in the state's and the workspace's shares of each.
#pragma once

#include "fem/column_solver.hpp"
#include "fem/step_course.hpp"
#include "linalg/sparse.hpp"

#include <limber/deformer.hpp>
#include <limber/loads.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace limber {

/// What terms know of the step.
struct TermStep {
    const Loads* loads = nullptr;    ///< null: only what acts by itself
    const double* force = nullptr;   ///< external, where the step balances [N]
    const double* base_u = nullptr;  ///< displacements at the step's end for x = 0
    bool moves = true;               ///< false: quasi-static, velocities and accelerations do not count
    double du = 1.0, dv = 0.0;       ///< of u and v, per x
    double end_u = 1.0;              ///< of the displacements at the step's end, per x
    double stiffness_damping = 0.0;  ///< beta [s]
    double duration = 0.0;           ///< of the step; 0 = none [s]
};

/// Where the step balances; v and a count only where it moves.
struct TermPoint {
    const double* u;
    const double* v;
    const double* a;
};

/// A term's share of a State and of a Workspace. `scratch` lives from begin() to read_out() of one step.
struct TermMemory {
    double* state = nullptr;
    std::int32_t* marks = nullptr;
    double* scratch = nullptr;
    double* spare = nullptr;  ///< two vectors for everybody, whose contents mean nothing between calls
};

/// The step's matrix without what is prescribed; null values: only forces are wanted.
struct TermMatrix {
    double* values = nullptr;
    const BlockCsr* pattern = nullptr;
    bool positive = false;  ///< blocks without negative eigenvalues
    bool cheap = false;     ///< without what is dear and mostly small

    /// The block of two vertices that share a cell or that couplings() name.
    double* block(std::int32_t row, std::int32_t column) const noexcept;
};

/// Sums over all terms.
struct TermSum {
    double* residual;
    double* gradient;       ///< the part of the residual that is the gradient of `energy` (over u)
    double energy = 0.0;    ///< [J]
    double scale = 0.0;     ///< of the forces in the residual [N]
    double rounding = 0.0;  ///< what the residual cannot fall below [N]
};

/// How a step that goes downhill may judge a term.
enum class TermValue : std::uint8_t {
    idle,       ///< it does not act in this step
    energy,     ///< by its energy
    quadratic,  ///< by slope and curvature(): exact, or with what depends on the displacements held still
    none        ///< by the residual alone
};

/// For terms with rows of their own.
struct TermCorrection {
    const double* x;       ///< before the correction
    bool fresh;            ///< the matrix is another than in the last call of this step
    ColumnSolver& solver;  ///< with the matrix of the last linearisation
    double* dx;            ///< solves the system without these rows; in and out
};

class Term {
public:
    virtual ~Term() = default;
    virtual const char* name() const = 0;

    virtual std::size_t state_reals() const { return 0; }
    virtual std::size_t state_marks() const { return 0; }
    virtual std::size_t scratch_size() const { return 0; }  ///< doubles
    virtual void rest(TermMemory /*own*/) const noexcept {}
    /// A term that works in another one's memory, which comes before it in the list; null = in its own.
    virtual const Term* memory_of() const { return nullptr; }
    /// Pairs of vertices that share no cell and whose blocks it fills.
    virtual std::vector<std::array<std::int32_t, 2>> couplings() const { return {}; }

    // A step in time
    virtual bool fits(const Loads& /*loads*/) const noexcept { return true; }
    /// Before a run of sub-steps.
    virtual void begin(const Loads& /*loads*/, const double* /*u*/, const double* /*v*/,
                       TermMemory /*own*/) const noexcept {}
    /// Before each; `a`: accelerations before it.
    virtual void aim(const Loads& /*loads*/, StepMoment /*end*/, const double* /*a*/,
                     TermMemory /*own*/) const noexcept {}
    /// After each; `v` and `a` (null = leave it) may be changed where an average over the step would let them ring.
    virtual void settle(const TermStep& /*step*/, double* /*v*/, double* /*a*/, TermMemory /*own*/) const noexcept {}
    /// After the last; `u`: where it balanced.
    virtual void read_out(const TermStep& /*step*/, const double* /*u*/, TermMemory /*own*/) const noexcept {}

    // One balance
    virtual TermValue value(const TermStep& step) const noexcept = 0;
    /// Adds its force, and its blocks where a matrix is wanted. The list's first term sets the matrix and the gradient,
    /// all others add to them.
    virtual void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
                     TermSum& sum) const noexcept = 0;
    /// dx^T (dr/dx) dx of a quadratic one; `u`: where the search begins.
    virtual double curvature(const TermStep& /*step*/, const double* /*u*/, const double* /*dx*/,
                             TermMemory /*own*/) const noexcept {
        return 0.0;
    }
    /// The share of a correction, at most 1, that may be taken.
    virtual double bound(const TermStep& /*step*/, const TermPoint& /*at*/, const double* /*dx*/,
                         TermMemory /*own*/) const noexcept {
        return 1.0;
    }
    /// Rows of its own: finds their forces anew and adds what they change to dx.
    virtual bool has_rows(const TermStep& /*step*/) const noexcept { return false; }
    virtual Trouble correct(const TermStep& /*step*/, const TermCorrection& /*c*/, TermMemory /*own*/) const noexcept {
        return Trouble::none;
    }
};

/// Terms in the order in which their forces are added, and where each one's memory lies.
class TermList {
public:
    explicit TermList(std::vector<std::unique_ptr<const Term>> terms, std::size_t unknowns);

    /// The memory of all of them, one after the other.
    struct Storage {
        double* state = nullptr;
        std::int32_t* marks = nullptr;
        double* scratch = nullptr;
    };
    std::size_t state_reals() const { return reals_; }
    std::size_t state_marks() const { return marks_; }
    std::size_t scratch_size() const { return scratch_; }
    std::size_t count() const { return terms_.size(); }
    const Term& operator[](std::size_t i) const { return *terms_[i]; }
    TermMemory memory(std::size_t i, const Storage& all) const noexcept;

    /// f(term, its memory) for each
    template <class F>
    void each(const Storage& all, F&& f) const {
        for (std::size_t i = 0; i < terms_.size(); ++i) f(*terms_[i], memory(i, all));
    }
    bool fits(const Loads& loads) const noexcept;
    std::size_t count_of(const TermStep& step, TermValue value) const noexcept;
    bool any(const TermStep& step, TermValue value) const noexcept { return count_of(step, value) > 0; }
    bool has_rows(const TermStep& step) const noexcept;

private:
    struct Offset {
        std::size_t state = 0, marks = 0, scratch = 0;
    };
    std::vector<std::unique_ptr<const Term>> terms_;
    std::vector<Offset> offsets_;
    std::size_t reals_ = 0, marks_ = 0, scratch_ = 0, unknowns_;
};

}  // namespace limber
