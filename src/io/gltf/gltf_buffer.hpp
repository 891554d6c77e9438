// GltfBuffer: the binary part of a GLB file and the JSON that says what lies where in it.
#pragma once

#include <limber/vec3.hpp>

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace limber {

class GltfBuffer {
public:
    using json = nlohmann::ordered_json;
    enum class Use { none, vertices, indices };

    explicit GltfBuffer(std::string path) : path_(std::move(path)) {}

    // Each adds an accessor and returns its number. Throw Error{unsupported} for numbers that 32-bit floats cannot
    // hold.
    int vectors(std::span<const Vec3> values,
                bool bounds);  ///< VEC3 for vertices; `bounds`: with min and max, as positions need
    int numbers(std::span<const double> values, const char* type, std::size_t width, Use use, bool bounds = false);
    int indices(std::span<const std::uint32_t> values, std::size_t vertices);
    int joints(std::span<const std::uint16_t> values,
               std::size_t most);  ///< four per vertex; bytes where `most` allows
    /// Adds a view of plain bytes and returns its number.
    int bytes(std::string_view data);

    const json& views() const { return views_; }
    const json& accessors() const { return accessors_; }
    const std::string& data() const { return data_; }

private:
    int view(std::size_t begin, Use use);
    int accessor(int view, int component, const char* type, std::size_t count);
    void put(double value);
    void align();

    std::string path_, data_;
    json views_ = json::array(), accessors_ = json::array();
};

}  // namespace limber
