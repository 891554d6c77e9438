// What a glTF file says that has no meaning here, kept as JSON text beside the things it belongs to and written again
// with them.
#pragma once

#include "io/gltf/gltf_read.hpp"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <span>

namespace limber {

inline JsonValue empty_object() {
    JsonValue out;
    out.kind = JsonValue::Kind::object;
    return out;
}

/// Collects members of a glTF object for a KeptJson.
class GltfKeeper {
public:
    explicit GltfKeeper(GltfRead& in) : in_(in) {}

    /// The member as it is, where it is there; under another name if told.
    void keep(const GltfField& thing, const char* member, const char* as = nullptr);
    /// Its extras, and those of its extensions that name nothing which gets another number; the rest are noted.
    void keep_extras(const GltfField& thing, std::span<const char* const> extensions);
    void add(const char* name, JsonValue value);
    void add_number(const char* name, double value);
    void add_flag(const char* name);  ///< true
    /// "" when nothing was kept. Counted against what the file may unfold into; `at` is for that message.
    KeptJson text(const GltfField& at) const;

private:
    GltfRead& in_;
    JsonValue object_ = empty_object();
};

/// Extensions of nodes, of primitives and of whole files that can be kept.
std::span<const char* const> kept_node_extensions();
std::span<const char* const> kept_primitive_extensions();
std::span<const char* const> kept_file_extensions();

void read_gltf_rest(GltfRead& in);  ///< Rig::kept

/// The object behind a kept text; an empty one for "". Throws Error{bad_data} for anything else.
nlohmann::ordered_json kept_object(const KeptJson& kept, const std::string& path);
/// Adds what `thing` has not already; of extras that are objects on both sides, their members.
void add_kept(nlohmann::ordered_json& thing, const nlohmann::ordered_json& kept);
/// Names of the extensions that occur in a glTF file's JSON.
std::vector<std::string> extensions_in(const nlohmann::ordered_json& root);

}  // namespace limber
