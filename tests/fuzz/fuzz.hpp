// What every fuzz target asks of a reader: a usable value or one Error of one line; anything else stops the fuzzer.
#pragma once

#include <limber/error.hpp>
#include <limber/mesh.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace limber::fuzz {

inline void demand(bool holds) {
    if (!holds) std::abort();
}

template <class Use>
int try_input(const std::uint8_t* data, std::size_t size, Use&& use) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        use(bytes);
    } catch (const Error& e) {
        const std::string what = e.what();
        demand(!what.empty() && what.find_first_of("\n\r") == std::string::npos);
    }
    return 0;
}

inline void use_mesh(Mesh mesh) {
    for (const Vec3& p : mesh.vertices) demand(is_finite(p));
    for (const std::int32_t v : mesh.cells) demand(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());
    validate(mesh);
}

inline void use_surface(const Surface& surface) {
    for (const Vec3& p : surface.vertices) demand(is_finite(p));
    demand(static_cast<std::size_t>(surface.face_starts.back()) == surface.faces.size());
    for (const std::int32_t v : surface.faces) demand(v >= 0 && static_cast<std::size_t>(v) < surface.vertices.size());
}

}  // namespace limber::fuzz
