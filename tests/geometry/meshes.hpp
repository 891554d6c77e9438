// Meshes and random numbers shared by the geometry tests.
#pragma once

#include <limber/mesh.hpp>

#include "geometry/shape.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace limber::testing {

inline constexpr CellKind kAllKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10,
                                         CellKind::hex8};
inline constexpr CellKind kSolidKinds[] = {CellKind::tet4, CellKind::tet10, CellKind::hex8};

/// The same numbers on every machine, which std::uniform_real_distribution does not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
    }
    int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
    Vec3 in_cube(double low, double high) {
        const double x = between(low, high), y = between(low, high), z = between(low, high);
        return {x, y, z};
    }
    /// A point of the kind's reference domain.
    Vec3 in_reference(CellKind kind) {
        if (kind == CellKind::quad4) return {between(-1, 1), between(-1, 1), 0.0};
        if (kind == CellKind::hex8) return in_cube(-1, 1);
        for (;;) {
            Vec3 p = in_cube(0, 1);
            if (kind == CellKind::tri3) p.z = 0.0;
            if (p.x + p.y + p.z <= 1.0) return p;
        }
    }

private:
    std::mt19937_64 engine_;
};

/// A unit square or cube of the kind, n cells along each side.
inline Mesh unit_mesh(CellKind kind, int n) {
    return dimension_of(kind) == 2 ? make_grid(kind, n, n, {}, {1, 1, 0}) : make_box(kind, n, n, n, {}, {1, 1, 1});
}

/// Its inner and outer vertices pushed around by up to `share` of a cell; all cells stay valid for share <= 0.2
/// (the tests that rely on it check).
inline Mesh distorted_mesh(CellKind kind, int n, double share, std::uint64_t seed) {
    Mesh mesh = unit_mesh(kind, n);
    Random random(seed);
    const double reach = share / n * (kind == CellKind::tet10 ? 0.35 : 1.0);
    for (Vec3& v : mesh.vertices) {
        Vec3 push = random.in_cube(-reach, reach);
        if (mesh.dimension() == 2) push.z = 0.0;
        v += push;
    }
    return mesh;
}

inline double value_scale(double x) { return std::max(1.0, std::abs(x)); }

}  // namespace limber::testing
