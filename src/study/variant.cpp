// Combinations are made on the scene's JSON, so that whatever --set can say can also be varied.
#include "study/variant.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "scene_file/scene_set.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <filesystem>

namespace limber {
namespace {

/// One varied path, as one method understands it.
struct VariedPath {
    std::string name;
    std::vector<std::string> values;
    bool words = false;
};

/// One method of the comparison and the scene's JSON with it in.
struct MethodBase {
    std::string name;  ///< as typed
    JsonValue root;
};

std::string after_equals(const std::string& typed, const char* option, std::string& name, const char* expected) {
    const std::size_t equals = typed.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw Error(Fault::bad_usage, {text(option, " ", typed), 0, {}},
                    equals == 0 ? "nothing before \"=\"" : "no \"=\"", expected);
    }
    name = typed.substr(0, equals);
    return typed.substr(equals + 1);
}

void assign(JsonValue& root, const std::string& assignment) {
    std::vector<SceneFault> faults;
    if (!apply_set(root, assignment, faults)) throw SceneError(std::move(faults));
}

/// Another method keeps those of the scene's options that it has too; what only the scene's own method has goes.
void drop_foreign_options(JsonValue& root, const Method& method) {
    JsonValue* object = root.find("method");
    JsonValue* options = object ? object->find("options") : nullptr;
    if (!options) return;
    const OptionTable table = method.options();
    std::vector<JsonMember>& members = options->members;
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const JsonMember& m) {
                                     const auto spec = std::find_if(
                                         table.begin(), table.end(),
                                         [&](const OptionSpec& s) { return s.name == m.name; });
                                     if (spec == table.end()) return true;
                                     return spec->type == OptionType::choice &&
                                            std::find(spec->choices.begin(), spec->choices.end(), m.value.text) ==
                                                spec->choices.end();
                                 }),
                  members.end());
}

std::vector<std::string> expanded_methods(const std::vector<std::string>& typed, const Scene& base) {
    std::vector<std::string> out;
    for (const std::string& one : typed) {
        if (one != "all") {
            out.push_back(one);
            continue;
        }
        const std::shared_ptr<const Body> body = make_body(base);
        for (const Method* method : all_methods()) {
            try {
                check_traits(*method, *body);
                out.emplace_back(method->name());
            } catch (const Error&) {
                // Not for this body: "all" means all that can.
            }
        }
    }
    return out;
}

std::vector<MethodBase> method_bases(const JsonValue& root, const std::vector<std::string>& typed, const Scene& base) {
    if (typed.empty()) return {{base.method.name, root}};
    std::vector<MethodBase> out;
    for (const std::string& one : expanded_methods(typed, base)) {
        const NamedOptions parts = split_options(one);
        const std::string argument = text("--methods ", one);
        const Method& method = require_method(parts.name, {argument, 0, {}});
        MethodBase made{one, root};
        if (parts.name != base.method.name) drop_foreign_options(made.root, method);
        assign(made.root, text("/method/name=\"", parts.name, "\""));
        for (const auto& [option, value] : parts.options) {
            parse_option(method.options(), option, value, argument);
            assign(made.root, text("/method/options/", option, "=", value));
        }
        out.push_back(std::move(made));
    }
    return out;
}

/// The values that this target of a path takes.
std::vector<std::string> accepted(const ScenePathTarget& target, const std::vector<std::string>& typed) {
    if (typed.size() == 1 && typed[0] == "all") return target.choices;
    std::vector<std::string> out;
    for (const std::string& value : typed) {
        const bool known = target.kind != ScenePathKind::choice || target.choices.empty() ||
                           std::find(target.choices.begin(), target.choices.end(), value) != target.choices.end();
        if (known && std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
    }
    return out;
}

void refuse_unknown(const std::string& argument, const std::vector<std::string>& typed,
                    const std::vector<std::string>& used, const ScenePathTarget& target) {
    for (const std::string& value : typed) {
        if (value == "all" && typed.size() == 1) {
            if (target.choices.empty()) {
                throw Error(Fault::bad_usage, {argument, 0, {}}, "\"all\" of something that is not a choice",
                            "a list of values");
            }
            continue;
        }
        if (value.empty()) throw Error(Fault::bad_usage, {argument, 0, {}}, "an empty value", "values between commas");
        if (!may_be_value(target, value)) {
            throw Error(Fault::bad_usage, {argument, 0, {}}, text("\"", value, "\""),
                        "a number or a fraction such as 1/60");
        }
        if (std::find(used.begin(), used.end(), value) != used.end()) continue;
        throw Error(Fault::bad_usage, {argument, 0, {}}, text("\"", value, "\"", suggestion(value, target.choices)),
                    fmt::format("one of {}", fmt::join(target.choices, ", ")));
    }
}

/// The axes of every method; a path that only another method has is left out. Throws for what no method understands.
std::vector<std::vector<VariedPath>> resolve_axes(const std::vector<MethodBase>& methods,
                                                  const std::vector<std::string>& vary) {
    std::vector<std::vector<VariedPath>> out(methods.size());
    for (const std::string& one : vary) {
        const std::string argument = text("--vary ", one);
        std::string path;
        const std::vector<std::string> typed = split_values(
            after_equals(one, "--vary", path, "path=value,value,... or path=all"));
        std::vector<SceneFault> faults;
        std::vector<std::string> used;
        ScenePathTarget target;
        bool found = false;
        for (std::size_t m = 0; m < methods.size(); ++m) {
            if (!find_path_target(methods[m].root, path, argument, target, faults)) continue;
            found = true;
            VariedPath axis{
                path, accepted(target, typed),
                target.kind == ScenePathKind::choice && (target.choices.empty() || target.choices[0] != "false")};
            used.insert(used.end(), axis.values.begin(), axis.values.end());
            if (!axis.values.empty()) out[m].push_back(std::move(axis));
        }
        if (!found) throw SceneError({faults.front()});
        refuse_unknown(argument, typed, used, target);
    }
    return out;
}

std::string label_of(const std::vector<Choice>& choices, const std::string& otherwise) {
    std::string out;
    for (const Choice& c : choices) {
        const std::string key = c.axis.substr(c.axis.find_last_of("./") + 1);
        out += text(out.empty() ? "" : ", ", c.words ? c.value : text(key, " ", c.value));
    }
    return out.empty() ? otherwise : out;
}

/// A step in the method's options counts more than the scene's: whoever varies the step means both.
void follow_step(JsonValue& root, const Choice& choice) {
    const JsonValue* method = root.find("method");
    const JsonValue* options = method ? method->find("options") : nullptr;
    if ((choice.axis == "step" || choice.axis == "/step") && options && options->find("step"))
        assign(root, text("/method/options/step=", choice.value));
}

Candidate make_candidate(const MethodBase& method, std::vector<Choice> choices, const CandidateRequest& request) {
    Candidate out;
    out.name = label_of(choices, method.name);
    out.choices = std::move(choices);
    try {
        JsonValue root = method.root;
        for (const Choice& c : out.choices) {
            if (c.axis == "method") continue;
            assign(root, text(c.axis, "=", c.value));
            follow_step(root, c);
        }
        const std::string folder = std::filesystem::path(request.scene_path).parent_path().string();
        out.scene = parse_scene(write_json(root), request.scene_path, {}, folder);
    } catch (const Error& error) {
        out.fault = error.what();
    }
    return out;
}

void add_combinations(const MethodBase& method, bool name_method, const std::vector<VariedPath>& axes,
                      const CandidateRequest& request, std::vector<Candidate>& out) {
    std::vector<std::size_t> at(axes.size(), 0);
    for (bool more = true; more;) {
        if (out.size() >= kMaxCandidates) {
            throw Error(Fault::bad_usage, {"--vary", 0, {}}, text("more than ", kMaxCandidates, " candidates"),
                        "fewer, or limber sweep");
        }
        std::vector<Choice> choices;
        if (name_method) choices.push_back({"method", method.name, true});
        for (std::size_t a = 0; a < axes.size(); ++a)
            choices.push_back({axes[a].name, axes[a].values[at[a]], axes[a].words});
        out.push_back(make_candidate(method, std::move(choices), request));
        more = false;
        for (std::size_t a = axes.size(); a-- > 0 && !more;) {
            more = ++at[a] < axes[a].values.size();
            if (!more) at[a] = 0;
        }
    }
}

void add_files(const std::vector<std::string>& files, std::vector<Candidate>& out) {
    for (const std::string& typed : files) {
        Candidate c;
        const std::string argument = text("--candidate ", typed);
        c.file = parse_series_source(after_equals(typed, "--candidate", c.name, "name=file"), argument);
        c.choices = {{"file", c.name, true}};
        out.push_back(std::move(c));
    }
}

void check_names(const std::vector<Candidate>& candidates) {
    std::vector<std::string> names;
    names.reserve(candidates.size());
    for (const Candidate& c : candidates) names.push_back(c.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        throw Error(Fault::bad_usage, {}, text("two candidates are called \"", *twice, "\""),
                    "a name of its own for each");
    }
}

/// --vary method=a,b means --methods a --methods b: another method takes other options.
CandidateRequest with_methods_apart(CandidateRequest request) {
    std::vector<std::string> others;
    for (const std::string& one : request.vary) {
        std::string path;
        const std::string values = after_equals(one, "--vary", path, "path=value,value,... or path=all");
        if (path != "method" && path != "method.name" && path != "/method" && path != "/method/name") {
            others.push_back(one);
            continue;
        }
        if (!request.methods.empty()) {
            throw Error(Fault::bad_usage, {text("--vary ", one), 0, {}}, "methods are given twice",
                        "either this or --methods, once");
        }
        request.methods = split_values(values);
    }
    request.vary = std::move(others);
    return request;
}

JsonValue read_root(const CandidateRequest& request) {
    std::vector<SceneFault> faults;
    JsonValue root;
    const std::string bytes = read_file(request.scene_path);
    if (!parse_json(bytes, request.scene_path, faults, root)) throw SceneError(std::move(faults));
    for (const std::string& set : request.sets)
        if (!apply_set(root, set, faults)) throw SceneError(std::move(faults));
    return root;
}

}  // namespace

CandidateList list_candidates(const CandidateRequest& typed) {
    const CandidateRequest request = with_methods_apart(typed);
    CandidateList out;
    out.base = read_scene(request.scene_path, request.sets, {request.progress});  // its faults come with line numbers
    const JsonValue root = read_root(request);
    out.scene_json = write_json(root);
    const std::vector<MethodBase> methods = method_bases(root, request.methods, out.base);
    const std::vector<std::vector<VariedPath>> axes = resolve_axes(methods, request.vary);
    for (std::size_t m = 0; m < methods.size(); ++m)
        add_combinations(methods[m], methods.size() > 1, axes[m], request, out.candidates);
    add_files(request.files, out.candidates);
    check_names(out.candidates);
    return out;
}

}  // namespace limber
