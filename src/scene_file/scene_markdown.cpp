// docs/scene.md: the reference page, written from the tables that validate.
#include "scene_file/scene_table.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>

namespace limber {

namespace {

constexpr const char* kPageHead = R"(# The scene file

<!-- Generated from the tables in src/scene_file/scene_table.cpp and the methods' option tables. Do not edit by hand. -->

One JSON file describes one run. `limber check scene.json` prints everything that is wrong with it at once; a JSON Schema for
editors is in `docs/schema/scene.schema.json`. Lengths are metres and y is up; only a mesh may say otherwise, for itself.

Any value can be changed from the command line: `--set bodies.0.materials.0.young=5000`, `--set step=1/60`,
`--set method.options.scheme=bdf2`. Entries of lists go by number or by their name: `--set bodies.block.handles.needle.axes=x`;
those of a vector also by `x`, `y`, `z`. Numbers may be fractions: `--set material.poisson=1/3`.

Short paths, for what is changed most:

| short | means |
|---|---|
| `material.young` | field `young` of the body's only material; of several, `material.0.young` or, by its cells, `material.shell.young` |
| `mesh.high.x` | field `high` of the body's mesh, its x |
| `method=linear_fem` | the method's name |
| `scheme=bdf2` | an option of the scene's method, `method.options.scheme`, unless the scene itself has a field of that name (`step`) |
| `poisson=0.4` | a number of the only material, unless the method has an option of that name |

A material's fields have other names too: `E`, `youngs_modulus`, `young_modulus` (young), `nu`, `poisson_ratio`, `poissons_ratio` (poisson),
`rho`, `mass_density` (density), `alpha`, `beta` (rayleigh_alpha, rayleigh_beta). They are for paths only; files have one name per field.

Step i ends at i times the step. A keyframe on a step time counts from that step on: a handle that stops at t = 2 s has velocity 0
in the step that ends at 2 s.

)";

std::string anchor(const SceneTable& table) {
    std::string out = table.name;
    for (char& c : out) c = c == ' ' ? '-' : c;
    return out;
}

/// Bars would end the cell.
std::string cell(std::string words) {
    for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos; at += 2) words.replace(at, 1, "\\|");
    return words;
}

std::string value_words(const SceneField& f) {
    std::string words = cell(expectation(f));
    if (f.nested) {
        const std::string plain = text("(", f.nested->name, ")");
        const std::size_t at = words.find(plain);
        if (at != std::string::npos)
            words.replace(at, plain.size(), text("([", f.nested->name, "](#", anchor(*f.nested), "))"));
    }
    if (!f.only_for.empty()) words += fmt::format("; with {}", fmt::join(f.only_for, ", "));
    if (!f.not_with.empty()) words += fmt::format("; not with {}", fmt::join(f.not_with, ", "));
    return words;
}

std::string default_words(const SceneField& f) {
    return *f.fallback ? text("`", f.fallback, "`") : (f.required || !f.needed_for.empty() ? "**required**" : "");
}

std::string rules(const SceneTable& table) {
    std::string out;
    if (!table.one_of.empty()) out += fmt::format("Exactly one of `{}`.\n\n", fmt::join(table.one_of, "`, `"));
    if (!table.any_of.empty()) {
        std::vector<std::string> ways;
        for (const auto& group : table.any_of) ways.push_back(fmt::format("`{}`", fmt::join(group, "` and `")));
        out += fmt::format("At least {}.\n\n", fmt::join(ways, ", or "));
    }
    return out;
}

std::string section(const SceneTable& table) {
    std::string out = text("## ", table.name, "\n\n", table.sentence, "\n\n", rules(table));
    out += "| field | value | default | meaning |\n|---|---|---|---|\n";
    for (const SceneField& f : table.fields)
        out += text("| `", f.name, "` | ", value_words(f), " | ", default_words(f), " | ", cell(f.sentence), " |\n");
    return out + "\n";
}

std::string written(const OptionValue& value) {
    if (const double* number = value.number()) return text(*number);
    if (const bool* flag = value.flag()) return *flag ? "true" : "false";
    return text("\"", *value.word(), "\"");
}

std::string option_range(const OptionSpec& o) {
    switch (o.type) {
        case OptionType::real:
        case OptionType::integer: {
            const std::string unit = o.unit.empty() ? "" : text(" [", o.unit, "]");
            return text(o.type == OptionType::real ? "a number" : "a whole number", " from ", o.low, " to ", o.high,
                        unit);
        }
        case OptionType::flag: return "true or false";
        case OptionType::choice: return fmt::format("\"{}\"", fmt::join(o.choices, "\", \""));
    }
    return {};
}

std::string method_section(const Method& method) {
    std::string out = text("## options of ", method.name(), "\n\n", method.summary(),
                           "\n\n| option | value | default | meaning |\n|---|---|---|---|\n");
    for (const OptionSpec& o : method.options()) {
        out += text("| `", o.name, "` | ", cell(option_range(o)), " | `", written(o.fallback), "` | ", cell(o.sentence),
                    o.live ? " Can change while running." : "", " |\n");
    }
    return out + "\n";
}

}  // namespace

std::string scene_reference_markdown() {
    std::string out = kPageHead;
    for (const SceneTable* table : all_scene_tables()) out += section(*table);
    for (const Method* method : all_methods()) out += method_section(*method);
    while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
    return out;
}

}  // namespace limber
