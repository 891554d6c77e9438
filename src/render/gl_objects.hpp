// What lives in an OpenGL context, each owned by one C++ value. Made, used and destroyed while their context is
// current.
#pragma once

#include "render/gl_api.hpp"

#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace limber {

enum class GlKind { buffer, texture, framebuffer, renderbuffer, vertex_array };

template <GlKind kind>
class GlName {
public:
    GlName();
    ~GlName() { reset(); }
    GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlName& operator=(GlName&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    GLuint id() const { return id_; }

private:
    void reset() noexcept;
    GLuint id_ = 0;
};
using GlBuffer = GlName<GlKind::buffer>;
using GlTexture = GlName<GlKind::texture>;
using GlFramebuffer = GlName<GlKind::framebuffer>;
using GlRenderbuffer = GlName<GlKind::renderbuffer>;
using GlVertexArray = GlName<GlKind::vertex_array>;

/// Places of the vertex attributes, the same in every program.
enum class Attribute : GLuint {
    position,
    normal,
    value,
    colour,
    uv,
    joints_0,
    joints_1,
    weights_0,
    weights_1,
    mark,
    end_a,
    end_b,
    colour_a,
    colour_b,
    second_uv
};

/// A vertex and a fragment shader, linked. Uniforms are set by name; one that the compiler dropped is ignored.
class GlProgram {
public:
    /// `captured`: outputs of the vertex shader for transform feedback, each into a buffer of its own.
    GlProgram(const std::string& vertex, const std::string& fragment, std::initializer_list<const char*> captured = {});
    ~GlProgram();
    GlProgram(GlProgram&& other) noexcept : id_(std::exchange(other.id_, 0)), locations_(std::move(other.locations_)) {}
    GlProgram& operator=(GlProgram&&) = delete;

    void use() const;
    void set(const char* name, int value);
    void set(const char* name, float value);
    void set(const char* name, const std::array<float, 2>& value);
    void set(const char* name, const std::array<float, 3>& value);
    void set(const char* name, const std::array<float, 4>& value);
    void set(const char* name, const std::array<float, 16>& matrix);
    void set(const char* name, std::span<const float> values);

private:
    GLint location(const char* name);
    GLuint id_ = 0;
    std::map<std::string, GLint> locations_;
};

/// A 2D texture's storage and filter in one call. `levels`: 1, or 0 for a full chain that is generated from `pixels`.
struct TextureShape {
    int width = 1, height = 1;
    GLenum internal = GL_RGBA8, format = GL_RGBA, type = GL_UNSIGNED_BYTE;
    GLint filter = GL_NEAREST;
    GLint wrap = GL_CLAMP_TO_EDGE, wrap_v = 0;  ///< the second 0: as the first
    bool mipmaps = false;
};
void fill_texture(const GlTexture& texture, const TextureShape& shape, const void* pixels);
void bind_texture(int unit, const GlTexture& texture);

/// Throws Error{unsupported} when the driver has complained since the last call.
void check_gl(const char* doing);
void check_framebuffer(const char* doing);

}  // namespace limber
