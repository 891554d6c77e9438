// A good method with one promise broken: proof that the check of that promise can fail.
#pragma once

#include <limber/method.hpp>
#include <limber/version.hpp>

#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>

namespace limber::testing {

enum class Break {
    nothing,
    drifts,
    allocates,
    counts_threads,
    reads_scratch,
    remembers,
    forgets_on_load,
    prepares_differently,
    minds_the_thread,
    stiffens,
    gains_energy,
    first_order,
    wrong_velocity,
    half_motion,
    light_gravity,
    off_by_a_percent,
    no_continuum,
    unbalanced,
    double_energy,
    handles_lag,
    wrong_stiffness,
    soft_hard,
    stiff_soft,
    pulls,
    reaction_stays,
    claims_fewer_cells,
    swallows_nan,
    takes_any_step,
    takes_any_state,
    takes_any_option,
    poisoned_option,
    loads_anything,
    changes_refused_state,
    non_finite
};

class BrokenDeformer : public Deformer {
public:
    BrokenDeformer(std::unique_ptr<Deformer> good, Break broken, int serial, bool loaded)
        : good_(std::move(good)),
          break_(broken),
          serial_(serial),
          loaded_(loaded),
          maker_(std::this_thread::get_id()) {}

    const Body& body() const override { return good_->body(); }
    const char* method_name() const override { return "broken"; }
    double prepared_step() const override { return good_->prepared_step(); }
    int live_capacity() const override { return good_->live_capacity(); }
    std::size_t memory() const override { return good_->memory(); }
    State rest_state() const override { return good_->rest_state(); }
    Workspace make_workspace() const override { return good_->make_workspace(); }
    void save(ByteWriter& out) const override { good_->save(out); }
    bool cell_stress(const State& s, std::span<SymMat3> out) const noexcept override {
        return good_->cell_stress(s, out);
    }

    StepReport step(State& state, const Loads& given, double dt, Workspace& scratch) const noexcept override {
        Loads loads = given;
        std::array<PointConstraint, 16> live;
        spoil(loads, live);
        if (is(Break::allocates)) {
            int* volatile taken = new (std::nothrow) int(
                7);  // volatile: a compiler may drop an allocation that nobody can see
            delete taken;
        }
        if (is(Break::takes_any_step)) dt = prepared_step();
        const StepReport report = good_->step(state, loads, dt, scratch);
        if (is(Break::changes_refused_state) && report.trouble != Trouble::none) state.time += 1.0;
        if (is(Break::reads_scratch)) state.reals[0] += last_scratch(scratch) * 1e-3;
        if (is(Break::counts_threads)) state.reals[0] += 1e-12 * thread_count();
        if (is(Break::minds_the_thread) && std::this_thread::get_id() != maker_) state.reals[0] += 1e-12;
        if (is(Break::remembers)) state.reals[0] += 1e-12 * ++memory_;
        if (is(Break::forgets_on_load) && loaded_) state.reals[0] += 1e-12;
        if (is(Break::prepares_differently)) state.reals[0] += 1e-12 * serial_;
        return report;
    }

    void displacements(const State& state, std::span<Vec3> out) const noexcept override {
        good_->displacements(state, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            Vec3& u = out[i];
            if (is(Break::drifts)) u.x += 1e-6 * state.time;
            if (is(Break::stiffens)) u *= 1.0 - 0.1 * norm(u);
            if (is(Break::first_order)) u *= 1.0 + prepared_step();
            if (is(Break::off_by_a_percent) || is(Break::handles_lag)) u *= 0.99;
            if (is(Break::poisoned_option) || is(Break::non_finite))
                u.y = poison_ || is(Break::non_finite) ? std::numeric_limits<double>::quiet_NaN() : u.y;
        }
    }
    void velocities(const State& state, std::span<Vec3> out) const noexcept override {
        good_->velocities(state, out);
        for (Vec3& v : out)
            if (is(Break::wrong_velocity)) v *= 0.9;
    }
    Energies energies(const State& state, Workspace& scratch) const noexcept override {
        Energies e = good_->energies(state, scratch);
        if (is(Break::gains_energy)) e.kinetic += 1e-3 * state.time;
        if (is(Break::double_energy)) e.elastic *= 2;
        return e;
    }
    bool set_motion(State& state, std::span<const Vec3> u, std::span<const Vec3> v) const noexcept override {
        if (is(Break::takes_any_state)) {
            State own = rest_state();
            return good_->set_motion(own, u, v);
        }
        return good_->set_motion(state, is(Break::half_motion) ? v : u, v);
    }
    Wrench reaction(const State& state, SupportRef support) const noexcept override {
        Wrench w = good_->reaction(state, support);
        if (is(Break::unbalanced)) w.force *= 1.001;
        if (is(Break::reaction_stays) && support.kind == SupportRef::Kind::live) w.force.x += 1e-6;
        return w;
    }
    bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept override {
        const bool known = good_->tangent_stiffness(state, support, out);
        if (is(Break::wrong_stiffness)) out(0, 0) *= 1.01;
        return known;
    }

    void poison() { poison_ = true; }

private:
    bool is(Break b) const noexcept { return break_ == b; }
    static double last_scratch(const Workspace& scratch) noexcept {
        return scratch.reals.empty() ? 0.0 : scratch.reals.back();
    }
    void spoil(Loads& loads, std::array<PointConstraint, 16>& live) const noexcept {
        if (is(Break::light_gravity)) loads.gravity *= 0.9;
        if (is(Break::swallows_nan) && !is_finite(loads.gravity)) loads.gravity = {};
        if (loads.live.size() > live.size()) return;
        std::copy(loads.live.begin(), loads.live.end(), live.begin());
        for (PointConstraint& p : live) {
            if (is(Break::soft_hard) && p.kind == PointConstraint::Kind::hard) {
                p.kind = PointConstraint::Kind::soft;
                p.stiffness = 1e5;
            }
            if (is(Break::stiff_soft)) p.stiffness *= 2;
            if (is(Break::pulls)) p.unilateral = false;
        }
        loads.live = std::span<const PointConstraint>(live.data(), loads.live.size());
    }

    std::unique_ptr<Deformer> good_;
    Break break_;
    int serial_;
    bool loaded_;
    bool poison_ = false;
    std::thread::id maker_;
    mutable std::atomic<int> memory_{0};
};

template <class Good>
class Broken : public Method {
public:
    explicit Broken(Break broken) : break_(broken) {}
    const char* name() const override { return "broken"; }
    const char* summary() const override { return "Keeps every promise but one."; }
    Traits traits() const override {
        Traits t = good_.traits();
        if (break_ == Break::claims_fewer_cells) t.cells.erase(t.cells.begin());
        if (break_ == Break::no_continuum || break_ == Break::off_by_a_percent) t.small_load_tolerance = 1e-9;
        return t;
    }
    OptionTable options() const override {
        OptionTable table = good_.options();
        if (break_ == Break::poisoned_option) {
            table.push_back(
                {"poison", OptionType::real, "", 0.0, 0.0, 1.0, {}, false, "Spoils everything at its upper end."});
        }
        return table;
    }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& given,
                                      Progress& progress) const override {
        OptionValues options = given;
        const bool poisoned = break_ == Break::poisoned_option && given.contains("poison") &&
                              given.at("poison") == OptionValue(1.0);
        options.erase("poison");
        if (break_ == Break::takes_any_option) options.erase("no_such_option_as_this");
        auto deformer = std::make_unique<BrokenDeformer>(good_.prepare(std::move(body), options, progress), break_,
                                                         ++serial_, false);
        if (poisoned) deformer->poison();
        return deformer;
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        if (break_ == Break::loads_anything && in.left() < 13) {
            Progress quiet;
            return prepare(std::move(body), {}, quiet);
        }
        return std::make_unique<BrokenDeformer>(good_.load(std::move(body), in), break_, 0, true);
    }

private:
    Good good_;
    Break break_;
    mutable std::atomic<int> serial_{0};
};

}  // namespace limber::testing
