// GltfDocument: a glTF 2.0 file opened: its JSON, its buffers, and numbers out of its accessors. Every count and offset
// is checked against the bytes there are before memory is taken.
#pragma once

#include "io/files/read_budget.hpp"
#include "io/gltf/gltf_field.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

class GltfDocument {
public:
    /// `bytes` (GLB or JSON) outlive this. Throws Error{bad_file, unsupported}.
    GltfDocument(std::string_view bytes, const std::string& path);

    GltfField root() const { return {path_, &json_, ""}; }
    GltfField list(const char* name) const { return root()[name]; }
    const std::string& path() const { return path_; }
    bool is_binary() const { return is_binary_; }  ///< a GLB

    /// The bytes of a buffer view; `at` names it.
    std::string_view view(const GltfField& at) const;
    /// The bytes behind a URI: "data:" (at most `most` of them) or a file beside this one. Kept by the document, files
    /// only once.
    std::string_view resource(const GltfField& uri, std::size_t most);

    struct Numbers {
        std::vector<double> values;  ///< width per element; normalized integers already as fractions; all finite
        std::size_t count = 0, width = 0;
        bool whole = false;  ///< stored as integers, not normalized
    };
    /// The accessor that `at` names. `types`: what it may be, such as "VEC3", or "SCALAR VEC4".
    Numbers numbers(const GltfField& at, const char* types);
    /// Refuses files that make much out of little: `entries` more numbers are about to be kept.
    void spend(const GltfField& at, std::size_t entries) const {
        spend_bytes(at, sizeof(double) * static_cast<std::uint64_t>(entries));
    }
    void spend_bytes(const GltfField& at, std::uint64_t bytes) const;

private:
    void open_container(std::string_view bytes);
    void parse(std::string_view json);
    void check_asset() const;
    void open_buffers();
    std::size_t component_count(const GltfField& accessor, const char* types) const;
    void fill_sparse(const GltfField& accessor, Numbers& out) const;

    ReadBudget budget_;
    std::string path_;
    JsonValue json_;
    std::string_view binary_;  ///< the BIN chunk
    bool has_binary_ = false, is_binary_ = false;
    std::map<std::string, std::string> files_;  ///< by their real paths
    std::deque<std::string> decoded_;           ///< from data URIs
    std::vector<std::string_view> buffers_;
};

}  // namespace limber
