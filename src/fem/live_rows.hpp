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
    LiveRows(int slots, double* scratch);
    static std::size_t scratch_size(int slots);

    /// Starts the rows of what is on: slot and direction of each. Normals are turned by `turn`, if there is one.
    void begin(std::span<const PointConstraint> live, int dimension, const Mat3* turn = nullptr) noexcept;
    Vec3 dir(std::size_t i) const { return {direction[3 * i], direction[3 * i + 1], direction[3 * i + 2]}; }
    std::size_t slot_of(std::size_t i) const { return static_cast<std::size_t>(slot[i]); }

    /// Solves for lambda. Bilateral rows always act, a unilateral one only while it pushes; active[slot] remembers
    /// which did.
    Trouble solve(std::span<const PointConstraint> live, std::int32_t* active) noexcept;
    /// Bilateral: matrix lambda = gap over the rows in use, dropping rows that repeat others. False when some were
    /// dropped.
    bool solve_in_use() noexcept;
    /// factor = the inverse of the matrix over the rows in use.
    void invert() noexcept;

    std::size_t capacity, count = 0;
    double *matrix, *factor, *gap, *lambda, *use, *slot, *direction;
};

}  // namespace limber
