// limber materials: the presets in human words, each with its source.
#include "cli/cli.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

#include <limber/material.hpp>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

using nlohmann::json;

json to_json(const MaterialPreset& p) {
    const Material& m = p.material;
    return {{"name", m.name},
            {"young", m.young},
            {"young_range", {p.young_low, p.young_high}},
            {"poisson", m.poisson},
            {"density", m.density},
            {"rayleigh_alpha", m.rayleigh_alpha},
            {"rayleigh_beta", m.rayleigh_beta},
            {"words", p.words},
            {"source", p.source}};
}

std::vector<const MaterialPreset*> chosen(const std::string& name) {
    std::vector<const MaterialPreset*> out;
    std::vector<std::string> names;
    for (const MaterialPreset& p : material_presets()) {
        names.push_back(p.material.name);
        if (name.empty() || p.material.name == name) out.push_back(&p);
    }
    if (out.empty()) {
        throw Error(Fault::bad_usage, {}, text("unknown material '", name, "'", suggestion(name, names)),
                    "a name listed by limber materials");
    }
    return out;
}

int materials(const std::string& name, bool as_json) {
    const std::vector<const MaterialPreset*> list = chosen(name);
    if (as_json) {
        json out = json::array();
        for (const MaterialPreset* p : list) out.push_back(to_json(*p));
        print_json({{"materials", out}});
        return kDone;
    }
    Table table{{{"material"},
                 {"E [Pa]", Align::right},
                 {"published E [Pa]", Align::right},
                 {"nu", Align::right},
                 {"rho [kg/m^3]", Align::right},
                 {"what it is"},
                 {"source"}},
                {}};
    for (const MaterialPreset* p : list) {
        table.add({p->material.name, short_number(p->material.young),
                   text(short_number(p->young_low), " to ", short_number(p->young_high)),
                   short_number(p->material.poisson), short_number(p->material.density), p->words, p->source});
    }
    print(to_text(table, look_of(1)));
    return kDone;
}

}  // namespace

void add_materials(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("materials", "list the material presets and where their numbers come from");
    auto name = std::make_shared<std::string>();
    auto common = std::make_shared<CommonArguments>();
    verb->add_option("material", *name, "only this one")->type_name("MATERIAL");
    add_json_flag(*verb, *common);
    verb->callback([name, common, &action] { action = [name, common] { return materials(*name, common->json); }; });
}

}  // namespace limber::cli
