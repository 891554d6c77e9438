// What glTF clients do with morph targets.
#include "dyrt/export_plan.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

namespace limber {
namespace {

using Client = DyrtExport::Client;

struct ClientWords {
    const char* name;
    double rate;  // keys: Unreal and Godot resample at 30 by default
    Client client;
    bool normals;  // Blender takes none from targets
};
constexpr ClientWords kClients[] = {{"any", 60.0, Client::any, false},
                                    {"three", 60.0, Client::three, true},
                                    {"blender", 60.0, Client::blender, false},
                                    {"unreal", 30.0, Client::unreal, true},
                                    {"godot", 30.0, Client::godot, true}};

const ClientWords& words_of(Client client) { return kClients[static_cast<std::size_t>(client)]; }

}  // namespace

DyrtExport::Client parse_client(const std::string& name) {
    std::vector<std::string> names;
    for (const ClientWords& c : kClients) {
        if (name == c.name) return c.client;
        names.emplace_back(c.name);
    }
    throw Error(Fault::bad_usage, {"--for", 0, {}}, text("'", name, "'", suggestion(name, names)),
                "any, three, blender, unreal or godot");
}
const char* to_string(DyrtExport::Client client) { return words_of(client).name; }
double key_rate(DyrtExport::Client client) { return words_of(client).rate; }
bool takes_normals(DyrtExport::Client client) { return words_of(client).normals; }

}  // namespace limber
