#include "cli/cli.hpp"

#include "core/text.hpp"
#include "io/files_read.hpp"
#include "report/files.hpp"
#include "report/interrupt.hpp"
#include "report/progress_bar.hpp"

#include <limber/mesh_io.hpp>
#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace limber::cli {

using nlohmann::json;

void print(std::string_view words) {
    errno = 0;
    if (std::fwrite(words.data(), 1, words.size(), stdout) != words.size() || std::fflush(stdout) != 0)
        throw Error(Fault::bad_file, InputLocation{"standard output", 0, {}}, std::strerror(errno), "a place that can be written");
}

std::string to_json_text(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

void print_json(const json& value) {
    json whole = value;
    if (whole.is_object() && !whole.contains("provenance")) whole["provenance"] = provenance_json();
    print(to_json_text(whole));
}

void complain(std::string_view message) {
    std::string line = valid_utf8(message);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    std::fprintf(stderr, "limber: %s\n", line.c_str());
}

void add_scene_arguments(CLI::App& verb, SceneArguments& arguments) {
    verb.add_option("scene", arguments.path, "the scene (JSON)")->required()->type_name("SCENE");
    verb.add_option("--set", arguments.sets, "change a value of the scene first, e.g. step=1/60 or bodies.0.materials.0.young=5000; may be repeated")
        ->type_name("PATH=VALUE")->expected(1)->take_all()->trigger_on_parse(false);
}

void add_json_flag(CLI::App& verb, CommonArguments& arguments) { verb.add_flag("--json", arguments.json, "print the result as JSON"); }

void add_work_arguments(CLI::App& verb, CommonArguments& arguments) {
    verb.add_flag("-q,--quiet", arguments.quiet, "show no progress and no warnings (--json still lists them)");
    verb.add_option("--threads", arguments.threads, "threads used inside steps; the result never depends on it")
        ->type_name("N")->check(CLI::Range(1, 1024));
}

namespace {

/// Also the files that a PVD file lists; one that cannot be read is told by whoever needs it.
std::vector<std::string> with_members(std::vector<std::string> inputs) {
    for (std::size_t i = 0, count = inputs.size(); i < count; ++i) {
        if (!inputs[i].ends_with(".pvd")) continue;
        try {
            const std::filesystem::path folder = std::filesystem::path(inputs[i]).parent_path();
            for (const PvdEntry& entry : read_pvd(inputs[i])) inputs.push_back((folder / entry.file).string());
        } catch (const Error&) {
            continue;
        }
    }
    return inputs;
}

}  // namespace

void refuse_overwriting(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    const auto same = [](const std::string& a, const std::string& b) {
        if (a.empty() || b.empty()) return false;
        std::error_code ignored;
        return std::filesystem::weakly_canonical(a, ignored) == std::filesystem::weakly_canonical(b, ignored) || std::filesystem::equivalent(a, b, ignored);
    };
    const std::vector<std::string> all = with_members(inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        refuse_file_read(outputs[i]);
        for (const std::string& input : all)
            if (same(input, outputs[i])) throw Error(Fault::bad_usage, {outputs[i], 0, ""}, "is an input and would be overwritten", "another file to write");
        for (std::size_t j = 0; j < i; ++j)
            if (same(outputs[j], outputs[i])) throw Error(Fault::bad_usage, {outputs[i], 0, ""}, "is named for two outputs", "two files");
    }
}

std::unique_ptr<Progress> start_work(const CommonArguments& arguments) {
    catch_interrupts();   // only work that looks at the flag: anything else should simply die
    if (arguments.threads > 0) set_thread_count(arguments.threads);
    const ProgressBar::Style style = arguments.quiet ? ProgressBar::Style::silent : ProgressBar::style_for(stderr);
    return std::make_unique<ProgressBar>(stderr, style);
}

const std::map<std::string, LengthUnit>& length_units() {
    static const std::map<std::string, LengthUnit> units{{"m", LengthUnit::m}, {"cm", LengthUnit::cm}, {"mm", LengthUnit::mm}, {"in", LengthUnit::in}, {"ft", LengthUnit::ft}};
    return units;
}

const std::map<std::string, UpAxis>& up_axes() {
    static const std::map<std::string, UpAxis> ups{{"y", UpAxis::y}, {"z", UpAxis::z}};
    return ups;
}

json to_json(const Error& error) {
    json out{{"fault", to_string(error.fault())}, {"file", error.place().path}, {"line", nullptr}, {"field", error.place().field},
             {"found", error.found()}, {"expected", error.expected()}, {"message", error.what()}};
    if (error.place().line > 0) out["line"] = error.place().line;
    return out;
}

json to_json(const SceneFault& fault) {
    json out{{"fault", to_string(fault.fault)}, {"file", fault.place.path}, {"line", nullptr}, {"field", fault.place.field},
             {"found", fault.found}, {"expected", fault.expected}, {"suggestion", fault.suggestion}, {"message", to_string(fault)}};
    if (fault.place.line > 0) out["line"] = fault.place.line;
    return out;
}

json provenance_json() {
    const Provenance p = provenance();
    return {{"version", p.version}, {"commit", p.commit}, {"compiler", p.compiler}, {"cpu", p.cpu}, {"isa", p.isa}, {"linked", p.linked}, {"threads", p.threads}};
}

std::string about_scene(const Scene& scene) { return text("scene ", scene.name, " ", hex(hash(scene))); }

std::string hex(std::uint64_t value) { return fmt::format("{:#018x}", value); }

int print_version(bool as_json) {
    const Provenance p = provenance();
    if (as_json)
        print(to_json_text(provenance_json()));
    else
        print(text("limber ", p.version, "\ncommit    ", p.commit, "\ncompiler  ", p.compiler, "\nCPU       ", p.cpu, "\nISA       ", p.isa,
                   "\nlinked    ", p.linked, "\nthreads   ", p.threads, "\n"));
    return kDone;
}

}  // namespace limber::cli
