// What acts on any body of large strain, as terms: elasticity, external forces, inertia and damping. Their order in a
// list is that of the names here.
#pragma once

#include "fem/term.hpp"
#include "fem_large/system.hpp"

namespace limber {

/// g(u), and with stiffness damping beta D(u) v beside it: models share work between the two. DampingTerm adds that.
class ElasticTerm final : public Term {
public:
    explicit ElasticTerm(const ElasticSystem& system) : system_(system) {}
    const char* name() const override { return "elasticity"; }
    std::size_t state_reals() const override { return system_.model().warm_size(); }  ///< the model's part of a state
    std::size_t scratch_size() const override {
        return system_.size() + system_.scratch_values() + system_.model().scratch_size();
    }
    void rest(TermMemory own) const noexcept override { system_.model().warm_start(own.state); }
    TermValue value(const TermStep&) const noexcept override {
        return system_.model().has_energy() ? TermValue::energy : TermValue::none;
    }
    void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
             TermSum& sum) const noexcept override;

    static double* damping(TermMemory own) { return own.scratch; }
    double* model_scratch(TermMemory own) const { return own.scratch + system_.size() + system_.scratch_values(); }
    const ElasticSystem& system() const { return system_; }

private:
    const ElasticSystem& system_;
};

class LoadTerm final : public Term {
public:
    explicit LoadTerm(std::size_t unknowns) : unknowns_(unknowns) {}
    const char* name() const override { return "external forces"; }
    TermValue value(const TermStep&) const noexcept override { return TermValue::quadratic; }
    void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
             TermSum& sum) const noexcept override;

private:
    std::size_t unknowns_;
};

/// M a and damping in proportion to mass.
class InertiaTerm final : public Term {
public:
    explicit InertiaTerm(const ElasticSystem& system) : system_(system) {}
    const char* name() const override { return "inertia"; }
    TermValue value(const TermStep& step) const noexcept override {
        return step.moves ? TermValue::quadratic : TermValue::idle;
    }
    void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
             TermSum& sum) const noexcept override;
    double curvature(const TermStep& step, const double* u, const double* dx, TermMemory own) const noexcept override;
    std::size_t scratch_size() const override { return system_.size(); }

private:
    const ElasticSystem& system_;
};

/// beta D(u) v; D is held still along a correction.
class DampingTerm final : public Term {
public:
    explicit DampingTerm(const ElasticTerm& elastic) : elastic_(elastic) {}
    const char* name() const override { return "stiffness damping"; }
    const Term* memory_of() const override { return &elastic_; }
    TermValue value(const TermStep& step) const noexcept override {
        return acts(step) ? TermValue::quadratic : TermValue::idle;
    }
    void add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
             TermSum& sum) const noexcept override;
    double curvature(const TermStep& step, const double* u, const double* dx, TermMemory own) const noexcept override;
    static bool acts(const TermStep& step) { return step.moves && step.stiffness_damping > 0.0; }

private:
    const ElasticTerm& elastic_;
};

}  // namespace limber
