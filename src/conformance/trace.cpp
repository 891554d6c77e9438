#include "conformance/trace.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace limber::conformance {
namespace {

class Fingerprint {
public:
    void add(std::uint64_t v) {
        hash_ = (hash_ ^ (v + 0x9e3779b97f4a7c15ull + (hash_ << 6) + (hash_ >> 2))) * 0xff51afd7ed558ccdull;
    }
    void add(double v) { add(std::bit_cast<std::uint64_t>(v)); }
    void add(const Vec3& v) {
        for (int i = 0; i < 3; ++i) add(v[i]);
    }
    void add(const State& state) {
        add(state.time);
        for (const double v : state.reals) add(v);
        for (const std::int32_t v : state.marks) add(static_cast<std::uint64_t>(v));
    }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 1;
};

void add_readouts(Fingerprint& print, const TestBench& bench, SupportRef::Kind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Wrench w = bench.deformer->reaction(bench.state, {kind, static_cast<int>(i)});
        print.add(w.force);
        print.add(w.torque);
        Mat3 k;
        if (bench.deformer->tangent_stiffness(bench.state, {kind, static_cast<int>(i)}, k))
            for (int r = 0; r < 3; ++r) print.add(Vec3{k(r, 0), k(r, 1), k(r, 2)});
    }
}

std::uint64_t fingerprint_of(TestBench& bench, const StepReport& report) {
    Fingerprint print;
    print.add(bench.state);
    for (const Vec3& v : bench.velocities()) print.add(v);
    print.add(static_cast<std::uint64_t>(report.trouble));
    print.add(static_cast<std::uint64_t>(report.iterations));
    print.add(report.residual);
    add_readouts(print, bench, SupportRef::Kind::anchor, bench.body().anchors().size());
    add_readouts(print, bench, SupportRef::Kind::handle, bench.body().handles().size());
    add_readouts(print, bench, SupportRef::Kind::live, bench.live.size());
    const Energies e = bench.deformer->energies(bench.state, bench.scratch);
    print.add(e.kinetic);
    print.add(e.elastic);
    return print.value();
}

}  // namespace

std::uint64_t fingerprint(const State& state) {
    Fingerprint print;
    print.add(state);
    return print.value();
}

Trace run(TestBench& bench, const Traits& traits, int first, int last, const std::function<void(TestBench&)>& between) {
    Trace trace;
    for (int i = first; i < last; ++i) {
        drive(bench, traits, i);
        const StepReport report = bench.step();
        trace.fingerprint.push_back(fingerprint_of(bench, report));
        trace.displacement.push_back(bench.displacements());
        if (between) between(bench);
    }
    return trace;
}

std::string mismatch(const Trace& a, const Trace& b) {
    if (a.fingerprint.size() != b.fingerprint.size()) return "the runs have different lengths";
    for (std::size_t i = 0; i < a.fingerprint.size(); ++i) {
        if (a.fingerprint[i] == b.fingerprint[i]) continue;
        const double d = difference(a.displacement[i], b.displacement[i]);
        return d > 0.0 || d != d ? text("step ", i + 1, " differs by ", d, " m")
                                 : text("step ", i + 1, " differs in what it keeps or reports, not in displacements");
    }
    return {};
}

void scribble(Workspace& scratch) {
    for (std::size_t i = 0; i < scratch.reals.size(); ++i)
        scratch.reals[i] = i % 3 == 0 ? 1e300 : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < scratch.marks.size(); ++i) scratch.marks[i] = i % 2 == 0 ? -7654321 : 0x7ffffff0;
    // What is cached is only worth what its key says.
    std::fill(scratch.cached.begin(), scratch.cached.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(scratch.cache_keys.begin(), scratch.cache_keys.end(), 0.0);
}

}  // namespace limber::conformance
