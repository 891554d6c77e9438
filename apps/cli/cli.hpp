// What the verbs share: how they register, how they print, and the arguments of every verb that takes a scene.
#pragma once

#include <CLI/CLI.hpp>

#include "io/files/indexed_folder.hpp"

#include <limber/error.hpp>
#include <limber/progress.hpp>
#include <limber/tools/scene.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace limber::cli {

constexpr int kDone = 0, kTrouble = 1, kBadInput = 2;

/// What the chosen verb does; returns the exit code. Input faults are thrown as Error.
using Action = std::function<int()>;

// One per verb; each in the file of its name. The action is set when the verb was chosen.
void add_check(CLI::App& app, Action& action);
void add_cite(CLI::App& app, Action& action);
void add_dyrt(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_modes(CLI::App& app, Action& action);
void add_metrics(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_sensitivity(CLI::App& app, Action& action);
void add_methods(CLI::App& app, Action& action);
void add_materials(CLI::App& app, Action& action);
void add_mesh(CLI::App& app, Action& action);
void add_rig(CLI::App& app, Action& action);
void add_rig_pose(CLI::App& rig, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_static(CLI::App& app, Action& action);
int print_version(bool json);

/// CLI::Range takes NaN for a number in every range, since no comparison with it holds.
class NumberRange : public CLI::Range {
public:
    NumberRange(double least, double most) : CLI::Range(least, most) {
        func_ = [inside = func_](std::string& value) {
            double number = 0.0;
            if (CLI::detail::lexical_cast(value, number) && number != number)
                return "Value " + value + " is not a number";
            return inside(value);
        };
    }
};

/// Writes to stdout to the end or throws Error{bad_file}.
void print(std::string_view text);
/// Indented, with a line break at the end; bytes that are not UTF-8 are replaced. An object gets a "provenance" unless
/// it has one.
void print_json(const nlohmann::json& value);
std::string to_json_text(const nlohmann::json& value);
/// A line on stderr: "limber: ..." (one line whatever the text holds).
void complain(std::string_view message);

/// "limber: warning: ..." for each, the first hundred of them: whoever wants all asks `limber check --json`.
void warn(const std::vector<SceneFault>& warnings);

/// A scene and the changes to it.
struct SceneArguments {
    std::string path;
    std::vector<std::string> sets;
};
void add_scene_arguments(CLI::App& verb, SceneArguments& arguments);

struct CommonArguments {
    bool json = false;
    bool quiet = false;
    int threads = 0;  ///< --threads; 0 = not given, which leaves thread_count() as it is: 1
};
void add_json_flag(CLI::App& verb, CommonArguments& arguments);
/// --quiet and --threads; --json is add_json_flag().
void add_work_arguments(CLI::App& verb, CommonArguments& arguments);
/// Throws Error{bad_usage} when an output is one of the inputs (or of the files that a .pvd among them lists), a file
/// that was read before (files_read.hpp), or two outputs are one file; empty names are skipped. Verbs call it once they
/// have read their inputs, before they work.
void refuse_overwriting(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
/// Throws Error{bad_usage} when one of `files` is also a folder on the way to another output, or lies in `folder`
/// although that is written as a whole (or under a name that `claim` writes there), Error{bad_file} when its own folder
/// is not there. Empty names are skipped.
void refuse_nested_outputs(const std::vector<std::string>& files, const std::string& folder,
                           const FolderClaim* claim = nullptr);
/// A bar on a terminal, quiet lines elsewhere, nothing with --quiet. Sets the number of threads where --threads gave
/// one. From here on Ctrl-C asks the work to end.
std::unique_ptr<Progress> start_work(const CommonArguments& arguments);

/// read_scene() with a bar while solids are filled, which takes seconds. From here on Ctrl-C asks the work to end.
Scene read_scene_visibly(const std::string& path, const std::vector<std::string>& sets,
                         const CommonArguments& arguments);

/// For ->transform() of --unit and --up options. CLI11's own print the numbers behind the words.
CLI::Validator length_words();
CLI::Validator up_words();
/// For ->check(). CLI11's own print the largest double with all its digits.
CLI::Validator above_zero();
CLI::Validator zero_or_above();

/// {"fault", "file", "line", "field", "found", "expected", "message"}
nlohmann::json to_json(const Error& error);
nlohmann::json to_json(const SceneFault& fault);
/// Version, commit, compiler, CPU, ISA and linked libraries.
nlohmann::json provenance_json();
/// "scene rod 0x...": for the comment of a file that a scene led to.
std::string about_scene(const Scene& scene);
/// "0x..." in 16 digits.
std::string hex(std::uint64_t value);

}  // namespace limber::cli
