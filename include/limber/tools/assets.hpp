// Assets made by code: surfaces for tests, demos and docs, and dirty variants of surfaces to try a pipeline on.
#pragma once

#include <limber/mesh.hpp>
#include <limber/tools/rig.hpp>
#include <limber/tools/solid.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace limber {

/// What an asset's faces may be painted with.
struct AssetPaint {
    std::string name;
    std::array<double, 3> colour{};  ///< red, green, blue from 0 to 1 (sRGB)
};

/// One closed surface of triangles, outward; y is up and the front looks to +z. It stands on y = 0.
struct AssetSurface {
    std::string name;
    Surface surface;  ///< [m]
    std::vector<AssetPaint> paints;
    std::vector<std::int32_t> face_paint;  ///< index into paints, one per face
    /// One per corner of `surface.faces`; u may pass 1 where the map wraps.
    std::vector<std::array<double, 2>> corner_uv;
};

struct Asset {
    std::string name;
    std::string summary;                 ///< one line
    std::vector<AssetSurface> surfaces;  ///< one; more where surfaces are nested (the last that holds a point owns it)
};

/// In a fixed order.
std::vector<std::string> asset_names();
/// One line. Throws Error{bad_usage} for an unknown name.
std::string asset_summary(const std::string& name);
/// About `triangles` in all (100 to 2e6), more where gaps and spines need them (chain and curl: about 16000). The same
/// call gives the same bits. Throws Error{bad_usage} for an unknown name.
Asset make_asset(const std::string& name, int triangles = 16000);
/// As make_solid takes them.
std::vector<NamedSurface> named_surfaces(const Asset& asset);

/// As a model without joints: one part per paint, with normals and texture coordinates.
Rig as_model(const Asset& asset);
/// The humanoid with its skeleton: 21 joints, at most 4 influences per vertex, the clips "walk" (one cycle on the spot,
/// 1 s) and "jump" (2 s). One skin part per paint; vertices are doubled where paint or texture ends.
Rig make_humanoid(int triangles = 16000);

/// Ways to spoil a surface.
enum class Dirt : std::uint8_t { clean, holes, flipped, doubled, overlapped, noise, gaps, soup, combined };
const char* to_string(Dirt dirt);
std::vector<std::string> dirt_names();
/// Throws Error{bad_usage} for an unknown name.
Dirt dirt_of(const std::string& name);

/// A surface that was spoilt, and the closed surfaces whose union is what it stands for.
struct DirtySurface {
    Surface surface;
    std::vector<Surface> truth;
    std::string about;  ///< one line: what was done to it, with numbers
};
/// The same seed gives the same bits. What each kind does: docs/assets.md.
DirtySurface spoil(const Surface& surface, Dirt dirt, std::uint32_t seed);

}  // namespace limber
