// A draw list says what one picture shows: meshes, lines, points and the stage they stand on. Plain values; the caller
// owns them. Shared parts (topology, textures) are recognised by their address from picture to picture, so a movie
// uploads only what moves.
#pragma once

#include <limber/vec3.hpp>

#include "render/colour.hpp"
#include "render/image.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace limber {

/// The joints that move one vertex; unused entries have weight 0.
struct DrawInfluences {
    std::array<std::int32_t, 8> joint{};
    std::array<float, 8> weight{};
};
/// A shape to be added in the vertex stage, times a weight: one entry per vertex.
struct DrawMode {
    std::vector<Vec3> positions;  ///< [m]
    std::vector<Vec3> normals;    ///< or empty
};
/// Modes that the vertex stage can add at once.
inline constexpr std::size_t kMostModes = 8;

/// What stays the same while a mesh moves. *Corners* are what is drawn: one per vertex and normal (and paint, and
/// texture coordinate) that meet there. Make it with make_topology().
struct DrawTopology {
    std::vector<std::int32_t> vertex;                    ///< of each corner: into DrawMesh::positions
    std::vector<std::int32_t> normal;                    ///< of each corner: into DrawMesh::normals
    std::vector<std::int32_t> paint;                     ///< of each corner: into DrawMesh::paints; empty: unpainted
    std::vector<std::array<float, 2>> uv;                ///< of each corner, v downwards; empty: no texture
    std::vector<std::array<float, 2>> second_uv;         ///< of each vertex, for maps that ask for it; empty: none
    std::vector<std::array<std::int32_t, 3>> triangles;  ///< of corners, counter-clockwise from outside
    std::vector<std::uint8_t> edges;         ///< per triangle: bit k set when its side k to k+1 is an edge to be shown
    std::vector<DrawMode> modes;             ///< per vertex and normal; at most kMostModes
    std::vector<DrawInfluences> influences;  ///< per vertex; empty: not skinned
    std::size_t vertex_count = 0, normal_count = 0;
    bool closed = false;  ///< every side of a triangle is that of one other, the other way round
};

/// Polygons as files and meshes give them; the spans need to live only during the call.
struct DrawPolygons {
    std::span<const std::int32_t> face_starts;       ///< as in Surface; empty: triangles
    std::span<const std::int32_t> faces;             ///< vertices, counter-clockwise from outside
    std::span<const std::int32_t> normal_of_corner;  ///< as SmoothNormals::of_corner(); empty: one normal per vertex
    std::span<const std::int32_t> paint_of_face;     ///< empty: unpainted
    std::span<const std::array<double, 2>> uv_of_corner;  ///< empty: none
    std::size_t vertex_count = 0;
    std::span<const std::array<double, 2>> second_uv{};  ///< per vertex; empty: none
};
/// Cuts polygons into triangles; the cuts do not count as edges. Throws Error{bad_mesh} on an index out of range.
std::shared_ptr<const DrawTopology> make_topology(const DrawPolygons& polygons);

/// How a picture lies on a surface.
struct DrawSampling {
    enum class Wrap : std::uint8_t { repeat, clamp, mirror };
    Wrap wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
    bool nearest = false;  ///< texels stay squares
    bool second_uv = false;
    std::array<float, 6> uv_transform{1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F};  ///< u' = 0 u + 1 v + 2, v' = 3 u + 4 v + 5
    friend bool operator==(const DrawSampling&, const DrawSampling&) = default;
};
struct DrawMap {
    std::shared_ptr<const Image> image;  ///< may be null
    DrawSampling sampling;
    friend bool operator==(const DrawMap&, const DrawMap&) = default;
};

/// How a surface answers to light. Colours multiply: base * paint * texture; field values replace them.
struct DrawLook {
    Colour base = rgb(0xC9CFD6);
    double metallic = 0.0, roughness = 0.55;
    std::array<float, 3> emissive{};       ///< linear
    std::shared_ptr<const Image> texture;  ///< may be null; sRGB
    DrawSampling sampling;                 ///< of `texture`
    DrawMap normal_map;                    ///< rgb: a direction; x along u, y against v
    DrawMap metal_rough_map;               ///< blue: times metallic; green: times roughness
    DrawMap occlusion_map;                 ///< red: how much of the surroundings' light arrives
    DrawMap emissive_map;                  ///< sRGB, times emissive
    double normal_strength = 1.0, occlusion_strength = 1.0;
    double alpha_cutoff = 0.0;  ///< texels below it are left out (glTF "MASK"); 0 = all are drawn
    bool solid = false;         ///< alpha says nothing more: what is drawn hides what is behind it
    bool see_through = false;   ///< the texture's alpha shines through (glTF "BLEND")
    /// The back is not drawn; which side that is, normals say where they contradict the order of corners.
    bool single_sided = false;
    bool lit = true;  ///< false: the colour as it is, to the byte
    bool casts_shadow = true;
    bool wireframe = false;  ///< the faces' edges on top, in the wire colour
    Colour wire = {0.08F, 0.09F, 0.11F, 0.75F};
    float wire_width = 1.1F;  ///< [px]
};

/// Where in the picture's order a thing is drawn. overlay: in front of everything in the scene (a skeleton inside a
/// body).
enum class DrawLayer : std::uint8_t { scene, overlay };

/// A joint's matrix for skinning: x -> linear x + translation.
struct DrawBone {
    Mat3 linear = Mat3::identity();
    Vec3 translation;
};

/// Triangles in one look.
struct DrawMesh {
    std::shared_ptr<const DrawTopology> topology;
    std::vector<Vec3> positions;  ///< one per vertex [m]; rest positions when modes or bones move them
    std::vector<Vec3> normals;    ///< topology->normal_count unit normals; empty: smooth ones are computed per corner
    std::vector<double> values;   ///< one per vertex, coloured by `range`; empty: no field. NaN: no value there
    ValueRange range;
    std::vector<Colour> colours;       ///< one per vertex; empty: white
    std::vector<Colour> paints;        ///< what topology->paint names; empty: white
    std::vector<double> mode_weights;  ///< of the topology's modes, added before skinning; empty: none
    std::vector<DrawBone> bones;       ///< what influences name; empty: not skinned
    DrawLook look;
    DrawLayer layer = DrawLayer::scene;
    bool backdrop = false;  ///< fills the picture behind the rest: cameras and stages are not built around it
};

/// Straight pieces between points 0-1, 2-3, ..., of even width on the screen, with round ends.
struct DrawLines {
    std::vector<Vec3> points;     ///< [m]
    std::vector<Colour> colours;  ///< one per point, or empty: `colour`
    Colour colour = rgb(0x30343A);
    float width = 2.0F;  ///< [px]
    DrawLayer layer = DrawLayer::scene;
};

/// Discs on the screen.
struct DrawPoints {
    std::vector<Vec3> points;     ///< [m]
    std::vector<Colour> colours;  ///< one per point, or empty: `colour`
    Colour colour = rgb(0x30343A);
    float diameter = 7.0F;  ///< [px]
    DrawLayer layer = DrawLayer::scene;
};

/// A plane with a grid that fades into the background, and the shadow on it. floor: y = level, seen from above;
/// wall: z = level, behind planar bodies.
struct DrawGround {
    enum class Kind : std::uint8_t { none, floor, wall };
    Kind kind = Kind::floor;
    std::optional<double> level;  ///< [m]; unset: just below the scene (wall: just behind it)
    /// Side of a grid square [m]; unset: 1, 2 or 5 times a power of ten that suits the scene.
    std::optional<double> cell;
    bool grid = true;
};

/// What surrounds the things shown. `extent` keeps ground, grid and shadow still while bodies move: give the box of the
/// whole movie.
struct DrawStage {
    Colour background_top = rgb(0xF4F1EC), background_bottom = rgb(0xE3DED6);
    DrawGround ground;
    bool shadow = true;
    std::optional<std::array<Vec3, 2>> extent;  ///< [m] low and high corner; unset: that of this list
};

struct DrawList {
    std::vector<DrawMesh> meshes;
    std::vector<DrawLines> lines;
    std::vector<DrawPoints> points;
    DrawStage stage;
};

/// A box around points; empty while low > high.
struct DrawBox {
    Vec3 low{1.0, 1.0, 1.0}, high{-1.0, -1.0, -1.0};

    bool empty() const { return low.x > high.x; }
    void add(const Vec3& point);  ///< non-finite points are left out
    void add(const DrawBox& box);
    Vec3 centre() const { return 0.5 * (low + high); }
    double diagonal() const { return empty() ? 0.0 : norm(high - low); }
};
/// Throws Error{bad_mesh} when an array has another length than the topology wants, or an index points outside.
void check(const DrawMesh& mesh);
/// Where modes and bones put a vertex: what the vertex stage computes.
Vec3 shown_position(const DrawMesh& mesh, std::size_t vertex);
/// Around everything in the scene layer, where modes and bones put it.
DrawBox box_of(const DrawMesh& mesh);
DrawBox box_of(const DrawList& list);

}  // namespace limber
