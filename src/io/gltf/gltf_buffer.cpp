#include "io/gltf/gltf_buffer.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace limber {

namespace {
constexpr int kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value),
               sizeof value);  // little-endian machines only, like the rest of io
}
}  // namespace

void GltfBuffer::align() { data_.resize((data_.size() + 3) / 4 * 4, '\0'); }

void GltfBuffer::put(double value) {
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
        throw Error(Fault::unsupported, {path_, 0, {}},
                    text("not written: the number ", value, " does not fit glTF's 32-bit floats"));
    }
    append(data_, static_cast<float>(value));
}

int GltfBuffer::view(std::size_t begin, Use use) {
    json v{{"buffer", 0}, {"byteOffset", begin}, {"byteLength", data_.size() - begin}};
    if (use != Use::none) v["target"] = use == Use::vertices ? kVertexTarget : kIndexTarget;
    views_.push_back(std::move(v));
    align();
    return static_cast<int>(views_.size()) - 1;
}

int GltfBuffer::accessor(int view, int component, const char* type, std::size_t count) {
    accessors_.push_back({{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
    return static_cast<int>(accessors_.size()) - 1;
}

int GltfBuffer::numbers(std::span<const double> values, const char* type, std::size_t width, Use use, bool bounds) {
    const std::size_t begin = data_.size();
    for (const double v : values) put(v);
    const int made = accessor(view(begin, use), kFloat, type, values.size() / width);
    if (!bounds) return made;
    // Of the rounded values, widened exactly: a validator compares them with what is in the buffer.
    json low = json::array(), high = json::array();
    for (std::size_t k = 0; k < width; ++k) {
        float least = std::numeric_limits<float>::max(), most = std::numeric_limits<float>::lowest();
        for (std::size_t i = k; i < values.size(); i += width) {
            least = std::min(least, static_cast<float>(values[i]));
            most = std::max(most, static_cast<float>(values[i]));
        }
        low.push_back(static_cast<double>(least));
        high.push_back(static_cast<double>(most));
    }
    accessors_.back()["min"] = std::move(low);
    accessors_.back()["max"] = std::move(high);
    return made;
}

int GltfBuffer::vectors(std::span<const Vec3> values, bool bounds) {
    std::vector<double> flat;
    flat.reserve(3 * values.size());
    for (const Vec3& v : values) flat.insert(flat.end(), {v.x, v.y, v.z});
    return numbers(flat, "VEC3", 3, Use::vertices, bounds);
}

int GltfBuffer::indices(std::span<const std::uint32_t> values, std::size_t vertices) {
    const std::size_t begin = data_.size();
    const bool small = vertices < 65535;  // the largest number of each kind is reserved
    for (const std::uint32_t v : values) {
        if (small)
            append(data_, static_cast<std::uint16_t>(v));
        else
            append(data_, v);
    }
    return accessor(view(begin, Use::indices), small ? kShort : kInt, "SCALAR", values.size());
}

int GltfBuffer::joints(std::span<const std::uint16_t> values, std::size_t most) {
    const std::size_t begin = data_.size();
    const bool small = most <= 256;
    for (const std::uint16_t v : values) {
        if (small)
            append(data_, static_cast<std::uint8_t>(v));
        else
            append(data_, v);
    }
    return accessor(view(begin, Use::vertices), small ? kByte : kShort, "VEC4", values.size() / 4);
}

int GltfBuffer::bytes(std::string_view data) {
    const std::size_t begin = data_.size();
    data_.append(data);
    return view(begin, Use::none);
}

}  // namespace limber
