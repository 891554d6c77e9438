// Supports: which unknowns anchors and handles prescribe, where a handle's target puts them, and whose reaction is
// whose.
#pragma once

#include <limber/body.hpp>
#include <limber/deformer.hpp>
#include <limber/loads.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Prescribed values at `part` of a step of `duration` seconds: cubic Hermite between its ends, exact at the end.
/// `count` numbers each: u and v at the start; u, v and a at the end; u, v and a now, one after the other.
void targets_within(std::size_t count, double part, double duration, const double* start, const double* end,
                    double* now) noexcept;

class Supports {
public:
    explicit Supports(const Body& body);

    const std::vector<std::int32_t>& free() const { return free_; }
    const std::vector<std::int32_t>& prescribed() const { return prescribed_; }
    const std::vector<std::int32_t>& rows() const { return rows_; }
    /// Per prescribed unknown: the support that holds it, -1 = a vertex without cells.
    const std::vector<std::int32_t>& owners() const { return owner_; }
    /// Anchors first, then handles.
    std::size_t count() const { return anchors_ + body_.handles().size(); }
    /// count() when there is none.
    std::size_t index(SupportRef::Kind kind, int i) const {
        if (kind == SupportRef::Kind::obstacle) return count();
        const std::size_t own = kind == SupportRef::Kind::handle ? body_.handles().size() : anchors_;
        if (static_cast<std::size_t>(i) >= own) return count();
        return (kind == SupportRef::Kind::handle ? anchors_ : 0) + static_cast<std::size_t>(i);
    }

    /// Displacement, velocity and acceleration of every prescribed unknown; no targets = at rest. Vertices driven by
    /// themselves change their velocity from `v_before` over `dt` [s]; dt = 0: they do not accelerate.
    void targets(const Loads& loads, const double* v_before, double dt, double* u, double* v, double* a) const noexcept;
    /// A unit translation of one support along one axis (its own axes only).
    void unit_translation(std::size_t support, int axis, double* u) const noexcept;
    /// Sums forces on the prescribed unknowns (full vector) into one wrench per support. Levers are those of the rest
    /// shape, or with `u` (displacements, full vector) of the deformed one.
    void sum_reactions(const double* force, std::span<Wrench> out, const double* u = nullptr) const noexcept;

private:
    void find_own_targets();

    const Body& body_;
    std::size_t anchors_;
    int dim_;
    std::vector<std::int32_t> free_, prescribed_, rows_;
    std::vector<std::int32_t> owner_;
    /// Per prescribed unknown: which of Loads::vertices drives it, -1 = none. Empty when there are none.
    std::vector<std::int32_t> own_target_;
};

}  // namespace limber
