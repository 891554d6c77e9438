// limber: parses the command line, runs one verb, turns whatever goes wrong into one line and an exit code.
#include "cli/cli.hpp"
#include "cli/pictures.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "report/interrupt.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace limber::cli {
namespace {

/// The verb (or verb of a verb) that the arguments chose.
const CLI::App* chosen(const CLI::App& app) {
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    return at;
}

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::string path_of(const CLI::App& app) {
    return app.get_parent() ? text(path_of(*app.get_parent()), " ", app.get_name()) : app.get_name();
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// What the parser did not understand, as an Error with a suggestion.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& verb = *chosen(app);
    const std::string help = text("(see ", path_of(verb), " --help)");
    const std::vector<std::string> left = app.remaining(true);
    const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr,
               lacks_verb = lacks && verb.get_require_subcommand_min() > 0;
    const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
    // Something is missing most often because its name is misspelt.
    const auto misspelt = std::find_if(left.begin(), left.end(), is_option);
    if (((dynamic_cast<const CLI::ExtrasError*>(&error) || lacks_verb) && !left.empty()) ||
        (lacks && misspelt != left.end())) {
        const std::string& word = lacks && misspelt != left.end() ? *misspelt : left.front();
        const bool option = is_option(word);
        const std::vector<std::string> names = option ? option_names(verb) : verb_names(verb);
        const std::string found = option          ? text("unknown option '", word, "'")
                                  : names.empty() ? text("unexpected argument '", word, "'")
                                                  : text("unknown verb '", word, "'");
        const std::string expected = names.empty() ? text("no more arguments ", help)
                                     : option      ? text("an option of ", path_of(verb), " ", help)
                                                   : text("one of ", joined(names));
        return {Fault::bad_usage,
                {},
                text(found, suggestion(option ? word.substr(0, word.find('=')) : word, names)),
                expected};
    }
    if (lacks_verb)
        return {Fault::bad_usage, {}, "no verb given", text("one of ", joined(verb_names(verb)), " ", help)};
    return {Fault::bad_usage, {}, text(error.what(), " ", help)};
}

/// An option with an empty value (-o '' or -o "$UNSET") is a slip, never a wish for the default.
void refuse_empty_values(const CLI::App& verb) {
    for (const CLI::Option* option : verb.get_options()) {
        if (option->get_expected_min() == 0) continue;  // its value may be left out, and is then empty
        const std::vector<std::string>& given = option->results();
        const bool value_is_empty = std::find(given.begin(), given.end(), "") != given.end();
        if (value_is_empty) {
            throw Error(Fault::bad_usage, {option->get_name(), 0, {}}, "is given without a value",
                        text("a value, or no ", option->get_name(), " at all"));
        }
    }
}

void register_verbs(CLI::App& app, Action& action) {
    add_check(app, action);
    add_run(app, action);
    add_modes(app, action);
    add_static(app, action);
    add_metrics(app, action);
    add_compare(app, action);
    add_export(app, action);
    add_sweep(app, action);
    add_sensitivity(app, action);
    add_reproduce(app, action);
    add_methods(app, action);
    add_materials(app, action);
    add_mesh(app, action);
    add_render(app, action);
    add_gallery(app, action);
    add_rig(app, action);
    add_dyrt(app, action);
    add_schema(app, action);
    add_cite(app, action);
}

int parse_and_run(int argc, char** argv) {
    CLI::App app("Deformable solids in real time, with honest error labels.", "limber");
    Action action;
    bool version = false, json = false;
    app.add_flag("--version", version, "version, commit, compiler, CPU, instruction set, linked libraries");
    app.add_flag("--json", json, "with --version: print it as JSON");
    app.footer(
        "Exit codes: 0 done, 1 simulation trouble, 2 bad usage or input.\nlimber VERB --help tells more about a verb.");
    app.get_formatter()->column_width(34);
    register_verbs(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(app.help());  // of the chosen verb, by its whole name
        return kDone;
    } catch (const CLI::CallForAllHelp&) {
        print(app.help("", CLI::AppFormatMode::All));
        return kDone;
    } catch (const CLI::ParseError& error) {
        throw usage_error(app, error);
    }
    refuse_empty_values(*chosen(app));
    if (version) return print_version(json);
    if (!action) {
        throw Error(Fault::bad_usage, {}, "no verb given",
                    text("one of ", joined(verb_names(app)), " (see limber --help)"));
    }
    return action();
}

bool wants_json(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](const char* word) {
        return std::strcmp(word, "--json") == 0 || std::strncmp(word, "--json=", 7) == 0;
    });
}

/// One line on stderr; the same as JSON on stdout when asked for.
int fail(const Error& error, bool json) {
    complain(error.what());
    if (json) print_json({{"error", cli::to_json(error)}});
    return error.fault() == Fault::interrupted ? kTrouble : kBadInput;
}

int guarded(int argc, char** argv, bool json) {
    protect_files_read();
    clean_up_on_signals();
    try {
        return parse_and_run(argc, argv);
    } catch (const Error& error) {
        return fail(error, json);
    } catch (const std::bad_alloc&) {
        return fail(Error(Fault::unsupported, {}, "not enough memory for this input",
                          "a smaller mesh or a machine with more memory"),
                    json);
    } catch (const std::exception& error) {
        return fail(Error(Fault::unsupported, {}, text("internal error: ", error.what())), json);
    } catch (...) {
        return fail(Error(Fault::unsupported, {}, "internal error of unknown kind"), json);
    }
}

}  // namespace
}  // namespace limber::cli

int main(int argc, char** argv) {
    int code = limber::cli::kBadInput;  // when even the error could not be printed
    try {
        code = limber::cli::guarded(argc, argv, limber::cli::wants_json(argc, argv));
    } catch (...) {}
    std::fflush(nullptr);
#if defined(__SANITIZE_ADDRESS__)
    return code;
#else
    // Everything is written. OpenBLAS joins its threads at exit, and waits for ever for those that found no memory.
    std::_Exit(code);
#endif
}
