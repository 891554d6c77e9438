// Accessors: typed, strided, possibly normalized or sparse numbers in buffers, as doubles.
#include "io/gltf/gltf_document.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limber {
namespace {

enum class Component { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

std::size_t size_of(Component c) {
    switch (c) {
        case Component::i8:
        case Component::u8: return 1;
        case Component::i16:
        case Component::u16: return 2;
        default: return 4;
    }
}

Component component_of(const GltfField& field) {
    const std::size_t code = field.needed().count(0);
    for (const Component c :
         {Component::i8, Component::u8, Component::i16, Component::u16, Component::u32, Component::f32}) {
        if (code == static_cast<std::size_t>(c)) return c;
    }
    field.fail(text("the component type ", code), "5120, 5121, 5122, 5123, 5125 or 5126");
}

template <class T>
T load(const char* at) {
    T v;
    std::memcpy(&v, at, sizeof v);
    return v;
}

double load_number(const char* at, Component c) {
    switch (c) {
        case Component::i8: return load<std::int8_t>(at);
        case Component::u8: return load<std::uint8_t>(at);
        case Component::i16: return load<std::int16_t>(at);
        case Component::u16: return load<std::uint16_t>(at);
        case Component::u32: return load<std::uint32_t>(at);
        case Component::f32: return static_cast<double>(load<float>(at));
    }
    return 0.0;
}

/// A normalized integer as a fraction; the most negative one counts as -1.
double as_fraction(double v, Component c) {
    switch (c) {
        case Component::i8: return std::max(v / 127.0, -1.0);
        case Component::u8: return v / 255.0;
        case Component::i16: return std::max(v / 32767.0, -1.0);
        case Component::u16: return v / 65535.0;
        default: return v;
    }
}

/// Where elements lie in a view: checked, so that reading them stays inside.
struct Layout {
    std::string_view bytes;
    std::size_t offset = 0, stride = 0;
};

Layout layout_of(const GltfField& place, std::string_view bytes, std::size_t offset, std::size_t stride,
                 std::size_t element, std::size_t count) {
    if (stride < element || stride > 65536)
        place.fail(text("a stride of ", stride, " bytes"), text("at least the element's ", element));
    // count is below 2^31 and stride at most 2^16: nothing here overflows.
    const std::size_t needed = count == 0 ? 0 : (count - 1) * stride + element;
    if (offset > bytes.size() || needed > bytes.size() - offset) {
        place.fail(
            text(count, " elements from byte ", offset, " on need ", needed, " bytes of a view of ", bytes.size()),
            "data that lies within its buffer view", Fault::bad_file);
    }
    return {bytes, offset, stride};
}

std::size_t width_of(const std::string& type) {
    static const std::pair<const char*, std::size_t> kTypes[] = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (const auto& [name, width] : kTypes)
        if (type == name) return width;
    return 0;
}

}  // namespace

std::size_t GltfDocument::component_count(const GltfField& accessor, const char* types) const {
    const std::string type = accessor["type"].needed().text();
    const std::size_t width = width_of(type);
    if (width == 0 || type.empty() || (" " + std::string(types) + " ").find(" " + type + " ") == std::string::npos)
        accessor["type"].fail(text("the type '", type.substr(0, 20), "'"), types, Fault::bad_mesh);
    return width;
}

GltfDocument::Numbers GltfDocument::numbers(const GltfField& at, const char* types) {
    const GltfField list = root()["accessors"];
    const GltfField accessor = list.at(static_cast<std::size_t>(at.needed().index(list.size())));
    const Component component = component_of(accessor["componentType"]);
    const bool normalized = accessor["normalized"].flag(false);
    Numbers out;
    out.width = component_count(accessor, types);
    out.count = accessor["count"].needed().count(0);
    out.whole = component != Component::f32 && !normalized;
    const std::size_t element = out.width * size_of(component);
    if (!accessor["bufferView"].there()) {
        spend(accessor, out.count * out.width);  // zeros out of nothing
        out.values.assign(out.count * out.width, 0.0);
    } else {
        const GltfField views = root()["bufferViews"];
        const std::string_view bytes = view(accessor["bufferView"]);
        const std::size_t stride = views.at(accessor["bufferView"].count(0))["byteStride"].count(element);
        const Layout where = layout_of(accessor, bytes, accessor["byteOffset"].count(0), stride, element, out.count);
        spend(accessor, out.count * out.width);
        out.values.resize(out.count * out.width);
        for (std::size_t i = 0; i < out.count; ++i) {
            for (std::size_t k = 0; k < out.width; ++k) {
                out.values[i * out.width + k] = load_number(
                    where.bytes.data() + where.offset + i * where.stride + k * size_of(component), component);
            }
        }
    }
    if (accessor["sparse"].there()) fill_sparse(accessor, out);
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        if (!std::isfinite(out.values[i]))
            accessor.fail(text("element ", i / out.width, " is ", out.values[i]), "finite numbers", Fault::bad_mesh);
        if (normalized) out.values[i] = as_fraction(out.values[i], component);
    }
    return out;
}

void GltfDocument::fill_sparse(const GltfField& accessor, Numbers& out) const {
    const GltfField sparse = accessor["sparse"], indices = sparse["indices"].needed(),
                    values = sparse["values"].needed();
    const std::size_t count = sparse["count"].needed().count(0);
    if (count > out.count) {
        sparse["count"].fail(text(count, " of ", out.count, " elements"), "no more than the accessor has",
                             Fault::bad_mesh);
    }
    const Component index = component_of(indices["componentType"]), component = component_of(accessor["componentType"]);
    if (index != Component::u8 && index != Component::u16 && index != Component::u32)
        indices["componentType"].fail("a signed or real index", "5121, 5123 or 5125");
    const std::size_t element = out.width * size_of(component);
    const Layout which = layout_of(indices, view(indices["bufferView"]), indices["byteOffset"].count(0), size_of(index),
                                   size_of(index), count);
    const Layout what = layout_of(values, view(values["bufferView"]), values["byteOffset"].count(0), element, element,
                                  count);
    for (std::size_t i = 0; i < count; ++i) {
        const double n = load_number(which.bytes.data() + which.offset + i * which.stride, index);
        if (!(n < static_cast<double>(out.count)))
            indices.fail(text("entry ", i, " names element ", n), text("below ", out.count), Fault::bad_mesh);
        const auto to = static_cast<std::size_t>(n) * out.width;
        for (std::size_t k = 0; k < out.width; ++k) {
            out.values[to + k] = load_number(what.bytes.data() + what.offset + i * element + k * size_of(component),
                                             component);
        }
    }
}

}  // namespace limber
