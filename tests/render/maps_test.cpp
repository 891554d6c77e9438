// What the pictures on a surface do to its light: each against a surface that has the same by other means, or against
// what glTF says.
#include "render/picture_tools.hpp"

#include <cmath>

namespace limber {

using namespace pictures;

namespace {

using Texel = std::array<std::uint8_t, 4>;
using Uv = std::array<double, 2>;

std::shared_ptr<const Image> picture(int width, int height, const std::vector<Texel>& texels) {
    Image out{width, height, {}};
    for (const Texel& t : texels) out.rgba.insert(out.rgba.end(), t.begin(), t.end());
    return std::make_shared<const Image>(std::move(out));
}
std::shared_ptr<const Image> even(Texel texel) { return picture(1, 1, {texel}); }

const std::vector<Uv> kUpright{{0, 1}, {1, 1}, {1, 0}, {0, 0}};  // v grows downwards

/// A square of 1 m, seen from the front.
DrawMesh mapped(const std::vector<Uv>& uv = kUpright, const std::vector<Uv>& second = {}) {
    const std::vector<std::int32_t> starts{0, 4}, faces{0, 1, 2, 3};
    DrawPolygons polygons;
    polygons.face_starts = starts;
    polygons.faces = faces;
    polygons.uv_of_corner = uv;
    polygons.second_uv = second;
    polygons.vertex_count = 4;
    DrawMesh mesh = card(1.0, 1.0);
    mesh.topology = make_topology(polygons);
    mesh.look.base = rgb(0xB0B0B0);
    return mesh;
}

Image shot(const DrawMesh& mesh) { return renderer()->draw(alone(mesh), flat_camera(1.0), {64, 64}); }
Pixel middle(const DrawMesh& mesh) { return at(shot(mesh), 32, 32); }

void expect_same(const Pixel& a, const Pixel& b, int slack, const char* what) {
    EXPECT_NEAR(a.r, b.r, slack) << what;
    EXPECT_NEAR(a.g, b.g, slack) << what;
    EXPECT_NEAR(a.b, b.b, slack) << what;
}

}  // namespace

TEST(Maps, OnlyWhatTheEmissiveMapShowsGlows) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = mapped();
    mesh.look.base = rgb(0x000000);
    mesh.look.emissive = {1.0F, 1.0F, 1.0F};
    mesh.look.emissive_map = {picture(2, 1, {{0, 0, 0, 255}, {255, 255, 255, 255}}), {}};
    mesh.look.emissive_map.sampling.nearest = true;
    const Image image = shot(mesh);
    EXPECT_LT(at(image, 12, 32).light(), 90) << "the dark half is a black surface in the light";
    EXPECT_NEAR(at(image, 52, 32).light(), 255.0, 0.01);
    mesh.look.emissive_map.image = even({188, 188, 188, 255});  // 188 in sRGB is half of the light
    mesh.look.emissive = {0.5F, 0.0F, 0.0F};
    const Pixel lit = middle(mesh);
    mesh.look.emissive_map = {}, mesh.look.emissive = {};
    const Pixel dark = middle(mesh);
    EXPECT_GT(lit.r, dark.r + 40);
    EXPECT_EQ(lit.g, dark.g) << "a map times a factor of no green";
}

TEST(Maps, ANormalMapTurnsTheLightAsTurnedNormalsDo) {
    // x along u, y against v, also where the texture is mirrored: a wrong sign shows hollows as hills.
    LIMBER_NEEDS_RENDERER();
    const double s = std::sqrt(0.5);
    const std::vector<Uv> mirrored{{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    struct Case {
        const char* name;
        const std::vector<Uv>& uv;
        Texel texel;
        Vec3 normal;
    };
    for (const Case& c : {Case{"right", kUpright, {218, 128, 218, 255}, {s, 0, s}},
                          Case{"left", kUpright, {37, 128, 218, 255}, {-s, 0, s}},
                          Case{"up", kUpright, {128, 218, 218, 255}, {0, s, s}},
                          Case{"down", kUpright, {128, 37, 218, 255}, {0, -s, s}},
                          Case{"mirrored right", mirrored, {218, 128, 218, 255}, {-s, 0, s}},
                          Case{"mirrored up", mirrored, {128, 218, 218, 255}, {0, s, s}}}) {
        DrawMesh bumped = mapped(c.uv), straight = mapped(c.uv);
        bumped.look.normal_map = {even(c.texel), {}};
        straight.normals.assign(4, c.normal);
        straight.look.metal_rough_map = {even({255, 255, 255, 255}), {}};
        expect_same(middle(bumped), middle(straight), 3, c.name);
    }
    DrawMesh flat = mapped(), bumped = mapped();
    const Pixel plain = middle(flat);
    bumped.look.normal_map = {even({218, 128, 218, 255}), {}};
    EXPECT_GT(std::abs(middle(bumped).light() - plain.light()), 10) << "the test would see no map at all";
    bumped.look.normal_strength = 0.0;
    expect_same(middle(bumped), plain, 1, "strength 0");
}

TEST(Maps, MetalReflectsItsOwnColourAndOthersWhite) {
    LIMBER_NEEDS_RENDERER();
    const auto brightest = [](const Texel& metal_rough) {
        DrawMesh ball = sphere({0, 0, 0}, 0.45, 48);
        std::vector<std::int32_t> faces;
        for (const auto& t : ball.topology->triangles)
            for (const std::int32_t c : t) faces.push_back(ball.topology->vertex[static_cast<std::size_t>(c)]);
        const std::vector<Uv> uv(faces.size(), {0.5, 0.5});
        DrawPolygons polygons;
        polygons.faces = faces;
        polygons.uv_of_corner = uv;
        polygons.vertex_count = ball.positions.size();
        ball.topology = make_topology(polygons);
        ball.normals.clear();
        ball.look.base = rgb(0x0010FF);
        ball.look.metallic = ball.look.roughness = 1.0;
        ball.look.metal_rough_map = {even(metal_rough), {}};
        const Image image = renderer()->draw(alone(ball), flat_camera(1.0), {128, 128});
        Pixel most{0, 0, 0, 0};
        for (int y = 0; y < 128; ++y) {
            for (int x = 0; x < 128; ++x)
                if (at(image, x, y).light() > most.light()) most = at(image, x, y);
        }
        return most;
    };
    const Pixel metal = brightest({255, 80, 255, 255}), plastic = brightest({255, 80, 0, 255}),
                chalk = brightest({255, 255, 0, 255});
    EXPECT_LT(metal.r, metal.b - 60) << "blue metal shines blue";
    EXPECT_GT(plastic.r, plastic.b - 30) << "blue plastic shines white";
    EXPECT_GT(plastic.light(), chalk.light() + 30) << "green is roughness: chalk does not shine";
}

TEST(Maps, OcclusionTakesLightOfTheSurroundingsByItsStrength) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = mapped();
    const double open = middle(mesh).light();
    mesh.look.occlusion_map = {even({0, 255, 255, 255}), {}};
    const double shut = middle(mesh).light();
    mesh.look.occlusion_strength = 0.5;
    const double half = middle(mesh).light();
    EXPECT_LT(shut, half - 5);
    EXPECT_LT(half, open - 5);
    EXPECT_GT(shut, 20) << "lamps are no surroundings";
}

TEST(Maps, EdgesFiltersPlacesAndTheSecondCoordinatesAreThoseOfTheLook) {
    LIMBER_NEEDS_RENDERER();
    const Colour red = rgb(0xFF0000), blue = rgb(0x0000FF);
    const std::vector<Uv> twice{{0, 1}, {2, 1}, {2, 0}, {0, 0}}, second{{0.25, 0}, {0.25, 0}, {0.25, 0}, {0.25, 0}};
    DrawMesh mesh = mapped(twice, second);
    mesh.look.base = rgb(0xFFFFFF);
    mesh.look.lit = false;
    mesh.look.texture = picture(2, 1, {{255, 0, 0, 255}, {0, 0, 255, 255}});
    mesh.look.sampling.nearest = true;
    using Wrap = DrawSampling::Wrap;
    // At u = 1.25 and 1.75: again red and blue; blue as at the edge; mirrored blue and red.
    const std::tuple<Wrap, Colour, Colour> cases[] = {
        {Wrap::repeat, red, blue}, {Wrap::clamp, blue, blue}, {Wrap::mirror, blue, red}};
    for (const auto& [wrap, first, then] : cases) {
        mesh.look.sampling.wrap_u = wrap;
        const Image image = shot(mesh);
        expect_colour(at(image, 8, 32), red, 0, "first quarter");
        expect_colour(at(image, 40, 32), first, 0, "third quarter");
        expect_colour(at(image, 56, 32), then, 0, "last quarter");
    }
    mesh.look.sampling = {};
    mesh.look.sampling.nearest = mesh.look.sampling.second_uv = true;
    expect_colour(at(shot(mesh), 24, 32), red, 0, "all of it at the second coordinates' one place");
    mesh.look.sampling.second_uv = false;
    mesh.look.sampling.uv_transform = {0.0F, 0.0F, 0.75F, 0.0F, 1.0F, 0.0F};
    expect_colour(at(shot(mesh), 8, 32), blue, 0, "moved");
}

TEST(Maps, ASolidLookIgnoresAlphaAndACutOneKeepsWhatIsAboveTheCutoff) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = mapped();
    mesh.look.base = rgb(0xFFFFFF);
    mesh.look.lit = false;
    mesh.look.texture = picture(2, 1, {{255, 255, 255, 51}, {255, 255, 255, 204}});
    mesh.look.sampling.nearest = true;
    mesh.look.solid = true;
    expect_colour(at(shot(mesh), 8, 32), rgb(0xFFFFFF), 0, "OPAQUE");
    mesh.look.alpha_cutoff = 0.5;
    const Image cut = shot(mesh);
    expect_colour(at(cut, 8, 32), rgb(0x000000), 1, "MASK, below");
    expect_colour(at(cut, 56, 32), rgb(0xFFFFFF), 0, "MASK, above");
    mesh.look.solid = false;
    mesh.look.alpha_cutoff = 0.0;
    mesh.look.see_through = true;
    EXPECT_NEAR(at(shot(mesh), 8, 32).r, 51, 2) << "BLEND over black";
}

}  // namespace limber
