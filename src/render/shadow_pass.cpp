#include "render/shadow_pass.hpp"

#include "render/shaders.hpp"

#include <cmath>

namespace limber {

namespace {

constexpr int kCoverSize = 256;

void make_colour_target(const GlTexture& texture, const GlFramebuffer& target, int size) {
    TextureShape shape;
    shape.width = shape.height = size;
    shape.filter = GL_LINEAR;
    fill_texture(texture, shape, nullptr);
    gl().BindFramebuffer(GL_FRAMEBUFFER, target.id());
    gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id(), 0);
    check_framebuffer("shadows");
}

constexpr double kBellStep = 0.55;  // of the bell curve's width

/// Of the middle, and of each step beside it.
std::array<float, 6> bell_weights() {
    std::array<float, 6> out{};
    double sum = 0.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double x = kBellStep * static_cast<double>(k), w = std::exp(-0.5 * x * x);
        out[k] = static_cast<float>(w);
        sum += k == 0 ? w : 2.0 * w;
    }
    for (float& w : out) w = static_cast<float>(static_cast<double>(w) / sum);
    return out;
}

}  // namespace

ShadowPass::ShadowPass()
    : still_program_(depth_vertex_source(0), depth_fragment_source()),
      moving_program_(depth_vertex_source(kMovingFeature), depth_fragment_source()),
      cover_program_(screen_vertex_source(), cover_fragment_source()),
      blur_program_(screen_vertex_source(), blur_fragment_source()) {
    TextureShape shape;
    shape.width = shape.height = kMapSize;
    shape.internal = GL_DEPTH_COMPONENT24;
    shape.format = GL_DEPTH_COMPONENT;
    shape.type = GL_UNSIGNED_INT;
    fill_texture(map_, shape, nullptr);
    bind_texture(0, map_);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    gl().BindFramebuffer(GL_FRAMEBUFFER, map_target_.id());
    gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map_.id(), 0);
    const GLenum none = GL_NONE;
    gl().DrawBuffers(1, &none);
    gl().ReadBuffer(GL_NONE);
    check_framebuffer("shadows");
    make_colour_target(cover_, cover_target_, kCoverSize);
    Blur* const blurs[] = {&sharp_, &middle_, &wide_};
    int size = kCoverSize;
    for (Blur* b : blurs) {
        b->size = size;
        make_colour_target(b->half, b->half_target, size);
        make_colour_target(b->whole, b->whole_target, size);
        size /= 2;
    }
}

void ShadowPass::draw(const StageLayout& layout, std::span<MeshBuffers* const> casters) {
    draw_map(layout, casters);
    if (!layout.ground) return;
    gl().Disable(GL_DEPTH_TEST);
    gl().Disable(GL_BLEND);
    gl().BindVertexArray(nothing_.id());
    draw_cover(layout);
    blur(layout, cover_, sharp_, 0.006 * layout.caster_size);
    blur(layout, sharp_.whole, middle_, 0.02 * layout.caster_size);
    blur(layout, middle_.whole, wide_, 0.05 * layout.caster_size);
}

void ShadowPass::draw_map(const StageLayout& layout, std::span<MeshBuffers* const> casters) {
    gl().BindFramebuffer(GL_FRAMEBUFFER, map_target_.id());
    gl().Viewport(0, 0, kMapSize, kMapSize);
    gl().Enable(GL_DEPTH_TEST);
    gl().DepthMask(GL_TRUE);
    gl().Clear(GL_DEPTH_BUFFER_BIT);
    gl().Enable(GL_POLYGON_OFFSET_FILL);
    gl().PolygonOffset(1.5F, 4.0F);
    for (const MeshBuffers* mesh : casters) {
        GlProgram& program = mesh->moving() ? moving_program_ : still_program_;
        program.use();
        program.set("u_clip", to_float(layout.light_clip));
        mesh->bind_motion(program);
        mesh->draw(mesh->outward() ? GL_FRONT
                                   : GL_NONE);  // the far side casts the same shadow, and none onto the near one
    }
    gl().Disable(GL_POLYGON_OFFSET_FILL);
}

void ShadowPass::draw_cover(const StageLayout& layout) {
    gl().BindFramebuffer(GL_FRAMEBUFFER, cover_target_.id());
    gl().Viewport(0, 0, kCoverSize, kCoverSize);
    cover_program_.use();
    bind_texture(0, map_);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    cover_program_.set("u_depth", 0);
    cover_program_.set("u_plane",
                       std::array<float, 3>{static_cast<float>(layout.plane[0]), static_cast<float>(layout.plane[1]),
                                            static_cast<float>(layout.plane[2])});
    cover_program_.set("u_height_scale", static_cast<float>(layout.light_depth / layout.caster_size));
    cover_program_.set("u_step", kMapSize / kCoverSize);
    gl().DrawArrays(GL_TRIANGLES, 0, 3);
}

void ShadowPass::blur(const StageLayout& layout, const GlTexture& from, Blur& to, double radius) {
    static const std::array<float, 6> kWeights = bell_weights();
    gl().Viewport(0, 0, to.size, to.size);
    blur_program_.use();
    blur_program_.set("u_weights", kWeights);
    blur_program_.set("u_image", 0);
    const auto step_x = static_cast<float>(kBellStep * radius / layout.light_width),
               step_y = static_cast<float>(kBellStep * radius / layout.light_height);
    gl().BindFramebuffer(GL_FRAMEBUFFER, to.half_target.id());
    bind_texture(0, from);
    blur_program_.set("u_along", std::array<float, 2>{step_x, 0.0F});
    gl().DrawArrays(GL_TRIANGLES, 0, 3);
    gl().BindFramebuffer(GL_FRAMEBUFFER, to.whole_target.id());
    bind_texture(0, to.half);
    blur_program_.set("u_along", std::array<float, 2>{0.0F, step_y});
    gl().DrawArrays(GL_TRIANGLES, 0, 3);
}

void ShadowPass::bind_map(GlProgram& program, const StageLayout& layout) const {
    // Always bound: a shadow sampler must have a comparing texture even when it is not read.
    bind_texture(4, map_);
    gl().ActiveTexture(GL_TEXTURE4);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl().ActiveTexture(GL_TEXTURE0);
    program.set("u_shadow", 4);
    program.set("u_shadowed", layout.shadow ? 1 : 0);
    program.set("u_shadow_texture", to_float(layout.light_texture));
    program.set("u_shadow_texel", 1.0F / static_cast<float>(kMapSize));
    program.set("u_shadow_offset",
                static_cast<float>(2.5 * std::max(layout.light_width, layout.light_height) / kMapSize));
}

void ShadowPass::bind_ground(GlProgram& program, const StageLayout& layout) const {
    bind_texture(5, sharp_.whole);
    bind_texture(6, middle_.whole);
    bind_texture(7, wide_.whole);
    program.set("u_sharp", 5);
    program.set("u_middle", 6);
    program.set("u_wide", 7);
    program.set("u_shadow_texture", to_float(layout.light_texture));
}

}  // namespace limber
