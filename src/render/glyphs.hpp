// Glyphs: bones, anchors, handles, arrows and obstacles as meshes. Many of one kind become one mesh; sizes are in
// metres, and glyph_size() gives one that suits a scene.
#pragma once

#include "render/draw_list.hpp"

#include <vector>

namespace limber {

/// What the project draws its symbols in.
inline constexpr Colour kAnchorColour = rgb(0x3B5B8C), kHandleColour = rgb(0xE08A1E), kForceColour = rgb(0xC8372D),
                        kBoneColour = rgb(0xF2C14E), kObstacleColour = rgb(0x9AA3AD);

/// A length that reads well beside a scene of this size [m].
double glyph_size(const DrawBox& box);

/// Collects glyphs into one mesh with hard edges where they have any. A glyph of zero or non-finite length is left out.
class Glyphs {
public:
    void bone(const Vec3& head, const Vec3& tail, double thickness, const Colour& colour = kBoneColour);
    /// A pin whose tip is at `point`, standing along `outward`.
    void anchor(const Vec3& point, const Vec3& outward, double size, const Colour& colour = kAnchorColour);
    /// A ball with a ring around it.
    void handle(const Vec3& centre, double size, const Colour& colour = kHandleColour);
    /// From `tail` to its tip at `tip`.
    void arrow(const Vec3& tail, const Vec3& tip, double thickness, const Colour& colour = kForceColour);
    void sphere(const Vec3& centre, double radius, const Colour& colour = kObstacleColour);
    void capsule(const Vec3& a, const Vec3& b, double radius, const Colour& colour = kObstacleColour);
    /// Half sizes along its own axes.
    void box(const Vec3& centre, const Vec3& half, const Quat& turn = {}, const Colour& colour = kObstacleColour);
    /// A square piece of the plane through `point`, `half` to each side, seen from both.
    void plane(const Vec3& point, const Vec3& normal, double half, const Colour& colour = kObstacleColour);

    bool empty() const { return triangles_.empty(); }
    /// Everything so far as one mesh.
    DrawMesh mesh() const;

private:
    struct Rim;  // one point of a profile that is turned about an axis
    std::int32_t corner(const Vec3& position, const Vec3& normal);
    void triangle(std::int32_t a, std::int32_t b, std::int32_t c);
    void flat_triangle(const Vec3& a, const Vec3& b, const Vec3& c);
    void flat_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
    /// The profile turned about the axis through `base`; `along` is a unit vector.
    void turned(const Vec3& base, const Vec3& along, const std::vector<Rim>& profile, int pieces);
    void ring(const Vec3& centre, const Vec3& along, double radius, double tube);
    void paint(const Colour& colour);  ///< what has no colour yet

    std::vector<Vec3> positions_, normals_;
    std::vector<Colour> colours_;
    std::vector<std::int32_t> triangles_;
};

}  // namespace limber
