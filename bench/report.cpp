#include "report.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "report/claims.hpp"
#include "report/table.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

namespace limber::bench {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;
constexpr double kNotable = 0.15;

std::string duration(double s) {
    if (s >= 1.0) return text(short_number(s, 3), " s");
    if (s >= 1e-3) return text(short_number(s * 1e3, 3), " ms");
    if (s >= 1e-6) return text(short_number(s * 1e6, 3), " us");
    return text(short_number(s * 1e9, 3), " ns");
}

json result_json(const Result& r) {
    return {{"name", r.name},
            {"ratio", json_number(r.ratio)},
            {"best_ratio", json_number(r.best_ratio)},
            {"against", r.against},
            {"times_faster", r.baseline.empty() ? json(nullptr) : json_number(r.times_faster())},
            {"best_times_faster", r.baseline.empty() ? json(nullptr) : json_number(r.best_times_faster())},
            {"baseline", r.baseline},
            {"seconds", json_number(r.time)},
            {"best_seconds", json_number(r.best)},
            {"limit_seconds", json_number(r.limit_time)},
            {"baseline_seconds", json_number(r.baseline_time)},
            {"bytes", r.bytes},
            {"flops", json_number(r.flops)},
            {"read_bytes_per_second", json_number(r.read_rate)},
            {"triad_bytes_per_second", json_number(r.triad_rate)},
            {"peak_flops_per_second", json_number(r.peak)},
            {"rounds", r.rounds}};
}

Result parse_result(const json& j) {
    Result r;
    r.name = j.at("name").get<std::string>();
    r.ratio = j.at("ratio").is_number() ? j.at("ratio").get<double>() : 0.0;
    r.time = j.at("seconds").get<double>();
    r.baseline = j.at("baseline").get<std::string>();
    r.baseline_time = j.at("baseline_seconds").get<double>();
    return r;
}

std::string change(double now, double then) {
    if (!(now > 0.0) || !(then > 0.0)) return "-";
    return short_number(now / then, 3);
}

const char* mark(double now, double then, const char* more, const char* less) {
    if (!(now > 0.0) || !(then > 0.0)) return "";
    return now / then > 1 + kNotable ? more : now / then < 1 / (1 + kNotable) ? less : "";
}

std::string differences(const Settings& settings, const json& head) {
    const Provenance p = provenance();
    std::string out;
    const auto compare = [&](const char* what, const std::string& now, const json& then) {
        const std::string old = then.is_string() ? then.get<std::string>() : then.dump();
        if (now != old) out += text("note: ", what, " was ", old, ", is ", now, "\n");
    };
    const json& old = head.value("provenance", json::object());
    compare("the processor", p.cpu, old.value("cpu", json("unknown")));
    compare("the compiler", p.compiler, old.value("compiler", json("unknown")));
    compare("the instruction set", p.isa, old.value("isa", json("unknown")));
    compare("the number of threads", text(p.threads), old.value("threads", json(0)));
    compare("quick", settings.quick ? "true" : "false", head.value("quick", json(false)));
    return out;
}

}  // namespace

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char out[16];
    std::strftime(out, sizeof out, "%Y-%m-%d", &utc);
    return out;
}

std::string machine_name() {
    std::string out;
    for (const char c : provenance().cpu) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const bool capital = c >= 'A' && c <= 'Z';
        if (plain || capital)
            out += capital ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (!out.empty() && out.back() == '-') out.pop_back();
    return out.empty() ? "unknown" : out.substr(0, 60);
}

json to_json(const std::vector<Result>& results, const Settings& settings) {
    const Provenance p = provenance();
    json list = json::array();
    for (const Result& r : results) list.push_back(result_json(r));
    return {{"format", kFormat},
            {"date", today()},
            {"machine", {{"name", machine_name()}, {"cpu", p.cpu}, {"cores", std::thread::hardware_concurrency()}}},
            {"quick", settings.quick},
            {"rounds", settings.rounds},
            {"results", list},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

std::vector<Result> read_results(const std::string& path, json& head) {
    try {
        head = json::parse(read_file(path));
        if (head.at("format") != kFormat)
            throw Error(Fault::bad_data, {path, 0, "/format"}, head.at("format").dump(), text(kFormat));
        std::vector<Result> out;
        for (const json& j : head.at("results")) out.push_back(parse_result(j));
        return out;
    } catch (const json::exception& problem) {
        throw Error(Fault::bad_data, {path, 0, {}}, text("not a benchmark result: ", problem.what()),
                    "a file made by ./run bench --save");
    }
}

std::string results_text(const std::vector<Result>& results) {
    Table table{{{"case"},
                 {"ratio", Align::right},
                 {"best", Align::right},
                 {"to"},
                 {"faster", Align::right},
                 {"best", Align::right},
                 {"than"},
                 {"time", Align::right},
                 {"read GB/s", Align::right},
                 {"triad GB/s", Align::right},
                 {"GFLOP/s", Align::right},
                 {"of", Align::right}},
                {}};
    for (const Result& r : results) {
        table.add({r.name, short_number(r.ratio, 3), short_number(r.best_ratio, 3), r.against,
                   r.baseline.empty() ? "-" : text(short_number(r.times_faster(), 3), "x"),
                   r.baseline.empty() ? "-" : text(short_number(r.best_times_faster(), 3), "x"), r.baseline,
                   duration(r.time), short_number(r.read_rate * 1e-9, 3), short_number(r.triad_rate * 1e-9, 3),
                   r.flops > 0 ? short_number(r.flops / r.time * 1e-9, 3) : "-", short_number(r.peak * 1e-9, 3)});
    }
    const Provenance p = provenance();
    return text(to_text(table, look_of(1)),
                "ratio: time over what the machine needs at least, measured in the same run at the same array size (1 "
                "= cannot be faster);\n"
                "times are medians, best is the ratio of the best times. ",
                p.cpu, ", ", p.isa, ", ", counted(static_cast<std::size_t>(p.threads), "thread"), ", ", p.compiler,
                ", ", p.commit, "\n");
}

std::string comparison_text(const std::vector<Result>& now, const Settings& settings, const std::vector<Result>& then,
                            const json& head) {
    Table table{{{"case"},
                 {"ratio now", Align::right},
                 {"then", Align::right},
                 {"now/then", Align::right},
                 {"faster now", Align::right},
                 {"then", Align::right},
                 {"now/then", Align::right},
                 {""}},
                {}};
    std::string only_now;
    std::size_t moved = 0;
    for (const Result& r : now) {
        const auto old = std::find_if(then.begin(), then.end(), [&](const Result& o) { return o.name == r.name; });
        if (old == then.end()) {
            only_now += text(only_now.empty() ? "" : ", ", r.name);
            continue;
        }
        const std::string word = mark(r.ratio, old->ratio, "slower", "faster");
        moved += !word.empty();
        table.add({r.name, short_number(r.ratio, 3), short_number(old->ratio, 3), change(r.ratio, old->ratio),
                   r.baseline.empty() ? "-" : short_number(r.times_faster(), 3),
                   old->baseline.empty() ? "-" : short_number(old->times_faster(), 3),
                   change(r.times_faster(), old->times_faster()), word});
    }
    std::string out = text(differences(settings, head), to_text(table, look_of(1)), moved, " of ", table.rows.size(),
                           " ratios moved by more than 15 % since ", head.value("date", std::string("then")), "\n");
    if (!only_now.empty()) out += text("not in that file: ", only_now, "\n");
    return out;
}

}  // namespace limber::bench
