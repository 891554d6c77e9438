#include "fem/step_course.hpp"

#include "fem/supports.hpp"

#include <algorithm>

namespace limber {

StepCourse::StepCourse(std::size_t unknowns, std::size_t prescribed, double* memory)
    : n(unknowns),
      np(prescribed),
      force_start(memory + n),
      force_end(memory),
      force_now(memory + 2 * n),
      start(memory + 3 * n + 3 * np),
      end(memory + 3 * n),
      now(start + 2 * np) {}

void StepCourse::start_from(std::span<const std::int32_t> prescribed, const double* u, const double* v,
                            const double* force) const noexcept {
    std::copy_n(force, n, force_start);
    for (std::size_t i = 0; i < np; ++i) {
        start[i] = u[prescribed[i]];
        start[np + i] = v[prescribed[i]];
    }
}

void StepCourse::move_to(int k, int count, double duration) const noexcept {
    const double part = static_cast<double>(k) / count;
    targets_within(np, part, duration, start, end, now);
    for (std::size_t i = 0; i < n; ++i)
        force_now[i] = k == count ? force_end[i] : force_start[i] + part * (force_end[i] - force_start[i]);
}

}  // namespace limber
