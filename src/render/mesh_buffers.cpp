#include "render/mesh_buffers.hpp"

#include "core/text.hpp"
#include "render/camera.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace limber {

namespace {

constexpr int kModeTextureWidth = 2048;
constexpr long kKeep = 8;  // pictures that an unused thing is kept for: several views or runs may be drawn in turn

std::uint8_t to_byte(double x) { return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(x, 0.0, 1.0))); }

std::array<std::uint8_t, 4> to_bytes(const Colour& c) {
    return {to_byte(static_cast<double>(c.r)), to_byte(static_cast<double>(c.g)), to_byte(static_cast<double>(c.b)),
            to_byte(static_cast<double>(c.a))};
}

/// As light adds up.
Colour product(const Colour& a, const Colour& b) {
    const auto x = to_linear(a), y = to_linear(b);
    return from_linear({x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3]});
}

/// Sums of the triangles' normals by area; the fragment stage needs no unit length.
std::vector<Vec3> normals_by_area(const DrawMesh& mesh) {
    const DrawTopology& t = *mesh.topology;
    std::vector<Vec3> out(t.normal_count);
    for (const auto& triangle : t.triangles) {
        Vec3 p[3];
        for (std::size_t k = 0; k < 3; ++k)
            p[k] = mesh.positions[static_cast<std::size_t>(t.vertex[static_cast<std::size_t>(triangle[k])])];
        const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
        for (const std::int32_t corner : triangle)
            out[static_cast<std::size_t>(t.normal[static_cast<std::size_t>(corner)])] += n;
    }
    for (Vec3& n : out) {
        const double length = norm(n);
        n = length > 0.0 && std::isfinite(length) ? n / length : Vec3{0.0, 0.0, 1.0};
    }
    return out;
}

/// Is the closed surface turned outside out, and are its normals? Then what faces the eye is all that can be seen of
/// it, as it is.
bool faces_outward(const DrawMesh& mesh, const std::vector<Vec3>& normals) {
    const DrawTopology& t = *mesh.topology;
    double volume = 0.0;
    for (const auto& triangle : t.triangles) {
        Vec3 p[3], n;  // from a vertex of the body: the numbers stay small
        for (std::size_t k = 0; k < 3; ++k) {
            const auto corner = static_cast<std::size_t>(triangle[k]);
            p[k] = mesh.positions[static_cast<std::size_t>(t.vertex[corner])] - mesh.positions[0];
            n += normals[static_cast<std::size_t>(t.normal[corner])];
        }
        const Vec3 area = cross(p[1] - p[0], p[2] - p[0]);
        if (dot(area, n) < 0.0) return false;
        volume += dot(p[0], area);
    }
    return volume > 0.0;
}

/// Mirrored models have the corners of all faces in the other order, and normals as ever.
bool faces_against_normals(const DrawMesh& mesh, const std::vector<Vec3>& normals) {
    const DrawTopology& t = *mesh.topology;
    double along = 0.0;
    for (const auto& triangle : t.triangles) {
        Vec3 p[3], n;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto corner = static_cast<std::size_t>(triangle[k]);
            p[k] = mesh.positions[static_cast<std::size_t>(t.vertex[corner])];
            n += normals[static_cast<std::size_t>(t.normal[corner])];
        }
        along += dot(cross(p[1] - p[0], p[2] - p[0]), n);
    }
    return along < 0.0;
}

void attribute(Attribute which, GLint count, GLenum type, bool normalized, std::size_t stride, std::size_t offset) {
    const auto location = static_cast<GLuint>(which);
    gl().EnableVertexAttribArray(location);
    gl().VertexAttribPointer(location, count, type, normalized ? GL_TRUE : GL_FALSE, static_cast<GLsizei>(stride),
                             std::bit_cast<const void*>(offset));  // OpenGL takes an offset as a pointer
}

/// What of a corner never changes.
struct FixedVertex {
    std::array<float, 2> uv{}, second_uv{};
    float mark = 0.0F;
    std::array<std::uint16_t, 8> joints{};
    std::array<float, 8> weights{};
};

FixedVertex fixed_vertex(const DrawTopology& t, std::size_t corner, std::uint8_t mark) {
    FixedVertex out;
    if (!t.uv.empty()) out.uv = t.uv[corner];
    if (!t.second_uv.empty()) out.second_uv = t.second_uv[static_cast<std::size_t>(t.vertex[corner])];
    out.mark = static_cast<float>(mark);
    if (t.influences.empty()) return out;
    const DrawInfluences& in = t.influences[static_cast<std::size_t>(t.vertex[corner])];
    for (std::size_t k = 0; k < 8; ++k) out.joints[k] = static_cast<std::uint16_t>(std::clamp(in.joint[k], 0, 65535));
    out.weights = in.weight;
    return out;
}

}  // namespace

MeshBuffers::MeshBuffers(const DrawTopology& topology, bool by_triangle) {
    const std::size_t corners = by_triangle ? 3 * topology.triangles.size() : topology.vertex.size();
    corner_.reserve(corners);
    if (by_triangle)
        for (const auto& triangle : topology.triangles) corner_.insert(corner_.end(), triangle.begin(), triangle.end());
    else
        for (std::size_t c = 0; c < corners; ++c) corner_.push_back(static_cast<std::int32_t>(c));
    vertices_.resize(corners);
    gl().BindVertexArray(array_.id());
    upload_static(topology, by_triangle);

    gl().BindBuffer(GL_ARRAY_BUFFER, moving_.id());
    gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(corners * sizeof(GpuVertex)), nullptr, GL_DYNAMIC_DRAW);
    attribute(Attribute::position, 3, GL_FLOAT, false, sizeof(GpuVertex), offsetof(GpuVertex, position));
    attribute(Attribute::normal, 3, GL_FLOAT, false, sizeof(GpuVertex), offsetof(GpuVertex, normal));
    attribute(Attribute::value, 2, GL_FLOAT, false, sizeof(GpuVertex), offsetof(GpuVertex, value));
    attribute(Attribute::colour, 4, GL_UNSIGNED_BYTE, true, sizeof(GpuVertex), offsetof(GpuVertex, colour));
    if (!by_triangle) {
        index_count_ = static_cast<GLsizei>(3 * topology.triangles.size());
        gl().BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
        gl().BufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(sizeof(std::int32_t)) * index_count_,
                        topology.triangles.data(), GL_STATIC_DRAW);
    }
    gl().BindVertexArray(0);
    upload_modes(topology);
    upload_bones({}, {});
    check_gl("taking a mesh");
}

void MeshBuffers::upload_static(const DrawTopology& topology, bool by_triangle) {
    const bool marked = by_triangle && !topology.edges.empty();
    if (topology.uv.empty() && topology.second_uv.empty() && topology.influences.empty() && !marked) return;
    std::vector<FixedVertex> fixed;
    fixed.reserve(corner_.size());
    for (std::size_t i = 0; i < corner_.size(); ++i) {
        fixed.push_back(fixed_vertex(topology, static_cast<std::size_t>(corner_[i]),
                                     marked ? topology.edges[i / 3] : std::uint8_t{7}));
    }
    gl().BindBuffer(GL_ARRAY_BUFFER, fixed_.id());
    gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(fixed.size() * sizeof(FixedVertex)), fixed.data(),
                    GL_STATIC_DRAW);
    attribute(Attribute::uv, 2, GL_FLOAT, false, sizeof(FixedVertex), offsetof(FixedVertex, uv));
    attribute(Attribute::second_uv, 2, GL_FLOAT, false, sizeof(FixedVertex), offsetof(FixedVertex, second_uv));
    attribute(Attribute::mark, 1, GL_FLOAT, false, sizeof(FixedVertex), offsetof(FixedVertex, mark));
    if (topology.influences.empty()) return;
    attribute(Attribute::joints_0, 4, GL_UNSIGNED_SHORT, false, sizeof(FixedVertex), offsetof(FixedVertex, joints));
    attribute(Attribute::joints_1, 4, GL_UNSIGNED_SHORT, false, sizeof(FixedVertex), offsetof(FixedVertex, joints) + 8);
    attribute(Attribute::weights_0, 4, GL_FLOAT, false, sizeof(FixedVertex), offsetof(FixedVertex, weights));
    attribute(Attribute::weights_1, 4, GL_FLOAT, false, sizeof(FixedVertex), offsetof(FixedVertex, weights) + 16);
}

void MeshBuffers::upload_modes(const DrawTopology& topology) {
    mode_count_ = static_cast<int>(topology.modes.size());
    const std::size_t texels = std::max<std::size_t>(1, 2 * topology.modes.size() * corner_.size());
    TextureShape shape;
    shape.width = static_cast<int>(std::min<std::size_t>(texels, kModeTextureWidth));
    shape.height = static_cast<int>((texels + kModeTextureWidth - 1) / kModeTextureWidth);
    shape.internal = GL_RGBA32F;
    shape.type = GL_FLOAT;
    GLint most = 0;
    gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (shape.height > most) {
        throw Error(Fault::unsupported, {}, text(mode_count_, " modes of ", corner_.size(), " corners"),
                    "as much as the driver's largest texture holds");
    }
    std::vector<std::array<float, 4>> data(static_cast<std::size_t>(shape.width) *
                                           static_cast<std::size_t>(shape.height));
    std::size_t at = 0;
    for (const std::int32_t corner : corner_) {
        for (const DrawMode& mode : topology.modes) {
            const auto p = to_float(
                mode.positions[static_cast<std::size_t>(topology.vertex[static_cast<std::size_t>(corner)])]);
            const auto n = mode.normals.empty() ? std::array<float, 3>{}
                                                : to_float(mode.normals[static_cast<std::size_t>(
                                                      topology.normal[static_cast<std::size_t>(corner)])]);
            data[at++] = {p[0], p[1], p[2], 0.0F};
            data[at++] = {n[0], n[1], n[2], 0.0F};
        }
    }
    fill_texture(modes_, shape, data.data());
}

void MeshBuffers::upload_bones(const std::vector<DrawBone>& bones, const Vec3& origin) {
    std::vector<float> data;
    data.reserve(12 * std::max<std::size_t>(1, bones.size()));
    for (const DrawBone& bone : bones) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) data.push_back(static_cast<float>(bone.linear(i, j)));
            data.push_back(static_cast<float>(bone.translation[i] - origin[i]));
        }
    }
    data.resize(12 * std::max<std::size_t>(1, bones.size()));
    TextureShape shape;
    shape.width = 3;
    shape.height = static_cast<int>(data.size() / 12);
    shape.internal = GL_RGBA32F;
    shape.type = GL_FLOAT;
    fill_texture(bones_, shape, data.data());
}

void MeshBuffers::update(const DrawMesh& mesh, const Vec3& origin) {
    const DrawTopology& t = *mesh.topology;
    skinned_ = !mesh.bones.empty() && !t.influences.empty();
    if (skinned_) upload_bones(mesh.bones, origin);
    mode_weights_ = {};
    for (std::size_t m = 0; m < mesh.mode_weights.size(); ++m)
        mode_weights_[m] = static_cast<float>(mesh.mode_weights[m]);
    active_modes_ = mesh.mode_weights.empty() ? 0 : mode_count_;

    const std::vector<Vec3> computed = mesh.normals.empty() ? normals_by_area(mesh) : std::vector<Vec3>();
    const std::vector<Vec3>& normals = mesh.normals.empty() ? computed : mesh.normals;
    outward_ = t.closed && !moving() && faces_outward(mesh, normals);  // where the GPU moves them is not known here
    reversed_ = mesh.look.single_sided && faces_against_normals(mesh, normals);
    const Vec3 shift = skinned_ ? Vec3{} : origin;  // bones bring it in after the modes
    const bool painted = !mesh.paints.empty() && !t.paint.empty();
    for (std::size_t i = 0; i < corner_.size(); ++i) {
        const auto corner = static_cast<std::size_t>(corner_[i]), vertex = static_cast<std::size_t>(t.vertex[corner]);
        GpuVertex& out = vertices_[i];
        out.position = to_float(mesh.positions[vertex] - shift);
        out.normal = to_float(normals[static_cast<std::size_t>(t.normal[corner])]);
        const double fraction = mesh.values.empty() ? std::nan("") : fraction_in(mesh.range, mesh.values[vertex]);
        out.value = std::isnan(fraction)
                        ? std::array<float, 2>{0.0F, 0.0F}
                        : std::array<float, 2>{static_cast<float>(std::clamp(fraction, -1e6, 1e6)), 1.0F};
        Colour colour = mesh.colours.empty() ? rgb(0xFFFFFF) : mesh.colours[vertex];
        if (painted) {
            const Colour& paint = mesh.paints[static_cast<std::size_t>(t.paint[corner])];
            colour = mesh.colours.empty() ? paint : product(colour, paint);
        }
        out.colour = to_bytes(colour);
    }
    gl().BindBuffer(GL_ARRAY_BUFFER, moving_.id());
    gl().BufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(vertices_.size() * sizeof(GpuVertex)),
                       vertices_.data());
}

void MeshBuffers::draw(GLenum hidden) const {
    gl().BindVertexArray(array_.id());
    if (hidden != GL_NONE) {
        gl().Enable(GL_CULL_FACE);
        gl().CullFace(hidden);
    }
    if (index_count_ > 0)
        gl().DrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
    else
        gl().DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corner_.size()));
    if (hidden != GL_NONE) gl().Disable(GL_CULL_FACE);
}

void MeshBuffers::draw_corners() const {
    gl().BindVertexArray(array_.id());
    gl().DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(corner_.size()));
}

void MeshBuffers::bind_motion(GlProgram& program) const {
    if (!moving()) return;
    program.set("u_mode_count", active_modes_);
    program.set("u_mode_weights", mode_weights_);
    program.set("u_skinned", skinned_ ? 1 : 0);
    bind_texture(0, modes_);
    bind_texture(1, bones_);
    program.set("u_modes", 0);
    program.set("u_bones", 1);
}

void GpuCache::start_picture() {
    ++picture_;
    shown_.clear();
    std::erase_if(meshes_, [this](const auto& entry) { return entry.second.last_used + kKeep < picture_; });
    std::erase_if(textures_, [this](const auto& entry) { return entry.second.last_used + kKeep < picture_; });
}

MeshBuffers& GpuCache::buffers(const DrawMesh& mesh) {
    const bool by_triangle = mesh.look.wireframe;
    const int which = shown_[{mesh.topology.get(), by_triangle}]++;
    const Key key{mesh.topology.get(), by_triangle, which};
    auto found = meshes_.find(key);
    if (found == meshes_.end()) {
        found = meshes_
                    .emplace(key, Kept<MeshBuffers, DrawTopology>{MeshBuffers(*mesh.topology, by_triangle),
                                                                  mesh.topology, 0})
                    .first;
    }
    found->second.last_used = picture_;
    return found->second.thing;
}

namespace {
GLint gl_wrap(DrawSampling::Wrap wrap) {
    switch (wrap) {
        case DrawSampling::Wrap::clamp: return GL_CLAMP_TO_EDGE;
        case DrawSampling::Wrap::mirror: return GL_MIRRORED_REPEAT;
        default: return GL_REPEAT;
    }
}
}  // namespace

const GlTexture& GpuCache::texture(const std::shared_ptr<const Image>& image, const DrawSampling& sampling,
                                   bool numbers) {
    static constexpr std::array<std::uint8_t, 4> kWhite{255, 255, 255, 255};
    const TextureKey key{image.get(), sampling.wrap_u, sampling.wrap_v, sampling.nearest, numbers};
    auto found = textures_.find(key);
    if (found == textures_.end()) {
        GlTexture made;
        TextureShape shape;
        shape.internal = numbers ? GL_RGBA8 : GL_SRGB8_ALPHA8;
        shape.filter = sampling.nearest ? GL_NEAREST : GL_LINEAR;
        shape.wrap = gl_wrap(sampling.wrap_u);
        shape.wrap_v = gl_wrap(sampling.wrap_v);
        const void* pixels = kWhite.data();
        if (image) {
            GLint most = 0;
            gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
            const bool fits = image->width > 0 && image->height > 0 && image->width <= most && image->height <= most &&
                              image->rgba.size() ==
                                  4 * static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
            if (!fits) {
                throw Error(Fault::bad_mesh, {}, text("a texture of ", image->width, " x ", image->height, " pixels"),
                            text("1 to ", most, " each way, 4 bytes per pixel"));
            }
            shape.width = image->width;
            shape.height = image->height;
            shape.mipmaps = true;
            pixels = image->rgba.data();
        }
        fill_texture(made, shape, pixels);
        found = textures_.emplace(key, Kept<GlTexture, Image>{std::move(made), image, 0}).first;
    }
    found->second.last_used = picture_;
    return found->second.thing;
}

const GlTexture& GpuCache::colour_map(ColourMap map) {
    const auto found = maps_.find(map);
    if (found != maps_.end()) return found->second;
    std::array<std::array<std::uint8_t, 4>, 256> texels{};
    for (std::size_t i = 0; i < texels.size(); ++i)
        texels[i] = to_bytes(map == ColourMap::categorical ? category(i) : sample(map, static_cast<double>(i) / 255.0));
    TextureShape shape;
    shape.width = 256;
    const auto made = maps_.emplace(std::piecewise_construct, std::forward_as_tuple(map), std::forward_as_tuple())
                          .first;
    fill_texture(made->second, shape, texels.data());
    return made->second;
}

}  // namespace limber
