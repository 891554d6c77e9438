#include "render/picture_target.hpp"

#include <algorithm>
#include <cstring>

namespace limber {

int PictureTarget::most_samples() {
    GLint most = 1, depth = 1;
    gl().GetInternalformativ(GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 1, &most);
    gl().GetInternalformativ(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, GL_SAMPLES, 1, &depth);
    return std::max(1, std::min(most, depth));
}

int PictureTarget::most_pixels() {
    GLint buffer = 0, view[2] = {};
    gl().GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
    gl().GetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
    return std::min({buffer, view[0], view[1]});
}

void PictureTarget::prepare(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return;
    const auto storage = [&](const GlRenderbuffer& buffer, GLenum format, int count) {
        gl().BindRenderbuffer(GL_RENDERBUFFER, buffer.id());
        gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, count > 1 ? count : 0, format, width, height);
    };
    samples_ = -1;  // until all went well
    storage(colour_, GL_RGBA8, samples);
    storage(depth_, GL_DEPTH_COMPONENT24, samples);
    storage(joined_colour_, GL_RGBA8, 1);
    check_gl("making room for a picture");
    gl().BindFramebuffer(GL_FRAMEBUFFER, joined_.id());
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, joined_colour_.id());
    check_framebuffer("a picture");
    gl().BindFramebuffer(GL_FRAMEBUFFER, drawn_.id());
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.id());
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    check_framebuffer("a picture");
    width_ = width;
    height_ = height;
    samples_ = samples;
}

void PictureTarget::bind() const {
    gl().BindFramebuffer(GL_FRAMEBUFFER, drawn_.id());
    gl().Viewport(0, 0, width_, height_);
}

void PictureTarget::read_into(Image& image, int x, int y) {
    gl().BindFramebuffer(GL_READ_FRAMEBUFFER, drawn_.id());
    gl().BindFramebuffer(GL_DRAW_FRAMEBUFFER, joined_.id());
    gl().BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl().BindFramebuffer(GL_FRAMEBUFFER, joined_.id());
    const std::size_t row = 4 * static_cast<std::size_t>(width_), whole = 4 * static_cast<std::size_t>(image.width);
    rows_.resize(row * static_cast<std::size_t>(height_));
    gl().PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl().ReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rows_.data());
    // OpenGL's first row is the lowest.
    for (int line = 0; line < height_; ++line) {
        std::memcpy(image.rgba.data() + static_cast<std::size_t>(y + line) * whole + 4 * static_cast<std::size_t>(x),
                    rows_.data() + static_cast<std::size_t>(height_ - 1 - line) * row, row);
    }
}

}  // namespace limber
