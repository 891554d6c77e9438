#include "render/gl_objects.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

namespace limber {

namespace {

template <GlKind kind>
auto maker() {
    if constexpr (kind == GlKind::buffer)
        return gl().GenBuffers;
    else if constexpr (kind == GlKind::texture)
        return gl().GenTextures;
    else if constexpr (kind == GlKind::framebuffer)
        return gl().GenFramebuffers;
    else if constexpr (kind == GlKind::renderbuffer)
        return gl().GenRenderbuffers;
    else
        return gl().GenVertexArrays;
}

template <GlKind kind>
auto breaker() {
    if constexpr (kind == GlKind::buffer)
        return gl().DeleteBuffers;
    else if constexpr (kind == GlKind::texture)
        return gl().DeleteTextures;
    else if constexpr (kind == GlKind::framebuffer)
        return gl().DeleteFramebuffers;
    else if constexpr (kind == GlKind::renderbuffer)
        return gl().DeleteRenderbuffers;
    else
        return gl().DeleteVertexArrays;
}

/// The first line: an Error is one line.
std::string first_line(const std::string& log) { return log.substr(0, log.find('\n')); }

GLuint compiled(GLenum kind, const std::string& source) {
    const GLuint shader = gl().CreateShader(kind);
    const char* code = source.c_str();
    gl().ShaderSource(shader, 1, &code, nullptr);
    gl().CompileShader(shader);
    GLint ok = GL_FALSE;
    gl().GetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return shader;
    char log[2048] = {};
    gl().GetShaderInfoLog(shader, sizeof log, nullptr, log);
    gl().DeleteShader(shader);
    throw Error(Fault::unsupported, {}, text("the driver refuses a shader: ", first_line(log)), "OpenGL ES 3.0");
}

constexpr std::array<const char*, 15> kAttributeNames{
    "a_position",  "a_normal", "a_value", "a_colour", "a_uv",       "a_joints_0", "a_joints_1", "a_weights_0",
    "a_weights_1", "a_mark",   "a_end_a", "a_end_b",  "a_colour_a", "a_colour_b", "a_second_uv"};

}  // namespace

template <GlKind kind>
GlName<kind>::GlName() {
    maker<kind>()(1, &id_);
}
template <GlKind kind>
void GlName<kind>::reset() noexcept {
    if (id_ != 0) breaker<kind>()(1, &id_);
    id_ = 0;
}
template class GlName<GlKind::buffer>;
template class GlName<GlKind::texture>;
template class GlName<GlKind::framebuffer>;
template class GlName<GlKind::renderbuffer>;
template class GlName<GlKind::vertex_array>;

GlProgram::GlProgram(const std::string& vertex, const std::string& fragment,
                     std::initializer_list<const char*> captured) {
    const GLuint first = compiled(GL_VERTEX_SHADER, vertex), second = compiled(GL_FRAGMENT_SHADER, fragment);
    id_ = gl().CreateProgram();
    gl().AttachShader(id_, first);
    gl().AttachShader(id_, second);
    for (std::size_t k = 0; k < kAttributeNames.size(); ++k)
        gl().BindAttribLocation(id_, static_cast<GLuint>(k), kAttributeNames[k]);
    if (captured.size() > 0) {
        gl().TransformFeedbackVaryings(id_, static_cast<GLsizei>(captured.size()), captured.begin(),
                                       GL_SEPARATE_ATTRIBS);
    }
    gl().LinkProgram(id_);
    gl().DeleteShader(first);
    gl().DeleteShader(second);
    GLint ok = GL_FALSE;
    gl().GetProgramiv(id_, GL_LINK_STATUS, &ok);
    if (ok == GL_TRUE) return;
    char log[2048] = {};
    gl().GetProgramInfoLog(id_, sizeof log, nullptr, log);
    gl().DeleteProgram(id_);
    throw Error(Fault::unsupported, {}, text("the driver cannot link a shader: ", first_line(log)), "OpenGL ES 3.0");
}

GlProgram::~GlProgram() {
    if (id_ != 0) gl().DeleteProgram(id_);
}

void GlProgram::use() const { gl().UseProgram(id_); }

GLint GlProgram::location(const char* name) {
    const auto found = locations_.find(name);
    if (found != locations_.end()) return found->second;
    return locations_.emplace(name, gl().GetUniformLocation(id_, name)).first->second;
}

void GlProgram::set(const char* name, int value) { gl().Uniform1i(location(name), value); }
void GlProgram::set(const char* name, float value) { gl().Uniform1f(location(name), value); }
void GlProgram::set(const char* name, const std::array<float, 2>& v) { gl().Uniform2f(location(name), v[0], v[1]); }
void GlProgram::set(const char* name, const std::array<float, 3>& v) {
    gl().Uniform3f(location(name), v[0], v[1], v[2]);
}
void GlProgram::set(const char* name, const std::array<float, 4>& v) {
    gl().Uniform4f(location(name), v[0], v[1], v[2], v[3]);
}
void GlProgram::set(const char* name, const std::array<float, 16>& m) {
    gl().UniformMatrix4fv(location(name), 1, GL_FALSE, m.data());
}
void GlProgram::set(const char* name, std::span<const float> values) {
    gl().Uniform1fv(location(name), static_cast<GLsizei>(values.size()), values.data());
}

void fill_texture(const GlTexture& texture, const TextureShape& shape, const void* pixels) {
    gl().ActiveTexture(
        GL_TEXTURE15);  // a unit that nothing is drawn with: filling may come between binding and drawing
    gl().BindTexture(GL_TEXTURE_2D, texture.id());
    gl().PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl().TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(shape.internal), shape.width, shape.height, 0, shape.format,
                    shape.type, pixels);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                       shape.mipmaps ? (shape.filter == GL_NEAREST ? GL_NEAREST_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_LINEAR)
                                     : shape.filter);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, shape.filter);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, shape.wrap);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, shape.wrap_v != 0 ? shape.wrap_v : shape.wrap);
    if (shape.mipmaps) gl().GenerateMipmap(GL_TEXTURE_2D);
    gl().ActiveTexture(GL_TEXTURE0);
}

void bind_texture(int unit, const GlTexture& texture) {
    gl().ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    gl().BindTexture(GL_TEXTURE_2D, texture.id());
    gl().ActiveTexture(GL_TEXTURE0);
}

void check_gl(const char* doing) {
    const GLenum error = gl().GetError();
    if (error == GL_NO_ERROR) return;
    const char* name = error == GL_OUT_OF_MEMORY       ? "it is out of memory"
                       : error == GL_INVALID_OPERATION ? "invalid operation"
                                                       : "invalid call";
    throw Error(Fault::unsupported, {}, text("the OpenGL driver failed while ", doing, ": ", name),
                "a smaller picture or another driver");
}

void check_framebuffer(const char* doing) {
    if (gl().CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw Error(Fault::unsupported, {}, text("the OpenGL driver offers no frame buffer for ", doing),
                    "a smaller picture or another driver");
    }
}

}  // namespace limber
