// limber schema: the JSON Schema of scenes, or their reference page, from the tables that validate.
#include "cli/cli.hpp"

#include "report/files.hpp"

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct SchemaArguments {
    bool reference = false;
    std::string out;
    CommonArguments common;
};

int schema(const SchemaArguments& arguments) {
    std::string words = arguments.reference ? scene_reference_markdown() : scene_schema();
    if (words.empty() || words.back() != '\n') words += '\n';
    if (arguments.common.json && arguments.reference) words = to_json_text({{"reference", words}});
    if (arguments.out.empty())
        print(words);
    else
        write_text_file(arguments.out, words);
    return kDone;
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("schema", "print the JSON Schema of scenes");
    auto a = std::make_shared<SchemaArguments>();
    verb->add_flag("--reference", a->reference, "the reference page (Markdown) instead");
    verb->add_option("-o,--out", a->out, "to this file instead of standard output")->type_name("FILE");
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return schema(*a); }; });
}

}  // namespace limber::cli
