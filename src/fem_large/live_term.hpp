// Live point constraints as a term: rows of their own, eliminated after each linear solve (fem/live_points.hpp).
#pragma once

#include "fem/live_points.hpp"
#include "fem/term.hpp"

namespace limber {

class LiveTerm final : public Term {
public:
    LiveTerm(const Body& body, std::span<const std::int32_t> free, int capacity) : points_(body, free, capacity) {}
    const char* name() const override { return "live constraints"; }
    const LivePoints& points() const { return points_; }

    std::size_t state_reals() const override { return LivePoints::kSlotReals * points_.slots(); }
    std::size_t state_marks() const override { return points_.slots(); }  ///< whether each acts
    std::size_t scratch_size() const override;

    bool fits(const Loads& loads) const noexcept override { return points_.fits(loads.live); }
    void begin(const Loads& loads, const double* u, const double* v, TermMemory own) const noexcept override;
    void aim(const Loads& loads, StepMoment end, const double* a, TermMemory own) const noexcept override;
    void settle(const TermStep& step, double* v, double* a, TermMemory own) const noexcept override;
    void read_out(const TermStep& step, const double* u, TermMemory own) const noexcept override;

    TermValue value(const TermStep& step) const noexcept override {
        return has_rows(step) ? TermValue::none : TermValue::idle;
    }
    void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
             TermSum& sum) const noexcept override;
    bool has_rows(const TermStep& step) const noexcept override {
        return step.loads != nullptr && any_on(step.loads->live);
    }
    Trouble correct(const TermStep& step, const TermCorrection& c, TermMemory own) const noexcept override;

private:
    double* columns(TermMemory own) const { return own.scratch + points_.scratch_size(); }
    double* reached(TermMemory own) const { return columns(own) + points_.slots() * points_.column_size(); }
    LivePoints::Solve solve_of(const TermStep& step, TermMemory own) const;
    LivePoints points_;
};

}  // namespace limber
