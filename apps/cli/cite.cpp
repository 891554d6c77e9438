// limber cite: how to cite limber, and the papers behind what a scene uses.
#include "cli/cli.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>
#include <limber/tools/matrices.hpp>
#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

using nlohmann::json;

// The same words as in CITATION.cff; tests/cli/cite_test.py compares the two.
constexpr const char* kTitle = "limber: real-time deformable solids that say how far they are from the truth";
constexpr const char* kAuthor = "limber maintainers";
constexpr const char* kLicense = "Apache-2.0";

/// What of a scene decides whether a paper stands behind it.
struct Use {
    const Body& body;
    Options options;        ///< of the method, defaults included
    bool averaged = false;  ///< linear_fem: volume change is a mean (bbar)

    bool simplex() const { return body.mesh().kind == CellKind::tri3 || body.mesh().kind == CellKind::tet4; }
    bool chosen(const char* option, const char* value) const { return options.choice(option) == value; }
};

struct Paper {
    const char* method;  ///< whose users should cite it
    const char* key;
    const char* type;     ///< BibTeX's
    const char* authors;  ///< joined by " and ", as BibTeX wants them
    const char* title;
    const char* where;  ///< journal, publisher or institution; "" = the paper does not say
    const char* year;   ///< "" = the paper does not say
    const char* used_for;
    bool (*applies)(const Use& use);
};

bool always(const Use&) { return true; }

constexpr Paper kPapers[] = {
    {"linear_fem", "alterovitz_goldberg", "misc", "Ron Alterovitz and Ken Goldberg",
     "Comparing Algorithms for Soft Tissue Deformation: Accuracy Metrics and Benchmarks", "UC Berkeley", "",
     "the linear method, its schemes, and the accuracy metrics", always},
    {"linear_fem", "zienkiewicz_taylor_2000", "book", "O. C. Zienkiewicz and R. L. Taylor", "The Finite Element Method",
     "Butterworth-Heinemann, fifth edition", "2000", "element matrices", always},
    {"linear_fem", "newmark_1959", "article", "Nathan M. Newmark", "A Method of Computation for Structural Dynamics",
     "Journal of the Engineering Mechanics Division, ASCE 85(3)", "1959",
     "the schemes newmark_implicit and newmark_explicit",
     [](const Use& u) { return u.chosen("scheme", "newmark_implicit") || u.chosen("scheme", "newmark_explicit"); }},
    {"linear_fem", "hughes_1980", "article", "Thomas J. R. Hughes",
     "Generalization of Selective Integration Procedures to Anisotropic and Nonlinear Media",
     "International Journal for Numerical Methods in Engineering 15(9)", "1980", "integration bbar",
     [](const Use& u) { return u.averaged && !u.simplex(); }},
    {"linear_fem", "bonet_burton_1998", "article", "Javier Bonet and A. J. Burton",
     "A Simple Average Nodal Pressure Tetrahedral Element for Incompressible and Nearly Incompressible Dynamic "
     "Explicit Applications",
     "Communications in Numerical Methods in Engineering 14(5)", "1998", "integration bbar of tri3 and tet4",
     [](const Use& u) { return u.averaged && u.simplex(); }},
    {"linear_fem", "hinton_rock_zienkiewicz_1976", "article", "E. Hinton and T. Rock and O. C. Zienkiewicz",
     "A Note on Mass Lumping and Related Processes in the Finite Element Method",
     "Earthquake Engineering and Structural Dynamics 4(3)", "1976", "lumped mass of tet10",
     [](const Use& u) { return u.chosen("mass", "lumped") && u.body.mesh().kind == CellKind::tet10; }},
    {"linear_fem", "picinbono_delingette_ayache_2001", "inproceedings", "G. Picinbono and H. Delingette and N. Ayache",
     "Nonlinear and Anisotropic Elastic Soft Tissue Models for Medical Simulation",
     "IEEE International Conference on Robotics and Automation", "2001", "volume_penalty",
     [](const Use& u) { return u.options.real("volume_penalty") > 0.0; }},
    {"linear_fem", "karypis_kumar_1998", "article", "George Karypis and Vipin Kumar",
     "A Fast and High Quality Multilevel Scheme for Partitioning Irregular Graphs",
     "SIAM Journal on Scientific Computing 20(1)", "1998", "METIS, which orders the factorisation",
     [](const Use& u) { return u.chosen("solver", "cholesky"); }},
    {"clustered_fem", "tang_wan_niquin_schildknecht", "misc", "W. Tang and T. R. Wan and C. Niquin and A. Schildknecht",
     "Fast and Accurate Finite Element Method for Deformation Animations", "", "", "clustered products", always},
    {"neo_hookean", "smith_degoes_kim_2018", "article", "Breannan Smith and Fernando de Goes and Theodore Kim",
     "Stable Neo-Hookean Flesh Simulation", "ACM Transactions on Graphics 37(2)", "2018",
     "the energy density, and the mapping of its moduli", always},
    {"modal", "james_pai_dyrt", "misc", "Doug L. James and Dinesh K. Pai",
     "DyRT: Dynamic Response Textures for Real Time Deformation Simulation with Graphics Hardware",
     "University of British Columbia", "", "modal response to rigid motion", always},
    {"wavelet", "capell_green_curless_duchamp_popovic", "techreport",
     "Steve Capell and Seth Green and Brian Curless and Tom Duchamp and Zoran Popovi\u0107",
     "A Multiresolution Framework for Dynamic Deformations",
     "University of Washington, Department of Computer Science and Engineering, Technical Report 02-04-02", "",
     "subdivision wavelets", always},
    {"bem", "watanabe_ohya_kurumisawa_tokunaga", "misc",
     "Takafumi Watanabe and Jun Ohya and Jun Kurumisawa and Yukio Tokunaga",
     "Real-time Method for Animating Elastic Objects' Behaviors Including Collisions", "", "",
     "boundary elements that collide", always},
};

/// A material of the scene that came from a preset.
struct Source {
    std::string material, source;
};

struct Citations {
    std::vector<Paper> papers;
    std::vector<Source> materials;
    json scene;  ///< null without one
};

Citations of_every_method() {
    Citations out;
    std::copy_if(std::begin(kPapers), std::end(kPapers), std::back_inserter(out.papers),
                 [](const Paper& p) { return find_method(p.method) != nullptr; });
    return out;
}

Citations of_scene(const SceneArguments& arguments) {
    const Scene scene = read_scene(arguments.path, arguments.sets);
    const std::shared_ptr<const Body> body = make_body(scene);
    const std::string name = !scene.statics                                     ? scene.method.name
                             : scene.statics->method == StaticSpec::Method::bem ? "bem"
                                                                                : "linear_fem";
    const bool linear = name == "linear_fem";
    OptionValues options = scene.method.options;
    if (scene.statics && linear) options["scheme"] = std::string("quasi_static");  // nothing moves
    const Use use{*body, Options(require_method(name).options(), options), linear && averages_volume(*body, options)};
    Citations out;
    for (const Paper& p : kPapers)
        if (name == p.method && p.applies(use)) out.papers.push_back(p);
    for (const Material& material : body->materials()) {
        if (const MaterialPreset* preset = find_material_preset(material.name))
            out.materials.push_back({material.name, preset->source});
    }
    out.scene = {{"name", scene.name}, {"hash", hex(hash(scene))}, {"method", name}};
    return out;
}

std::vector<std::string> split_authors(std::string_view joined) {
    std::vector<std::string> out;
    constexpr std::string_view kAnd = " and ";
    for (std::size_t at = 0; at != std::string_view::npos;) {
        const std::size_t next = joined.find(kAnd, at);
        out.emplace_back(joined.substr(at, next - at));
        at = next == std::string_view::npos ? next : next + kAnd.size();
    }
    return out;
}

std::string readable(const char* authors) {
    const std::vector<std::string> names = split_authors(authors);
    std::string out = names[0];
    for (std::size_t i = 1; i < names.size(); ++i)
        out += (i + 1 == names.size() ? (names.size() > 2 ? ", and " : " and ") : ", ") + names[i];
    return out.back() == '.' ? out : out + ".";
}

std::string to_text_of(const Citations& c) {
    const Provenance p = provenance();
    std::string out = text("limber itself:\n  ", kAuthor, ". ", kTitle, ". Version ", p.version, ", commit ", p.commit,
                           ".\n");
    out += c.scene.is_null()
               ? text("\nThe papers behind its methods (limber cite SCENE lists only what a scene uses):\n")
               : text("\nThe papers behind ", c.scene["name"].get<std::string>(), " (scene ",
                      c.scene["hash"].get<std::string>(), "):\n");
    for (const Paper& paper : c.papers) {
        out += text("  ", readable(paper.authors), " ", paper.title, ".", *paper.where ? " " : "", paper.where,
                    *paper.year ? (*paper.where ? ", " : " ") : "", paper.year, *paper.where || *paper.year ? "." : "",
                    "\n      for ", paper.used_for, "\n");
    }
    if (!c.materials.empty()) out += "\nWhere its materials' numbers come from:\n";
    for (const Source& s : c.materials) out += text("  ", s.material, ": ", s.source, "\n");
    return out;
}

std::string to_bibtex(const Citations& c) {
    const Provenance p = provenance();
    std::string out = text("@software{limber,\n  title = {", kTitle, "},\n  author = {{", kAuthor, "}},\n  version = {",
                           p.version, "},\n  license = {", kLicense, "},\n  note = {commit ", p.commit, "}\n}\n");
    for (const Paper& paper : c.papers) {
        const std::string_view type = paper.type;
        const char* field = type == "article"         ? "journal"
                            : type == "book"          ? "publisher"
                            : type == "inproceedings" ? "booktitle"
                            : type == "techreport"    ? "institution"
                                                      : "howpublished";
        out += text("\n@", type, "{", paper.key, ",\n  title = {", paper.title, "},\n  author = {", paper.authors, "}");
        if (*paper.where) out += text(",\n  ", field, " = {", paper.where, "}");
        if (*paper.year) out += text(",\n  year = {", paper.year, "}");
        out += "\n}\n";
    }
    return out;
}

json to_json(const Citations& c) {
    const Provenance p = provenance();
    json papers = json::array(), materials = json::array();
    for (const Paper& paper : c.papers) {
        papers.push_back({{"key", paper.key},
                          {"method", paper.method},
                          {"authors", split_authors(paper.authors)},
                          {"title", paper.title},
                          {"where", paper.where},
                          {"year", paper.year},
                          {"for", paper.used_for}});
    }
    for (const Source& s : c.materials) materials.push_back({{"material", s.material}, {"source", s.source}});
    return {
        {"limber",
         {{"title", kTitle}, {"author", kAuthor}, {"version", p.version}, {"commit", p.commit}, {"license", kLicense}}},
        {"scene", c.scene},
        {"papers", papers},
        {"materials", materials},
        {"provenance", provenance_json()}};
}

struct CiteArguments {
    SceneArguments scene;
    CommonArguments common;
    bool bibtex = false;
};

int cite(const CiteArguments& arguments) {
    if (arguments.scene.path.empty() && !arguments.scene.sets.empty())
        throw Error(Fault::bad_usage, {"--set", 0, {}}, "no scene to change", "a scene");
    const Citations all = arguments.scene.path.empty() ? of_every_method() : of_scene(arguments.scene);
    if (arguments.common.json)
        print_json(to_json(all));
    else
        print(arguments.bibtex ? to_bibtex(all) : to_text_of(all));
    return kDone;
}

}  // namespace

void add_cite(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("cite", "how to cite limber and the papers behind what a scene uses");
    auto a = std::make_shared<CiteArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->get_option("scene")->required(false)->description(
        "list only what this scene (JSON) uses; without it, every method");
    CLI::Option* bibtex = verb->add_flag("--bibtex", a->bibtex, "print BibTeX entries");
    add_json_flag(*verb, a->common);
    verb->get_option("--json")->excludes(bibtex);
    verb->callback([a, &action] { action = [a] { return cite(*a); }; });
}

}  // namespace limber::cli
