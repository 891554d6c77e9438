// Promises about bits and memory: nothing moves by itself, nothing depends on threads, scratch or luck.
#include "conformance/allocation_count.hpp"
#include "conformance/context.hpp"
#include "conformance/trace.hpp"
#include "core/text.hpp"

#include <limber/version.hpp>

#include <cmath>
#include <memory>
#include <thread>

namespace limber::conformance {
namespace {

constexpr int kSteps = 24;

std::shared_ptr<const Body> busy_body(const Context& c, CellKind kind, int cells = 4) {
    BodySpec spec;
    spec.kind = kind;
    spec.cells = cells;
    spec.handle = c.traits.accepts_handles;
    return standard_body(spec);
}

TestBench armed(std::shared_ptr<const Deformer> deformer, const Traits& traits) {
    TestBench bench(std::move(deformer));
    if (traits.accepts_live) arm_live(bench);
    return bench;
}

// The thread count is the process's: leave it as it was found.
class WithThreads {
public:
    explicit WithThreads(int threads) : before_(thread_count()) { set_thread_count(threads); }
    ~WithThreads() { set_thread_count(before_); }
    WithThreads(const WithThreads&) = delete;

private:
    int before_;
};

void check_rest(Context& c, const std::shared_ptr<const Deformer>& deformer, const std::string& label) {
    TestBench bench = armed(deformer, c.traits);
    for (int i = 0; i < 40; ++i) {
        const StepReport report = i % 2 == 0 ? bench.step()
                                             : deformer->step(bench.state, Loads{}, bench.dt, bench.scratch);
        c.expect(report.trouble == Trouble::none,
                 text(label, ": step ", i + 1, " at rest reports ", to_string(report.trouble)));
        if (report.trouble != Trouble::none) return;
    }
    c.expect_at_most(largest(bench.displacements()), 1e-14 * kLength,
                     label + ": displacement after 40 steps of nothing [m]");
    c.expect_at_most(largest(bench.velocities()), 1e-12 * kLength,
                     label + ": velocity after 40 steps of nothing [m/s]");
    c.expect_at_most(std::fabs(bench.state.time - 40 * bench.dt), 1e-12, label + ": drift of the clock [s]");
    for (std::size_t i = 0; i < bench.body().anchors().size(); ++i) {
        c.expect_at_most(norm(deformer->reaction(bench.state, {SupportRef::Kind::anchor, static_cast<int>(i)}).force),
                         1e-11, label + ": reaction of an anchor at rest [N]");
    }
}

}  // namespace

void rests_at_rest(Context& c) {
    for (const CellKind kind : c.traits.cells) {
        const auto body = busy_body(c, kind);
        const bool typical = kind == c.traits.cells.front();
        const auto look = [&](const std::shared_ptr<const Deformer>& d, const std::string& label) {
            check_rest(c, d, text(to_string(kind), " ", label));
        };
        if (typical)
            for_each_variant(c, body, true, look);
        else
            look(prepare(c.method, body), "defaults");
    }
}

namespace {

// Everything a frame loop does. Loads are changed in place, so all allocations are the method's.
std::uint64_t allocations_of(TestBench& bench, const Traits& traits, int first, int last) {
    std::vector<Vec3> out(bench.body().vertex_count());
    const std::uint64_t before = allocation_count();
    for (int i = first; i < last; ++i) {
        drive(bench, traits, i);
        bench.step();
        bench.deformer->displacements(bench.state, out);
        bench.deformer->velocities(bench.state, out);
        (void)bench.deformer->energies(bench.state, bench.scratch);
        Mat3 k;
        for (std::size_t h = 0; h < bench.handles.size(); ++h) {
            (void)bench.deformer->reaction(bench.state, {SupportRef::Kind::handle, static_cast<int>(h)});
            (void)bench.deformer->tangent_stiffness(bench.state, {SupportRef::Kind::handle, static_cast<int>(h)}, k);
        }
        for (std::size_t l = 0; l < bench.live.size(); ++l) {
            (void)bench.deformer->reaction(bench.state, {SupportRef::Kind::live, static_cast<int>(l)});
            (void)bench.deformer->tangent_stiffness(bench.state, {SupportRef::Kind::live, static_cast<int>(l)}, k);
        }
    }
    return allocation_count() - before;
}

// A counter that sees nothing would let everything pass.
bool counter_works() {
    const std::uint64_t before = allocation_count();
    void* (*volatile take)(std::size_t) = std::malloc;
    std::free(take(16));
    volatile std::size_t size = 3;
    const std::vector<double> list(size, 1.0);
    return list.size() == 3 && allocation_count() - before == 2;
}

}  // namespace

void allocates_nothing(Context& c) {
    if (!allocations_are_counted()) return c.skip("this platform has no way to count allocations");
    c.expect(counter_works(), "the allocation counter does not count: two allocations were not seen as two");
    for (const CellKind kind : typical_kinds(c.traits)) {
        const bool first_kind = kind == c.traits.cells.front();
        for_each_variant(c, busy_body(c, kind), first_kind,
                         [&](const std::shared_ptr<const Deformer>& d, const std::string& label) {
                             TestBench bench = armed(d, c.traits);
                             drive(bench, c.traits, 0);
                             bench.step();
                             const std::uint64_t count = allocations_of(bench, c.traits, 1, kSteps);
                             c.expect(count == 0, text(to_string(kind), " ", label, ": ", count, " allocations in ",
                                                       kSteps - 1, " steps after the first, expected none"));
                         });
    }
}

void ignores_thread_count(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        if (dimension_of(kind) == 2 && typical_kinds(c.traits).size() > 1) continue;  // the larger one shares more work
        const auto body = busy_body(c, kind, c.settings.large_cells);
        for (const Variant& variant : variants(c.method, false)) {
            Trace traces[2];
            std::vector<std::uint8_t> saved[2];
            try {
                for (const int i : {0, 1}) {
                    const WithThreads use(i == 0 ? 1 : std::max(2, c.settings.threads));
                    const auto deformer = prepare(c.method, body, variant.options);
                    saved[i] = save_deformer(*deformer);
                    TestBench bench = armed(deformer, c.traits);
                    traces[i] = run(bench, c.traits, 0, 8);
                }
            } catch (const Error& e) {
                c.expect(
                    !variant.options.empty() && (e.fault() == Fault::bad_option || e.fault() == Fault::unsupported),
                    e.what());
                continue;
            }
            const std::string where = mismatch(traces[0], traces[1]);
            c.expect(where.empty(),
                     text(variant.label, ", 1 and ", std::max(2, c.settings.threads), " threads: ", where));
            c.expect(saved[0] == saved[1], text(variant.label, ": prepared data depends on the number of threads"));
        }
    }
}

void ignores_scratch(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        for_each_variant(
            c, busy_body(c, kind), kind == c.traits.cells.front(),
            [&](const std::shared_ptr<const Deformer>& d, const std::string& label) {
                TestBench clean = armed(d, c.traits), dirty = armed(d, c.traits);
                scribble(dirty.scratch);
                const Trace a = run(clean, c.traits, 0, kSteps);
                const Trace b = run(dirty, c.traits, 0, kSteps, [](TestBench& bench) { scribble(bench.scratch); });
                const std::string where = mismatch(a, b);
                c.expect(where.empty(),
                         text(to_string(kind), " ", label, ", scratch memory overwritten between steps: ", where));
                c.expect(outputs_finite(clean), text(to_string(kind), " ", label, ": a readout is not finite"));
            });
    }
}

void state_continues(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        const auto deformer = prepare(c.method, busy_body(c, kind));
        TestBench bench = armed(deformer, c.traits);
        run(bench, c.traits, 0, 7);  // in the middle of a live constraint
        TestBench other = armed(deformer, c.traits);
        other.state = bench.state;
        run(bench, c.traits, 7, kSteps);
        bench.state = other.state;  // back in time, with scratch memory and caches from the future
        const std::string where = mismatch(run(bench, c.traits, 7, kSteps), run(other, c.traits, 7, kSteps));
        c.expect(where.empty(), text(to_string(kind), ", state restored after 7 steps: ", where));
    }
}

void save_continues(Context& c) {
    for (const CellKind kind : c.traits.cells) {
        const auto body = busy_body(c, kind);
        const auto deformer = prepare(c.method, body);
        ByteWriter saved;
        deformer->save(saved);
        ByteReader in(saved.bytes());
        const std::shared_ptr<const Deformer> loaded = c.method.load(body, in);
        c.expect(in.left() == 0, text(to_string(kind), ": load left ", in.left(), " bytes unread"));
        TestBench a = armed(deformer, c.traits), b = armed(loaded, c.traits);
        run(a, c.traits, 0, 7);
        b.state = a.state;
        const std::string where = mismatch(run(a, c.traits, 7, kSteps), run(b, c.traits, 7, kSteps));
        c.expect(where.empty(), text(to_string(kind), ", saved and loaded: ", where));
        ByteWriter again;
        loaded->save(again);
        c.expect(again.bytes() == saved.bytes(), text(to_string(kind), ": saving the loaded one gives other bytes"));
        c.expect(loaded->prepared_step() == deformer->prepared_step() &&
                     loaded->live_capacity() == deformer->live_capacity(),
                 text(to_string(kind), ": the loaded one has another step or live capacity"));
        if (find_method(c.method.name()) == &c.method)
            c.expect(load_deformer(body, save_deformer(*deformer)) != nullptr, "load_deformer returned nothing");
    }
}

void prepares_equally(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        const auto body = busy_body(c, kind);
        const auto first = prepare(c.method, body);
        const auto second = prepare(c.method, busy_body(c, kind));
        c.expect(save_deformer(*first) == save_deformer(*second),
                 text(to_string(kind), ": two preparations save different bytes"));
        TestBench a = armed(first, c.traits), b = armed(second, c.traits);
        const std::string where = mismatch(run(a, c.traits, 0, kSteps), run(b, c.traits, 0, kSteps));
        c.expect(where.empty(), text(to_string(kind), ", prepared twice: ", where));
    }
}

void shares_between_threads(Context& c) {
    const auto deformer = prepare(c.method, busy_body(c, c.traits.cells.front()));
    const WithThreads use(std::max(2, c.settings.threads));
    constexpr int kLong = 120;
    const auto run_from = [&](int phase) {
        TestBench bench = armed(deformer, c.traits);
        return run(bench, c.traits, phase, phase + kLong);
    };
    const Trace alone[2] = {run_from(0), run_from(5)};
    Trace together[2];
    std::thread other([&] { together[1] = run_from(5); });
    together[0] = run_from(0);
    other.join();
    for (const int i : {0, 1}) {
        const std::string where = mismatch(alone[i], together[i]);
        c.expect(where.empty(), text("two threads step two states of one deformer: ", where));
    }
}

}  // namespace limber::conformance
