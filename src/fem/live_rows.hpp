// LiveRows: the small dense system that live point constraints come down to, one row per axis (or one along the normal
// when unilateral).
#pragma once

#include <limber/deformer.hpp>
#include <limber/loads.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace limber {

inline bool is_on(const PointConstraint& c) { return c.kind != PointConstraint::Kind::off; }

/// Sizes, weights, targets and stiffnesses are ones a body of that many vertices can take.
bool live_fits(std::span<const PointConstraint> live, std::size_t vertices, int capacity) noexcept;

/// Views of one piece of scratch memory; the caller fills matrix and gap.
struct LiveRows {
    /// `size`: of the body [m].
    LiveRows(int slots, double* scratch, double size);
    static std::size_t scratch_size(int slots);

    /// Starts the rows of what is on: slot and direction of each. Normals are turned by `turn`, if there is one.
    void begin(std::span<const PointConstraint> live, int dimension, const Mat3* turn = nullptr) noexcept;
    Vec3 dir(std::size_t i) const { return {direction[3 * i], direction[3 * i + 1], direction[3 * i + 2]}; }
    std::size_t slot_of(std::size_t i) const { return static_cast<std::size_t>(slot[i]); }

    /// Solves for lambda. Bilateral rows always act, a unilateral one only while it pushes; active[slot] remembers
    /// which did. A row that only repeats what others ask for is no conflict.
    Trouble solve(std::span<const PointConstraint> live, std::int32_t* active) noexcept;
    /// Bilateral: matrix lambda = gap over the rows in use, dropping rows that repeat others. False when some were
    /// dropped.
    bool solve_in_use() noexcept;
    /// The same over the rows in use with no lambda below its `least`: a row that would fall below stays there.
    void solve_above() noexcept;
    /// factor = the inverse of the matrix over the rows in use; rows that repeat others go out of use.
    void invert() noexcept;

    std::size_t capacity, count = 0;
    double length;
    double *matrix, *factor, *gap, *lambda, *use, *slot, *direction;
    double* least;  ///< of solve_above(); the caller fills it

private:
    static bool repeats_others(double pivot, double diagonal);
    bool contradicts() const noexcept;
    double* wanted;  ///< 1 where a row was to be used before solve_in_use()
};

}  // namespace limber
