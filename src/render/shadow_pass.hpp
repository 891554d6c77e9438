// Shadows: a depth map seen from the key light for what falls on bodies, and three blurred copies of what covers the
// ground, the sharp one for what is near it and the wide one for what is high above.
#pragma once

#include "render/gl_objects.hpp"
#include "render/mesh_buffers.hpp"
#include "render/stage_layout.hpp"

#include <span>

namespace limber {

class ShadowPass {
public:
    ShadowPass();
    /// Draws the casters and blurs what the ground sees of them.
    void draw(const StageLayout& layout, std::span<MeshBuffers* const> casters);
    /// For programs that shade bodies: "u_shadow..." on unit 4.
    void bind_map(GlProgram& program, const StageLayout& layout) const;
    /// For the ground's program: "u_sharp", "u_middle", "u_wide" on units 5 to 7.
    void bind_ground(GlProgram& program, const StageLayout& layout) const;

    static constexpr int kMapSize = 1024;

private:
    struct Blur {
        GlTexture half, whole;  ///< after the first and the second direction
        GlFramebuffer half_target, whole_target;
        int size = 0;
    };
    void draw_map(const StageLayout& layout, std::span<MeshBuffers* const> casters);
    void draw_cover(const StageLayout& layout);
    void blur(const StageLayout& layout, const GlTexture& from, Blur& to, double radius);

    GlTexture map_, cover_;
    GlFramebuffer map_target_, cover_target_;
    Blur sharp_, middle_, wide_;
    GlProgram still_program_, moving_program_, cover_program_, blur_program_;
    GlVertexArray nothing_;
};

}  // namespace limber
