#include "cli/cli.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "report/files.hpp"
#include "report/interrupt.hpp"
#include "report/progress_bar.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <sys/stat.h>

namespace limber::cli {

using nlohmann::json;

void print(std::string_view words) {
    errno = 0;
    if (std::fwrite(words.data(), 1, words.size(), stdout) != words.size() || std::fflush(stdout) != 0) {
        throw Error(Fault::bad_file, InputLocation{"standard output", 0, {}}, std::strerror(errno),
                    "a place that can be written");
    }
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

void warn(const std::vector<SceneFault>& warnings) {
    constexpr std::size_t kMostTold = 100;
    for (std::size_t i = 0; i < warnings.size() && i < kMostTold; ++i)
        complain(text("warning: ", to_string(warnings[i])));
    if (warnings.size() > kMostTold) {
        complain(text("warning: ", counted(warnings.size() - kMostTold, "further warning"),
                      " (limber check --json lists all)"));
    }
}

void add_scene_arguments(CLI::App& verb, SceneArguments& arguments) {
    verb.add_option("scene", arguments.path, "the scene (JSON)")->required()->type_name("SCENE");
    verb.add_option(
            "--set", arguments.sets,
            "change a value of the scene first, e.g. step=1/60 or bodies.0.materials.0.young=5000; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false);
}

void add_json_flag(CLI::App& verb, CommonArguments& arguments) {
    verb.add_flag("--json", arguments.json, "print the result as JSON");
}

void add_work_arguments(CLI::App& verb, CommonArguments& arguments) {
    verb.add_flag("-q,--quiet", arguments.quiet,
                  "show no progress, notes and warnings of the input (--json lists them); how the work went is still "
                  "said");
    verb.add_option("--threads", arguments.threads, "threads used inside steps; the result never depends on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
}

namespace {

namespace fs = std::filesystem;

/// What a path leads to: of files that exist the file itself, by whatever name, otherwise the name in its folder.
struct PathTarget {
    std::optional<std::pair<dev_t, ino_t>> file;
    fs::path name;
    bool operator==(const PathTarget& other) const {
        return file || other.file ? file == other.file : name == other.name;
    }
};

/// Folders are asked for once: a PVD file may name a hundred thousand files.
class PathTargets {
public:
    PathTarget of(const std::string& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) == 0) return {std::pair{info.st_dev, info.st_ino}, {}};
        const fs::path whole(path);
        auto known = folders_.find(whole.parent_path().string());
        std::error_code ignored;
        if (known == folders_.end()) {
            known = folders_
                        .emplace(whole.parent_path().string(),
                                 fs::weakly_canonical(fs::absolute(whole, ignored).parent_path(), ignored))
                        .first;
        }
        return {{}, known->second / whole.filename()};
    }

private:
    std::map<std::string, fs::path> folders_;
};

/// Also the files that a PVD file lists; one that cannot be read is told by whoever needs it.
std::vector<std::string> with_members(std::vector<std::string> inputs) {
    for (std::size_t i = 0, count = inputs.size(); i < count; ++i) {
        if (!inputs[i].ends_with(".pvd")) continue;
        try {
            const fs::path folder = fs::path(inputs[i]).parent_path();
            for (const PvdEntry& entry : read_pvd(inputs[i])) inputs.push_back((folder / entry.file).string());
        } catch (const Error&) {
            continue;
        }
    }
    return inputs;
}

}  // namespace

void refuse_overwriting(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    PathTargets targets;
    std::vector<std::pair<std::string, PathTarget>> written;
    for (const std::string& output : outputs)
        if (!output.empty()) written.emplace_back(output, targets.of(output));
    for (std::size_t i = 0; i < written.size(); ++i) {
        refuse_file_read(written[i].first);
        for (std::size_t j = 0; j < i; ++j) {
            if (written[j].second == written[i].second)
                throw Error(Fault::bad_usage, {written[i].first, 0, ""}, "is named for two outputs", "two files");
        }
    }
    for (const std::string& input : with_members(inputs)) {
        if (input.empty()) continue;
        const PathTarget read = targets.of(input);
        for (const auto& [name, target] : written) {
            if (read == target) {
                throw Error(Fault::bad_usage, {name, 0, ""}, "is an input and would be overwritten",
                            "another file to write");
            }
        }
    }
}

namespace {

fs::path real_path(const std::string& path) {
    std::error_code ignored;
    fs::path out = fs::weakly_canonical(path, ignored);
    return out.has_filename() ? out : out.parent_path();  // "v/" is v
}

bool lies_in(const fs::path& file, const fs::path& folder) {
    return file != folder &&
           std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

bool is_taken(const FolderClaim& claim, const std::string& name) {
    return is_claimed(claim, name) && std::find(claim.kept.begin(), claim.kept.end(), name) == claim.kept.end();
}

[[noreturn]] void refuse_output(const std::string& file, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_usage, {file, 0, {}}, found, expected);
}

}  // namespace

void refuse_nested_outputs(const std::vector<std::string>& files, const std::string& folder, const FolderClaim* claim) {
    std::vector<std::string> all = files;
    all.push_back(folder);
    for (const std::string& file : files) {
        if (file.empty()) continue;
        const fs::path real = real_path(file);
        for (const std::string& other : all) {
            if (!other.empty() && lies_in(real_path(other), real))
                refuse_output(file, text("is named as a file, and as the folder of ", other), "another place");
        }
        if (!folder.empty() && real == real_path(folder))
            refuse_output(file, "is named as a file and as a folder", "two names");
        const bool inside = !folder.empty() && lies_in(real, real_path(folder));
        const bool taken = inside && (claim == nullptr || (real.parent_path() == real_path(folder) &&
                                                           is_taken(*claim, real.filename().string())));
        if (taken) {
            refuse_output(
                file,
                text("lies in ", folder,
                     claim == nullptr ? ", which is written as a whole" : ", under a name that is written there"),
                "a place outside of it");
        }
        std::error_code ignored;
        const bool made_here = !folder.empty() && real.parent_path() == real_path(folder);
        const bool has_folder = made_here || real.parent_path().empty() ||
                                fs::is_directory(real.parent_path(), ignored);
        if (!has_folder) {
            throw Error(Fault::bad_file, {file, 0, {}}, text("no directory ", fs::path(file).parent_path().string()),
                        "a place that can be written");
        }
    }
}

std::unique_ptr<Progress> start_work(const CommonArguments& arguments) {
    catch_interrupts();  // only work that looks at the flag: anything else should simply die
    if (arguments.threads > 0) set_thread_count(arguments.threads);
    const ProgressBar::Style style = arguments.quiet ? ProgressBar::Style::silent : ProgressBar::style_for(stderr);
    return std::make_unique<ProgressBar>(stderr, style);
}

Scene read_scene_visibly(const std::string& path, const std::vector<std::string>& sets,
                         const CommonArguments& arguments) {
    const std::unique_ptr<Progress> progress = start_work(arguments);
    return read_scene(path, sets, {progress.get()});
}

namespace {

template <class Value>
CLI::Validator words_of(const std::vector<std::pair<std::string, Value>>& pairs) {
    std::vector<std::string> words;
    std::string all;
    for (const auto& [word, value] : pairs) {
        words.push_back(word);
        all += (all.empty() ? "" : ", ") + word;
    }
    const CLI::CheckedTransformer known(pairs);
    return {[known, words, all](std::string& given) {
                const std::string word = given;
                return known(given).empty() ? std::string()
                                            : text("'", word, "'", suggestion(word, words), "; expected one of ", all);
            },
            ""};
}

CLI::Validator number_from(bool zero_too, const char* expected) {
    return {[zero_too, expected](std::string& given) {
                double number = 0.0;
                const bool good = CLI::detail::lexical_cast(given, number) &&
                                  (number > 0.0 || (zero_too && number == 0.0)) && std::isfinite(number);
                return good ? std::string() : text("'", given, "'; expected ", expected);
            },
            ""};
}

}  // namespace

CLI::Validator length_words() {
    return words_of<LengthUnit>({{"m", LengthUnit::m},
                                 {"cm", LengthUnit::cm},
                                 {"mm", LengthUnit::mm},
                                 {"in", LengthUnit::in},
                                 {"ft", LengthUnit::ft}});
}
CLI::Validator up_words() { return words_of<UpAxis>({{"y", UpAxis::y}, {"z", UpAxis::z}}); }
CLI::Validator above_zero() { return number_from(false, "a number above 0"); }
CLI::Validator zero_or_above() { return number_from(true, "0 or a number above it"); }

json to_json(const Error& error) {
    json out{{"fault", to_string(error.fault())},
             {"file", error.place().path},
             {"line", nullptr},
             {"field", error.place().field},
             {"found", error.found()},
             {"expected", error.expected()},
             {"message", error.what()}};
    if (error.place().line > 0) out["line"] = error.place().line;
    return out;
}

json to_json(const SceneFault& fault) {
    json out{{"fault", to_string(fault.fault)}, {"file", fault.place.path},   {"line", nullptr},
             {"field", fault.place.field},      {"found", fault.found},       {"expected", fault.expected},
             {"suggestion", fault.suggestion},  {"message", to_string(fault)}};
    if (fault.place.line > 0) out["line"] = fault.place.line;
    return out;
}

json provenance_json() {
    const Provenance p = provenance();
    return {{"version", p.version}, {"commit", p.commit}, {"compiler", p.compiler}, {"cpu", p.cpu},
            {"isa", p.isa},         {"linked", p.linked}, {"threads", p.threads}};
}

std::string about_scene(const Scene& scene) { return text("scene ", scene.name, " ", hex(hash(scene))); }

std::string hex(std::uint64_t value) { return fmt::format("{:#018x}", value); }

int print_version(bool as_json) {
    const Provenance p = provenance();
    if (as_json) {
        print(to_json_text(provenance_json()));
    } else {
        print(text("limber ", p.version, "\ncommit    ", p.commit, "\ncompiler  ", p.compiler, "\nCPU       ", p.cpu,
                   "\nISA       ", p.isa, "\nlinked    ", p.linked, "\nthreads   ", p.threads, "\n"));
    }
    return kDone;
}

}  // namespace limber::cli
