// limber methods: what each method can do and how to ask it.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/table.hpp"

#include <limber/method.hpp>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

using nlohmann::json;

const char* type_name(OptionType type) {
    switch (type) {
        case OptionType::real: return "real";
        case OptionType::integer: return "integer";
        case OptionType::flag: return "flag";
        default: return "choice";
    }
}

std::string words(const OptionValue& value) {
    if (const double* number = value.number()) return short_number(*number, 6);
    if (const bool* flag = value.flag()) return *flag ? "true" : "false";
    return *value.word();
}

std::string range(const OptionSpec& spec) {
    if (spec.type == OptionType::flag) return "true, false";
    if (spec.type != OptionType::choice) return text(short_number(spec.low, 6), " to ", short_number(spec.high, 6));
    std::string out;
    for (const std::string& choice : spec.choices) out += (out.empty() ? "" : ", ") + choice;
    return out;
}

json to_json(const OptionSpec& spec) {
    json out{{"name", spec.name},
             {"type", type_name(spec.type)},
             {"unit", spec.unit},
             {"live", spec.live},
             {"sentence", spec.sentence}};
    spec.fallback.visit([&](const auto& value) { out["default"] = value; });
    if (spec.type == OptionType::choice) out["choices"] = spec.choices;
    if (spec.type == OptionType::real || spec.type == OptionType::integer)
        out["range"] = {json_number(spec.low), json_number(spec.high)};
    return out;
}

json to_json(const Method& method) {
    const Traits t = method.traits();
    json cells = json::array(), options = json::array();
    for (const CellKind kind : t.cells) cells.push_back(to_string(kind));
    for (const OptionSpec& spec : method.options()) options.push_back(to_json(spec));
    const json traits{{"cells", cells},
                      {"fixed_step", t.fixed_step},
                      {"linear", t.linear},
                      {"dynamic", t.dynamic},
                      {"accepts_forces", t.accepts_forces},
                      {"accepts_gravity", t.accepts_gravity},
                      {"accepts_handles", t.accepts_handles},
                      {"accepts_live", t.accepts_live},
                      {"accepts_obstacles", t.accepts_obstacles},
                      {"free_bodies", t.free_bodies},
                      {"readout_stiffness", t.readout_stiffness},
                      {"order", t.order},
                      {"small_load_tolerance", t.small_load_tolerance}};
    return {{"name", method.name()}, {"summary", method.summary()}, {"traits", traits}, {"options", options}};
}

std::string traits_words(const Traits& t) {
    std::string cells;
    for (const CellKind kind : t.cells) cells += (cells.empty() ? "" : ", ") + std::string(to_string(kind));
    std::string accepts;
    const auto add = [&](bool yes, const char* what) {
        if (yes) accepts += (accepts.empty() ? "" : ", ") + std::string(what);
    };
    add(t.accepts_forces, "forces");
    add(t.accepts_gravity, "gravity");
    add(t.accepts_handles, "handles");
    add(t.accepts_live, "live constraints");
    add(t.accepts_obstacles, "obstacles");
    return text("  cells    ", cells, "\n  step     ", t.fixed_step ? "fixed when prepared" : "any", "\n  kind     ",
                t.linear ? "linear" : "nonlinear", ", ", t.dynamic ? "dynamic" : "static", ", order ", t.order,
                " in the step\n  accepts  ", accepts, "\n  bodies   ", t.free_bodies ? "anchored or free" : "anchored",
                "\n");
}

std::string to_text_of(const Method& method) {
    Table table{{{"option"}, {"unit"}, {"default"}, {"range"}, {"live"}, {"what it does"}}, {}};
    for (const OptionSpec& spec : method.options())
        table.add({spec.name, spec.unit, words(spec.fallback), range(spec), spec.live ? "yes" : "", spec.sentence});
    return text(method.name(), ": ", method.summary(), "\n", traits_words(method.traits()), "\n",
                to_text(table, look_of(1)));
}

int methods(const std::string& name, bool as_json) {
    const std::vector<const Method*> list = name.empty() ? all_methods()
                                                         : std::vector<const Method*>{&require_method(name)};
    if (as_json) {
        json out = json::array();
        for (const Method* method : list) out.push_back(to_json(*method));
        print_json({{"methods", out}});
        return kDone;
    }
    std::string out;
    for (const Method* method : list) out += text(out.empty() ? "" : "\n", to_text_of(*method));
    print(out);
    return kDone;
}

}  // namespace

void add_methods(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("methods", "list the methods, what they can do and their options");
    auto name = std::make_shared<std::string>();
    auto common = std::make_shared<CommonArguments>();
    verb->add_option("method", *name, "only this one")->type_name("METHOD");
    add_json_flag(*verb, *common);
    verb->callback([name, common, &action] { action = [name, common] { return methods(*name, common->json); }; });
}

}  // namespace limber::cli
