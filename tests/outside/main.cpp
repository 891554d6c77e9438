// Registers a method of our own and has limber's conformance suite examine it; exit code 1 when a promise is broken.
#include "dense_static.hpp"

#include <limber/conformance.hpp>

#include <cstdio>

namespace {

/// Claims more than it can: the suite must notice, or it notices nothing.
class Boaster final : public limber::Method {
public:
    const char* name() const override { return "boaster"; }
    const char* summary() const override { return "Claims to take free bodies and does not."; }
    limber::Traits traits() const override {
        limber::Traits t = honest_.traits();
        t.free_bodies = true;
        return t;
    }
    limber::OptionTable options() const override { return honest_.options(); }
    std::unique_ptr<limber::Deformer> prepare(std::shared_ptr<const limber::Body> body,
                                              const limber::OptionValues& options,
                                              limber::Progress& progress) const override {
        return honest_.prepare(std::move(body), options, progress);
    }
    std::unique_ptr<limber::Deformer> load(std::shared_ptr<const limber::Body> body,
                                           limber::ByteReader& in) const override {
        return honest_.load(std::move(body), in);
    }

private:
    outside::DenseStatic honest_;
};

int examine(const limber::Method& method) {
    limber::ConformanceSettings settings;
    settings.large_cells = 8;  // a dense factor grows with the cube
    int broken = 0;
    for (const limber::ConformanceResult& result : limber::run_conformance(method, settings)) {
        const char* word = result.passed ? "kept" : "BROKEN";
        std::printf("%-6s %-26s %s\n", word, result.check.c_str(),
                    result.skipped || !result.passed ? result.message.c_str() : "");
        if (!result.passed) ++broken;
    }
    return broken;
}

}  // namespace

int main() {
    try {
        limber::register_method(std::make_unique<outside::DenseStatic>());
        const int broken = examine(limber::require_method("dense_static"));
        const bool caught = !limber::run_conformance_check(Boaster(), "refuses_bodies").passed;
        std::printf("dense_static breaks %d promises; the boaster is %s\n", broken, caught ? "caught" : "NOT caught");
        return broken == 0 && caught ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
