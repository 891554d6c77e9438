// StepCourse: external forces and prescribed values in the course of one step that is taken in parts. Forces go from
// those at the step's start to those at its end along a line, prescribed values along a cubic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace limber {

/// Where a sub-step ends: `part` in (0, 1] of a step of `duration` [s].
struct StepMoment {
    double part = 1.0;
    double duration = 0.0;
};

/// Views of the caller's memory: `unknowns` numbers per force, `prescribed` per value.
struct StepCourse {
    StepCourse(std::size_t unknowns, std::size_t prescribed, double* memory);
    static std::size_t size(std::size_t unknowns, std::size_t prescribed) { return 3 * unknowns + 8 * prescribed; }

    /// What acts and is held before the step.
    void start_from(std::span<const std::int32_t> prescribed, const double* u, const double* v,
                    const double* force) const noexcept;
    /// force_now and now at the end of part k (1 to count) of a step of `duration` [s].
    void move_to(int k, int count, double duration) const noexcept;

    std::size_t n, np;
    double *force_start, *force_end, *force_now;
    double* start;  ///< u and v
    double* end;    ///< u, v and a
    double* now;    ///< u, v and a
};

}  // namespace limber
