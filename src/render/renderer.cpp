#include "render/renderer.hpp"

#include "core/text.hpp"
#include "render/gl_context.hpp"
#include "render/line_buffers.hpp"
#include "render/mesh_buffers.hpp"
#include "render/picture_target.hpp"
#include "render/shaders.hpp"
#include "render/shadow_pass.hpp"
#include "render/stage_layout.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace limber {

namespace {

constexpr int kTile = 2048;  // [px]: larger pictures are drawn in pieces, so that memory stays bounded
constexpr double kMostShadowLayers =
    1000.0;  // faces that lie on each other by the thousand: drawing each one's shadow takes seconds
constexpr double kMostPixelsAltogether = 134217728.0;

std::array<float, 4> linear(const Colour& colour) {
    const auto c = to_linear(colour);
    return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2]), static_cast<float>(c[3])};
}

void check(const PictureSize& size, int driver_limit) {
    const int most = std::min(kMostPixels, std::max(driver_limit, kTile));
    const auto fits = [most](int n) { return n >= 1 && n <= most; };
    if (!fits(size.width) || !fits(size.height)) {
        throw Error(Fault::bad_usage, {}, text("a picture of ", size.width, " x ", size.height, " pixels"),
                    text("1 to ", most, " each way"));
    }
    if (static_cast<double>(size.width) * size.height > kMostPixelsAltogether) {
        throw Error(Fault::bad_usage, {}, text("a picture of ", size.width, " x ", size.height, " pixels"),
                    "at most 134 million altogether");
    }
    if (size.samples < 1 || size.samples > 64)
        throw Error(Fault::bad_usage, {}, text(size.samples, " samples per pixel"), "1 to 64");
}

bool is_clear(const DrawMesh& mesh) {
    const auto below_one = [](const Colour& c) { return c.a < 1.0F; };
    if (mesh.look.solid) return false;
    return mesh.look.see_through || below_one(mesh.look.base) ||
           std::any_of(mesh.colours.begin(), mesh.colours.end(), below_one) ||
           std::any_of(mesh.paints.begin(), mesh.paints.end(), below_one);
}

/// More than one picture that lies as it comes.
bool has_maps(const DrawLook& look) {
    const DrawSampling& s = look.sampling;
    return look.normal_map.image || look.metal_rough_map.image || look.occlusion_map.image || look.emissive_map.image ||
           (look.texture && (s.second_uv || s.uv_transform != DrawSampling{}.uv_transform));
}

/// How often the faces would cover the things they belong to: some ten times in an ordinary picture.
double layers_of(const DrawList& list) {
    double area = 0.0;
    for (const DrawMesh& mesh : list.meshes) {
        if (mesh.layer != DrawLayer::scene || mesh.backdrop) continue;
        const auto at = [&](std::int32_t corner) -> const Vec3& {
            return mesh.positions[static_cast<std::size_t>(mesh.topology->vertex[static_cast<std::size_t>(corner)])];
        };
        for (const auto& t : mesh.topology->triangles)
            area += 0.5 * norm(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    }
    const DrawBox box = box_of(list);
    const double size2 = box.empty() ? 0.0 : norm2(box.high - box.low);
    return size2 > 0.0 && std::isfinite(area) ? area / size2 : 0.0;
}

/// A part of the picture, and how the whole is mapped onto it.
struct Tile {
    int x, y, width, height;           ///< [px], y from the top
    std::array<float, 4> map;          ///< clip space of the whole to that of the tile: scale x, y, shift x, y
    std::array<float, 2> first_pixel;  ///< of the whole, from the lower left
};

Tile tile_at(const PictureSize& size, int x, int y) {
    Tile t{x, y, std::min(kTile, size.width - x), std::min(kTile, size.height - y), {}, {}};
    const double sx = static_cast<double>(size.width) / t.width, sy = static_cast<double>(size.height) / t.height;
    const int below = size.height - y - t.height;
    const double shift_x = sx - 1.0 - 2.0 * x / t.width, shift_y = sy - 1.0 - 2.0 * below / t.height;
    t.map = {static_cast<float>(sx), static_cast<float>(sy), static_cast<float>(shift_x), static_cast<float>(shift_y)};
    t.first_pixel = {static_cast<float>(x), static_cast<float>(below)};
    return t;
}

/// What lives in the context.
struct Resources {
    std::map<unsigned, GlProgram> meshes;  ///< by features, made when first needed
    GlProgram background{screen_vertex_source(), background_fragment_source()};
    GlProgram ground{ground_vertex_source(), ground_fragment_source()};
    GlProgram line{line_vertex_source(), line_fragment_source()};
    GlProgram capture{capture_vertex_source(), depth_fragment_source(), {"v_position", "v_normal"}};
    GlVertexArray nothing;
    PictureTarget target;
    ShadowPass shadow;
    LineBuffers lines;
    GpuCache cache;
    int most_samples = PictureTarget::most_samples(), most_pixels = PictureTarget::most_pixels();
};

}  // namespace

/// A context and what lives in it, which is made, used and destroyed with the context current.
class Renderer::Impl {
public:
    GlContext context;
    std::optional<Resources> own;
    bool left_out_shadows = false;

    Impl() {
        const GlContext::Current current(context);
        own.emplace();
        check_gl("starting");
    }
    ~Impl() {
        const GlContext::Current current(context);
        own.reset();
    }

    void draw(const DrawList& list, const Camera& camera, const PictureSize& size, Image& out);
    void vertex_stage(const DrawMesh& mesh, std::vector<Vec3>& positions, std::vector<Vec3>& normals);

private:
    struct Shown {
        const DrawMesh* mesh;
        MeshBuffers* buffers;
        bool clear;
        double depth;
    };
    std::vector<Shown> take(const DrawList& list, const Camera& camera, const StageLayout& layout);
    void draw_shadow(const std::vector<Shown>& shown, const StageLayout& layout);
    void draw_tile(const DrawList& list, const std::vector<Shown>& shown, const StageLayout& layout,
                   const PictureSize& size, const Tile& tile);
    void draw_background(const DrawStage& stage, const Tile& tile);
    void draw_ground(const DrawStage& stage, const StageLayout& layout, const Tile& tile);
    void draw_meshes(const std::vector<Shown>& shown, DrawLayer layer, bool clear, const StageLayout& layout,
                     const Tile& tile);
    void draw_lines(const DrawList& list, DrawLayer layer, const StageLayout& layout, const PictureSize& size,
                    const Tile& tile);
    void draw_mesh(const Shown& shown, const StageLayout& layout, const Tile& tile);
    static unsigned features_of(const Shown& shown);
    void set_stage(GlProgram& program, const StageLayout& layout, const Tile& tile);
    void set_look(GlProgram& program, const DrawMesh& mesh);
    void set_maps(GlProgram& program, const DrawLook& look);
};

std::vector<Renderer::Impl::Shown> Renderer::Impl::take(const DrawList& list, const Camera& camera,
                                                        const StageLayout& layout) {
    std::vector<Shown> out;
    own->cache.start_picture();
    for (const DrawMesh& mesh : list.meshes) {
        if (mesh.topology->triangles.empty()) continue;
        MeshBuffers& buffers = own->cache.buffers(mesh);
        buffers.update(mesh, layout.origin);
        const bool clear = is_clear(mesh);
        out.push_back({&mesh, &buffers, clear, clear ? project(camera, 1, 1, box_of(mesh).centre()).depth : 0.0});
    }
    // Solid things first, in the list's order; clear ones after, the farthest first.
    std::stable_sort(out.begin(), out.end(), [](const Shown& a, const Shown& b) {
        return a.clear != b.clear ? !a.clear : a.clear && a.depth > b.depth;
    });
    return out;
}

void Renderer::Impl::draw_shadow(const std::vector<Shown>& shown, const StageLayout& layout) {
    if (!layout.shadow) return;
    std::vector<MeshBuffers*> casters;
    for (const Shown& s : shown)
        if (s.mesh->look.casts_shadow && s.mesh->layer == DrawLayer::scene) casters.push_back(s.buffers);
    own->shadow.draw(layout, casters);
}

void Renderer::Impl::draw_background(const DrawStage& stage, const Tile& tile) {
    const auto srgb = [](const Colour& c) { return std::array<float, 3>{c.r, c.g, c.b}; };
    gl().Disable(GL_BLEND);
    gl().DepthMask(GL_FALSE);
    gl().BindVertexArray(own->nothing.id());
    own->background.use();
    own->background.set("u_tile", tile.map);
    own->background.set("u_first_pixel", tile.first_pixel);
    own->background.set("u_top", srgb(stage.background_top));
    own->background.set("u_bottom", srgb(stage.background_bottom));
    gl().DrawArrays(GL_TRIANGLES, 0, 3);
    gl().DepthMask(GL_TRUE);
}

void Renderer::Impl::draw_ground(const DrawStage& stage, const StageLayout& layout, const Tile& tile) {
    if (!layout.ground) return;
    GlProgram& program = own->ground;
    program.use();
    program.set("u_tile", tile.map);
    program.set("u_first_pixel", tile.first_pixel);
    program.set("u_clip", to_float(layout.clip));
    program.set("u_centre", to_float(layout.ground_centre));
    program.set("u_axis_x", to_float(layout.ground_x));
    program.set("u_axis_y", to_float(layout.ground_y));
    program.set("u_grid_first", std::array<float, 2>{static_cast<float>(layout.grid_first[0]),
                                                     static_cast<float>(layout.grid_first[1])});
    program.set("u_grid_step",
                std::array<float, 2>{static_cast<float>(layout.grid_step[0]), static_cast<float>(layout.grid_step[1])});
    program.set("u_line", std::array<float, 4>{0.52F, 0.49F, 0.45F, stage.ground.grid ? 0.46F : 0.0F});
    program.set("u_shade", std::array<float, 3>{0.21F, 0.185F, 0.165F});
    program.set("u_strength", layout.shadow ? 0.42F : 0.0F);
    own->shadow.bind_ground(program, layout);
    gl().Enable(GL_POLYGON_OFFSET_FILL);
    gl().PolygonOffset(1.0F, 2.0F);
    gl().BindVertexArray(own->nothing.id());
    gl().DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl().Disable(GL_POLYGON_OFFSET_FILL);
}

unsigned Renderer::Impl::features_of(const Shown& shown) {
    const DrawMesh& mesh = *shown.mesh;
    const DrawLook& look = mesh.look;
    const bool textured = look.texture && !mesh.topology->uv.empty();
    const bool mapped = has_maps(look) && !mesh.topology->uv.empty() && mesh.values.empty();
    return (look.lit ? kLitFeature : 0) | (mesh.values.empty() ? 0 : kFieldFeature) |
           (mesh.colours.empty() && (mesh.paints.empty() || mesh.topology->paint.empty()) ? 0 : kColouredFeature) |
           (textured || mapped ? kTexturedFeature : 0) | (look.alpha_cutoff > 0.0 ? kCutOutFeature : 0) |
           (mapped ? kMapsFeature : 0) | (look.wireframe ? kWireFeature : 0) |
           (shown.buffers->moving() ? kMovingFeature : 0) |
           (shown.buffers->outward() && !shown.clear ? kOneSidedFeature : 0);
}

void Renderer::Impl::set_stage(GlProgram& program, const StageLayout& layout, const Tile& tile) {
    program.set("u_tile", tile.map);
    program.set("u_first_pixel", tile.first_pixel);
    program.set("u_clip", to_float(layout.clip));
    program.set("u_eye", to_float(layout.eye));
    program.set("u_far_eye", layout.far_eye ? 1.0F : 0.0F);
    program.set("u_key", to_float(layout.key));
    program.set("u_fill", to_float(layout.fill));
    program.set("u_rim", to_float(layout.rim));
    program.set("u_sky", to_float(layout.sky));
    own->shadow.bind_map(program, layout);
}

void Renderer::Impl::set_look(GlProgram& program, const DrawMesh& mesh) {
    const DrawLook& look = mesh.look;
    program.set("u_base", linear(look.base));
    program.set("u_emissive", look.emissive);
    program.set("u_metallic", mesh.values.empty() ? static_cast<float>(std::clamp(look.metallic, 0.0, 1.0)) : 0.0F);
    program.set("u_roughness", static_cast<float>(std::clamp(look.roughness, 0.05, 1.0)));
    const double roughness = std::clamp(look.roughness, 0.05, 1.0), sharp = std::exp2(10.0 * (1.0 - roughness) + 1.5);
    program.set("u_gloss",
                std::array<float, 2>{static_cast<float>(1.4427 * sharp), static_cast<float>(0.125 * (sharp + 2.0))});
    program.set("u_cutoff", static_cast<float>(look.alpha_cutoff));
    program.set("u_solid", look.solid ? 1 : 0);
    program.set("u_wire", std::array<float, 4>{look.wire.r, look.wire.g, look.wire.b, look.wire.a});
    program.set("u_wire_width", look.wire_width);
    bind_texture(2, own->cache.texture(look.texture, look.sampling, false));
    bind_texture(3, own->cache.colour_map(mesh.range.map));
    program.set("u_texture", 2);
    program.set("u_map", 3);
    program.set("u_categories", mesh.range.map == ColourMap::categorical ? 1 : 0);
    if (has_maps(look)) set_maps(program, look);
}

void Renderer::Impl::set_maps(GlProgram& program, const DrawLook& look) {
    constexpr const char* kNames[] = {"u_texture", "u_normal_map", "u_metal_rough_map", "u_occlusion_map",
                                      "u_emissive_map"};
    constexpr const char* kUvRowU[] = {"u_uv_row_u[0]", "u_uv_row_u[1]", "u_uv_row_u[2]", "u_uv_row_u[3]",
                                       "u_uv_row_u[4]"};
    constexpr const char* kUvRowV[] = {"u_uv_row_v[0]", "u_uv_row_v[1]", "u_uv_row_v[2]", "u_uv_row_v[3]",
                                       "u_uv_row_v[4]"};
    constexpr const char* kSecond[] = {"u_second[0]", "u_second[1]", "u_second[2]", "u_second[3]", "u_second[4]"};
    const DrawMap base{look.texture, look.sampling};
    const DrawMap* const maps[] = {&base, &look.normal_map, &look.metal_rough_map, &look.occlusion_map,
                                   &look.emissive_map};
    for (std::size_t m = 0; m < std::size(maps); ++m) {
        const DrawSampling& s = maps[m]->sampling;
        if (m > 0) {
            const int unit = 7 + static_cast<int>(m);
            bind_texture(unit, own->cache.texture(maps[m]->image, s, m < 4));
            program.set(kNames[m], unit);
        }
        program.set(kUvRowU[m], std::array<float, 3>{s.uv_transform[0], s.uv_transform[1], s.uv_transform[2]});
        program.set(kUvRowV[m], std::array<float, 3>{s.uv_transform[3], s.uv_transform[4], s.uv_transform[5]});
        program.set(kSecond[m], s.second_uv ? 1 : 0);
    }
    program.set("u_normal_strength", look.normal_map.image ? static_cast<float>(look.normal_strength) : 0.0F);
    program.set("u_occlusion_strength",
                look.occlusion_map.image ? static_cast<float>(std::clamp(look.occlusion_strength, 0.0, 1.0)) : 0.0F);
}

void Renderer::Impl::draw_mesh(const Shown& shown, const StageLayout& layout, const Tile& tile) {
    const unsigned features = features_of(shown);
    auto found = own->meshes.find(features);
    if (found == own->meshes.end()) {
        found = own->meshes.emplace(features, GlProgram(mesh_vertex_source(features), mesh_fragment_source(features)))
                    .first;
    }
    GlProgram& program = found->second;
    program.use();
    set_stage(program, layout, tile);
    shown.buffers->bind_motion(program);
    set_look(program, *shown.mesh);
    program.set("u_shadowed", layout.shadow && shown.mesh->layer == DrawLayer::scene && !shown.clear ? 1 : 0);
    const GLenum hidden_side = !shown.mesh->look.single_sided ? GL_NONE
                               : shown.buffers->reversed()    ? GL_FRONT
                                                              : GL_BACK;
    if (!shown.clear) {
        // Of a closed body only the side towards the eye is seen.
        gl().Disable(GL_BLEND);
        shown.buffers->draw(shown.buffers->outward() ? GLenum{GL_BACK} : hidden_side);
        return;
    }
    // The far side first, so that it shines through the near one.
    gl().Enable(GL_BLEND);
    gl().DepthMask(GL_FALSE);
    for (const GLenum hidden : {GLenum{GL_FRONT}, GLenum{GL_BACK}})
        if (hidden_side == GL_NONE || hidden_side == hidden) shown.buffers->draw(hidden);
    gl().DepthMask(GL_TRUE);
}

void Renderer::Impl::draw_lines(const DrawList& list, DrawLayer layer, const StageLayout& layout,
                                const PictureSize& size, const Tile& tile) {
    own->line.use();
    own->line.set("u_tile", tile.map);
    own->line.set("u_clip", to_float(layout.clip));
    own->line.set("u_half_size",
                  std::array<float, 2>{0.5F * static_cast<float>(size.width), 0.5F * static_cast<float>(size.height)});
    gl().Enable(GL_BLEND);
    gl().DepthMask(GL_FALSE);
    own->lines.draw(own->line, list, layer, layout.origin);
    gl().DepthMask(GL_TRUE);
}

void Renderer::Impl::draw_meshes(const std::vector<Shown>& shown, DrawLayer layer, bool clear,
                                 const StageLayout& layout, const Tile& tile) {
    for (const Shown& s : shown)
        if (s.mesh->layer == layer && s.clear == clear) draw_mesh(s, layout, tile);
}

void Renderer::Impl::draw_tile(const DrawList& list, const std::vector<Shown>& shown, const StageLayout& layout,
                               const PictureSize& size, const Tile& tile) {
    own->target.prepare(tile.width, tile.height, std::min(size.samples, own->most_samples));
    own->target.bind();
    gl().DepthMask(GL_TRUE);
    gl().Clear(GL_DEPTH_BUFFER_BIT);
    gl().Enable(GL_DEPTH_TEST);
    gl().DepthFunc(GL_LEQUAL);
    gl().BlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    // Bodies first: what they hide of the stage need not be drawn. Then the stage, then what shines through.
    draw_meshes(shown, DrawLayer::scene, false, layout, tile);
    draw_background(list.stage, tile);
    gl().Enable(GL_BLEND);
    draw_ground(list.stage, layout, tile);
    draw_lines(list, DrawLayer::scene, layout, size, tile);  // they write no depth themselves
    draw_meshes(shown, DrawLayer::scene, true, layout, tile);
    gl().Clear(GL_DEPTH_BUFFER_BIT);
    draw_meshes(shown, DrawLayer::overlay, false, layout, tile);
    draw_lines(list, DrawLayer::overlay, layout, size, tile);
    draw_meshes(shown, DrawLayer::overlay, true, layout, tile);
    gl().Disable(GL_BLEND);
}

void Renderer::Impl::draw(const DrawList& list, const Camera& camera, const PictureSize& size, Image& out) {
    check(size, own->most_pixels);
    limber::check(camera);
    for (const DrawMesh& mesh : list.meshes) limber::check(mesh);
    const GlContext::Current current(context);
    StageLayout layout = lay_out(list, camera, size.width, size.height);
    if (layout.shadow && layers_of(list) > kMostShadowLayers) {
        layout.shadow = false;
        left_out_shadows = true;
    }
    const std::vector<Shown> shown = take(list, camera, layout);
    draw_shadow(shown, layout);

    out.width = size.width;
    out.height = size.height;
    out.rgba.resize(4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
    for (int y = 0; y < size.height; y += kTile) {
        for (int x = 0; x < size.width; x += kTile) {
            draw_tile(list, shown, layout, size, tile_at(size, x, y));
            own->target.read_into(out, x, y);
        }
    }
    check_gl("drawing");
}

void Renderer::Impl::vertex_stage(const DrawMesh& mesh, std::vector<Vec3>& positions, std::vector<Vec3>& normals) {
    limber::check(mesh);
    const GlContext::Current current(context);
    MeshBuffers buffers(*mesh.topology, false);
    buffers.update(mesh, {});
    const std::size_t count = buffers.corner_count(), bytes = 3 * sizeof(float) * count;
    const GlBuffer results[2];
    for (GLuint k = 0; k < 2; ++k) {
        gl().BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results[k].id());
        gl().BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_READ);
        gl().BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, k, results[k].id());
    }
    own->capture.use();
    buffers.bind_motion(own->capture);
    gl().Enable(GL_RASTERIZER_DISCARD);
    gl().BeginTransformFeedback(GL_POINTS);
    buffers.draw_corners();
    gl().EndTransformFeedback();
    gl().Disable(GL_RASTERIZER_DISCARD);
    std::vector<Vec3>* const out[2] = {&positions, &normals};
    for (GLuint k = 0; k < 2; ++k) {
        out[k]->resize(count);
        gl().BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results[k].id());
        const auto* data = static_cast<const float*>(
            gl().MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT));
        for (std::size_t i = 0; data != nullptr && i < count; ++i) {
            (*out[k])[i] = {static_cast<double>(data[3 * i]), static_cast<double>(data[3 * i + 1]),
                            static_cast<double>(data[3 * i + 2])};
        }
        gl().UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
        gl().BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, k, 0);
    }
    check_gl("moving vertices");
}

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Image Renderer::draw(const DrawList& list, const Camera& camera, const PictureSize& size) {
    Image out;
    impl_->draw(list, camera, size, out);
    return out;
}

void Renderer::draw(const DrawList& list, const Camera& camera, const PictureSize& size, Image& out) {
    impl_->draw(list, camera, size, out);
}

void Renderer::vertex_stage(const DrawMesh& mesh, std::vector<Vec3>& positions, std::vector<Vec3>& normals) {
    impl_->vertex_stage(mesh, positions, normals);
}

bool Renderer::left_out_shadows() const { return impl_->left_out_shadows; }

std::string Renderer::about() const {
    const GlContext::Current current(impl_->context);
    const auto word = [](GLenum what) {
        const auto* found = gl().GetString(what);
        return std::string(found == nullptr ? "?" : reinterpret_cast<const char*>(found));
    };
    return text(word(GL_RENDERER), "; ", word(GL_VERSION));
}

}  // namespace limber
