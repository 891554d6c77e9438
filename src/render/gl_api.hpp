// OpenGL ES 3.0 found at run time, so that limber starts on machines without it. Nothing of ES 3.1 or desktop GL: the
// same calls are there as WebGL 2.
#pragma once

#include <GLES3/gl3.h>

namespace limber {

// clang-format 14 lays this list out anew every time.
// clang-format off
#define LIMBER_GL_CALLS(X) \
    X(ActiveTexture) X(AttachShader) X(BeginTransformFeedback) X(BindAttribLocation) X(BindBuffer) X(BindBufferBase) \
    X(BindFramebuffer) X(BindRenderbuffer) X(BindTexture) X(BindVertexArray) X(BlendFunc) X(BlendFuncSeparate) \
    X(BlitFramebuffer) X(BufferData) X(BufferSubData) X(CheckFramebufferStatus) X(Clear) X(ClearColor) X(ClearDepthf) \
    X(ColorMask) X(CompileShader) X(CreateProgram) X(CreateShader) X(CullFace) X(DeleteBuffers) X(DeleteFramebuffers) \
    X(DeleteProgram) X(DeleteRenderbuffers) X(DeleteShader) X(DeleteTextures) X(DeleteVertexArrays) X(DepthFunc) \
    X(DepthMask) X(Disable) X(DrawArrays) X(DrawArraysInstanced) X(DrawBuffers) X(DrawElements) X(Enable) \
    X(EnableVertexAttribArray) X(DisableVertexAttribArray) X(EndTransformFeedback) X(FramebufferRenderbuffer) \
    X(FramebufferTexture2D) X(FrontFace) X(GenBuffers) X(GenFramebuffers) X(GenRenderbuffers) X(GenTextures) \
    X(GenVertexArrays) X(GenerateMipmap) X(GetError) X(GetIntegerv) X(GetInternalformativ) X(GetProgramInfoLog) \
    X(GetProgramiv) X(GetShaderInfoLog) X(GetShaderiv) X(GetString) X(GetUniformLocation) X(LinkProgram) \
    X(MapBufferRange) X(PixelStorei) X(PolygonOffset) X(ReadBuffer) X(ReadPixels) X(RenderbufferStorageMultisample) \
    X(ShaderSource) X(TexImage2D) X(TexParameteri) X(TexSubImage2D) X(TransformFeedbackVaryings) X(Uniform1f) \
    X(Uniform1fv) X(Uniform1i) X(Uniform2f) X(Uniform3f) X(Uniform4f) X(Uniform4fv) X(UniformMatrix4fv) X(UnmapBuffer) \
    X(UseProgram) X(VertexAttrib1f) X(VertexAttrib4f) X(VertexAttribDivisor) X(VertexAttribIPointer) \
    X(VertexAttribPointer) X(Viewport)
// clang-format on

/// Every call under its name without "gl".
struct GlApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): g++ warns of parentheses around a name that is declared
#define LIMBER_GL_MEMBER(name) decltype(&::gl##name) name = nullptr;
    LIMBER_GL_CALLS(LIMBER_GL_MEMBER)
#undef LIMBER_GL_MEMBER
};

/// The calls; usable while a GlContext is current.
const GlApi& gl();

}  // namespace limber
