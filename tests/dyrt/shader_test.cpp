// The vertex shader on a real OpenGL ES, vertex by vertex against the same thing done here in double.
#include "dyrt_fixtures.hpp"

#include "render/gl_context.hpp"
#include "render/gl_objects.hpp"
#include "rig/skinning.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace limber {
namespace {

constexpr std::size_t kModes = 5;

std::string shader_source() {
    std::ifstream file(LIMBER_SOURCE "/runtime/dyrt/limber_dyrt.vert");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

using Floats = std::vector<float>;
void add(Floats& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}

/// Everything the shader is given, and what should come of it.
struct Case {
    Floats position, normal, joints, weights, displacement[kModes], correction[kModes], bones, amplitudes;
    std::vector<Vec3> moved, turned;
};

Case make_case(const Rig& rig, const DyrtPart& part, double time) {
    Case c;
    const Pose pose = pose_at(rig, 1, time);
    const std::size_t n = part.vertices.size();
    for (std::size_t k = 0; k < kModes; ++k)
        c.amplitudes.push_back(static_cast<float>(0.03 * (k % 2 == 0 ? 1.0 : -0.7)));
    const Palette palette = palette_of(rig.bindings[0], pose);
    for (const Affine& b : palette.matrix) {
        for (int r = 0; r < 3; ++r) {
            for (int i = 0; i < 3; ++i) c.bones.push_back(static_cast<float>(b.linear(r, i)));
            c.bones.push_back(static_cast<float>(b.translation[r]));
        }
    }
    Rig bent = rig;
    for (std::size_t i = 0; i < n; ++i) {
        const DyrtVertex& v = part.vertices[i];
        SkinPart& skin = bent.parts[static_cast<std::size_t>(v.part)];
        add(c.position, v.position);
        add(c.normal, v.normal);
        Vec3 x = v.position, normal = v.normal;
        for (std::size_t k = 0; k < kModes; ++k) {
            add(c.displacement[k], part.displacements[k * n + i]);
            add(c.correction[k], part.corrections[k * n + i]);
            x += part.displacements[k * n + i] * static_cast<double>(c.amplitudes[k]);
            normal += part.corrections[k * n + i] * static_cast<double>(c.amplitudes[k]);
        }
        skin.positions[static_cast<std::size_t>(v.vertex)] = x;
        skin.normals[static_cast<std::size_t>(v.vertex)] = normal / norm(normal);
        const Influences& f = skin.influences[static_cast<std::size_t>(v.vertex)];
        for (std::size_t k = 0; k < 4; ++k) {
            c.joints.push_back(static_cast<float>(f.joint[k]));
            c.weights.push_back(static_cast<float>(f.weight[k]));
        }
        EXPECT_EQ(f.weight[4], 0.0);
    }
    std::vector<std::vector<Vec3>> positions, normals;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        positions.emplace_back(rig.parts[p].positions.size());
        normals.emplace_back(rig.parts[p].positions.size());
        skin(bent, p, pose, positions[p], normals[p]);
    }
    for (const DyrtVertex& v : part.vertices) {
        c.moved.push_back(positions[static_cast<std::size_t>(v.part)][static_cast<std::size_t>(v.vertex)]);
        c.turned.push_back(normals[static_cast<std::size_t>(v.part)][static_cast<std::size_t>(v.vertex)]);
    }
    return c;
}

/// v_position and v_normal of every vertex, by transform feedback.
std::array<Floats, 2> run_shader(const Case& c) {
    const auto count = static_cast<GLsizei>(c.moved.size());
    GlProgram program(shader_source(),
                      "#version 300 es\nprecision highp float; in vec3 v_normal; out vec4 o; void main() { o = "
                      "vec4(v_normal, 1.0); }",
                      {"v_position", "v_normal"});
    program.use();
    program.set("u_amplitudes", std::span<const float>(c.amplitudes));
    GLint id = 0;
    gl().GetIntegerv(GL_CURRENT_PROGRAM, &id);
    gl().Uniform4fv(gl().GetUniformLocation(static_cast<GLuint>(id), "u_bones"),
                    static_cast<GLsizei>(c.bones.size() / 4), c.bones.data());
    const GlRenderbuffer
        pixel;  // a context without a window has nowhere to draw, and refuses even where nothing is drawn
    gl().BindRenderbuffer(GL_RENDERBUFFER, pixel.id());
    gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, 0, GL_RGBA8, 1, 1);
    const GlFramebuffer frame;
    gl().BindFramebuffer(GL_FRAMEBUFFER, frame.id());
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixel.id());
    const GlVertexArray array;
    gl().BindVertexArray(array.id());
    std::vector<GlBuffer> buffers;
    const auto feed = [&](GLuint location, int width, const Floats& data) {
        buffers.emplace_back();
        gl().BindBuffer(GL_ARRAY_BUFFER, buffers.back().id());
        gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * 4), data.data(), GL_STATIC_DRAW);
        gl().EnableVertexAttribArray(location);
        gl().VertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, 0, nullptr);
    };
    feed(0, 3, c.position);
    feed(1, 3, c.normal);
    feed(2, 4, c.joints);
    feed(3, 4, c.weights);
    for (GLuint k = 0; k < kModes; ++k) {
        feed(4 + 2 * k, 3, c.displacement[k]);
        feed(5 + 2 * k, 3, c.correction[k]);
    }
    GlBuffer out[2];
    for (GLuint i = 0; i < 2; ++i) {
        gl().BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, out[i].id());
        gl().BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(c.moved.size() * 12), nullptr,
                        GL_STREAM_READ);
        gl().BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, out[i].id());
    }
    gl().Enable(GL_RASTERIZER_DISCARD);
    gl().BeginTransformFeedback(GL_POINTS);
    gl().DrawArrays(GL_POINTS, 0, count);
    gl().EndTransformFeedback();
    gl().Disable(GL_RASTERIZER_DISCARD);
    check_gl("running the DyRT shader");
    std::array<Floats, 2> got;
    for (std::size_t i = 0; i < 2; ++i) {
        gl().BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, out[i].id());
        const auto* data = static_cast<const float*>(gl().MapBufferRange(
            GL_TRANSFORM_FEEDBACK_BUFFER, 0, static_cast<GLsizeiptr>(c.moved.size() * 12), GL_MAP_READ_BIT));
        got[i].assign(data, data + 3 * c.moved.size());
        gl().UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    }
    return got;
}

double worst(const Floats& got, const std::vector<Vec3>& expected) {
    double out = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        out = std::max(out, norm(Vec3{got[3 * i], got[3 * i + 1], got[3 * i + 2]} - expected[i]));
    return out;
}

// Skinning before displacing, a correction that is not normalised, or a wrong row of a bone would all show: bones are
// far from their bind pose here.
TEST(DyrtShader, EveryVertexIsWhereTheCpuPutsIt) {
    const GlContext context;
    const GlContext::Current current(context);
    for (const double time : {0.0, 0.5, 0.9}) {
        const Case c = make_case(humanoid(), thigh(), time);
        const auto [positions, normals] = run_shader(c);
        EXPECT_LT(worst(positions, c.moved), 2e-6) << time;  // [m]: 32 bits at 2 m
        EXPECT_LT(worst(normals, c.turned), 2e-5) << time;
    }
}

// A mesh without normals has zeros there, and amplitudes may be beyond all measure: numbers come out, those of the C
// library.
TEST(DyrtShader, ExtremeAmplitudesAndMissingNormalsGiveNumbers) {
    const GlContext context;
    const GlContext::Current current(context);
    Case c = make_case(humanoid(), thigh(), 0.0);
    for (std::size_t i = 0; i < 9; ++i) c.normal[i] = 0.0f;
    for (std::size_t k = 0; k < kModes; ++k)
        for (std::size_t i = 0; i < 9; ++i) c.correction[k][i] = 0.0f;
    for (const float amplitude : {0.03f, 1e12f, 1e20f, 1e24f}) {
        for (float& a : c.amplitudes) a = amplitude;
        const auto [positions, normals] = run_shader(c);
        for (const float v : positions) ASSERT_TRUE(std::isfinite(v)) << amplitude;
        for (std::size_t v = 0; v < normals.size(); v += 3) {
            const double length = std::hypot(static_cast<double>(normals[v]), static_cast<double>(normals[v + 1]),
                                             static_cast<double>(normals[v + 2]));
            ASSERT_NEAR(length, v < 9 ? 0.0 : 1.0, 1e-4) << amplitude << " vertex " << v / 3;
        }
    }
}

// The paper's appendix B: two instructions per mode more than skinning alone, and a unit normal.
TEST(DyrtShader, JigglingCostsTwoMultiplyAddsPerModeAndAUnitNormal) {
    const std::string source = shader_source();
    const std::size_t from = source.find("void jiggle"), to = source.find("void skin");
    const std::string body = source.substr(from, to - from);
    const std::regex one(R"(\n    (position|normal) \+= u_amplitudes\[\d\] \* a_\w+;)"),
        normalise(R"(normal = unit\(normal\);)"), any(R"(;)");
    const auto count = [&](const std::regex& what) {
        return std::distance(std::sregex_iterator(body.begin(), body.end(), what), std::sregex_iterator());
    };
    EXPECT_EQ(count(one), 2 * 6);      // six modes at most
    EXPECT_EQ(count(normalise), 1);    // a dot product and a scaling, and not to overflow
    EXPECT_EQ(count(any), 2 * 6 + 1);  // and nothing else
}

}  // namespace
}  // namespace limber
