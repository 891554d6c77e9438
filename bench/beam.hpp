// The beam that the fast methods are measured on: 1 x 0.25 x 0.25 m, cells of six tetrahedra, interior vertices off
// their grid by a tenth of a cell.
#pragma once

#include <limber/body.hpp>

#include <memory>

namespace limber::bench {

struct Beam {
    const char* name;
    int nx, ny, nz;
};
/// 5k, 30k and 150k tetrahedra.
inline constexpr Beam kBeams[] = {{"5k", 24, 6, 6}, {"30k", 42, 11, 11}, {"150k", 76, 18, 18}};

/// E 1e5, nu 0.45, density 1000, stiffness damping 0.01, the left end fixed.
std::shared_ptr<const Body> beam_body(const Beam& beam);
/// The box mesh with the same jitter, any size.
Mesh jittered_box(int nx, int ny, int nz, const Vec3& size);

}  // namespace limber::bench
