// limber_bench: chooses cases, runs them, prints ratios, saves and compares. ./run bench starts it.
#include "report.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "report/files.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <regex>

namespace limber::bench {
namespace {

struct Arguments {
    bool list = false, save = false;
    int rounds = 0, threads = 0;
    std::string filter, compare, out;
    Settings settings;
};

void add_arguments(CLI::App& app, Arguments& a) {
    a.settings.scenes = std::string(LIMBER_SOURCE_DIR) + "/scenes";
    app.add_flag("--list", a.list, "name the cases and end");
    app.add_option("--filter", a.filter, "only cases whose name matches")->type_name("REGEX");
    app.add_flag("--quick", a.settings.quick, "small sizes and few rounds: under a minute");
    app.add_option("--rounds", a.rounds,
                   "how often each case is timed; default 31, 15 with --quick; dear cases a tenth")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    app.add_option("--threads", a.threads, "threads used inside products; default 1")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--save", a.save, "write bench/results/DATE_CPU.json; run it alone on a quiet machine");
    app.add_option("-o,--out", a.out, "write the results to this file instead")->type_name("FILE");
    app.add_option("--compare", a.compare,
                   "show ratios of ratios against an earlier result; never fails because of a timing")
        ->type_name("FILE");
    app.add_option("--scenes", a.settings.scenes, "folder of the scenes to prepare and step")->type_name("DIR");
}

Cases chosen(const Arguments& a) {
    Cases all, out;
    add_solve_cases(all, a.settings);
    add_product_cases(all, a.settings);
    add_clustered_cases(all, a.settings);
    add_fem_cases(all, a.settings);
    add_geometry_cases(all, a.settings);
    add_solid_cases(all, a.settings);
    add_render_cases(all, a.settings);
    add_bem_cases(all, a.settings);
    add_jelly_cases(all, a.settings);
    add_dyrt_cases(all, a.settings);
    add_scene_cases(all, a.settings);
    try {
        const std::regex wanted(a.filter);
        for (const Case& c : all)
            if (a.filter.empty() || std::regex_search(c.name, wanted)) out.push_back(c);
    } catch (const std::regex_error&) {
        throw Error(Fault::bad_usage, {"--filter", 0, {}}, text("'", a.filter, "' is not a regular expression"),
                    "for example 'solve|product'");
    }
    if (out.empty()) {
        throw Error(Fault::bad_usage, {"--filter", 0, {}}, text("no case matches '", a.filter, "'"),
                    "a part of a name that --list shows");
    }
    return out;
}

int bench(Arguments a) {
    a.settings.rounds = a.rounds > 0 ? a.rounds : a.settings.quick ? 15 : 31;
    if (a.threads > 0) set_thread_count(a.threads);
    const Cases cases = chosen(a);
    if (a.list) {
        for (const Case& c : cases) std::printf("%s\n", c.name.c_str());
        return 0;
    }
    nlohmann::json head;
    std::vector<Result> then;
    if (!a.compare.empty()) then = read_results(a.compare, head);  // a wrong name is told before minutes are spent
    const auto show = [&](const std::string& name, std::size_t i) {
        std::fprintf(stderr, "limber bench: %zu/%zu %s\n", i + 1, cases.size(), name.c_str());
    };
    const std::vector<Result> now = run_cases(cases, a.settings, show);
    std::fputs(results_text(now).c_str(), stdout);
    if (!a.compare.empty())
        std::fputs(text("\nAgainst ", a.compare, ":\n", comparison_text(now, a.settings, then, head)).c_str(), stdout);
    const std::string out = !a.out.empty() ? a.out
                            : a.save       ? text(LIMBER_SOURCE_DIR, "/bench/results/", today(), "_", machine_name(),
                                            a.settings.quick ? "_quick" : "", ".json")
                                           : "";
    if (!out.empty()) {
        write_text_file(out, to_json(now, a.settings).dump(1) + "\n");
        std::printf("written: %s\n", out.c_str());
    }
    return 0;
}

int guarded(int argc, char** argv) {
    CLI::App app("Benchmarks of limber in ratios: to what the machine can do at least, and to the obvious code.",
                 "./run bench");
    Arguments arguments;
    add_arguments(app, arguments);
    try {
        app.parse(argc, argv);
        return bench(arguments);
    } catch (const CLI::CallForHelp&) {
        std::fputs(app.help().c_str(), stdout);
        return 0;
    } catch (const CLI::ParseError& problem) {
        std::fprintf(stderr, "limber bench: %s (see ./run bench --help)\n", problem.what());
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "limber bench: %s\n", problem.what());
    }
    return 2;
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
    // Google Benchmark reads its own arguments (--benchmark_...) first and leaves the rest.
    benchmark::Initialize(&argc, argv);
    return limber::bench::guarded(argc, argv);
}
