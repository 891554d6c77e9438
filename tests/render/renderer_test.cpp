// Pictures against stated properties. Each was seen to fail when its part of the renderer was broken; the comment says
// how.
#include "render/renderer.hpp"

#include "expect_error.hpp"
#include "render/glyphs.hpp"
#include "render/picture_tools.hpp"

#include <limber/error.hpp>

#include <cstdio>
#include <cstdlib>

namespace limber {

using namespace pictures;

namespace {

/// How many pixels' worth of white there is: partly covered pixels count in part.
double covered(const Image& image) {
    double sum = 0.0;
    for (std::size_t k = 0; k < image.rgba.size(); k += 4) sum += image.rgba[k] / 255.0;
    return sum;
}

DrawMesh white_unlit(DrawMesh mesh) {
    mesh.look.base = rgb(0xFFFFFF);
    mesh.look.lit = false;
    return mesh;
}

/// One face of four corners, 1 m wide, with texture coordinates per corner or none.
DrawMesh square(std::span<const std::array<double, 2>> uv = {}) {
    const std::vector<std::int32_t> starts{0, 4}, faces{0, 1, 2, 3};
    DrawPolygons polygons;
    polygons.face_starts = starts;
    polygons.faces = faces;
    polygons.uv_of_corner = uv;
    polygons.vertex_count = 4;
    DrawMesh mesh = white_unlit(card(1.0, 1.0));
    mesh.topology = make_topology(polygons);
    return mesh;
}

Error error_of(const DrawList& list, const PictureSize& size) {
    try {
        renderer()->draw(list, Camera{}, size);
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {Fault::bad_usage, {}, ""};
}

}  // namespace

TEST(Topology, AFaceThatIsGivenAgainIsDrawnOnce) {
    // Sixty thousand times the same triangle over the whole picture would take the time of as many.
    std::vector<std::int32_t> faces;
    for (int k = 0; k < 1000; ++k)
        for (const std::int32_t v : {k % 3, (k + 1) % 3, (k + 2) % 3}) faces.push_back(v);
    for (const std::int32_t v : {2, 1, 0}) faces.push_back(v);  // the other side is another face
    DrawPolygons polygons;
    polygons.faces = faces;
    polygons.vertex_count = 3;
    const auto topology = make_topology(polygons);
    EXPECT_EQ(topology->triangles.size(), 2u);
    EXPECT_EQ(topology->edges.size(), 2u);
}

TEST(Renderer, ASphereCoversTheAreaThatItsProjectionHas) {
    // Orthographic: pi r^2. Perspective: the disc's edge is where the view touches the sphere, not its equator; 4 x 4
    // off the middle would show a mirrored or scaled camera. Broken by a view angle taken as half: 30 % off.
    LIMBER_NEEDS_RENDERER();
    const double radius = 0.8;
    const DrawList list = alone(white_unlit(sphere({0.1, -0.2, 0.3}, radius, 64)));
    const Image flat = renderer()->draw(list, flat_camera(3.0), {500, 400});
    const double scale = 400 / 3.0;
    EXPECT_NEAR(covered(flat) / (kPi * radius * radius * scale * scale), 1.0, 0.01);

    Camera camera;
    camera.eye = {0.1, -0.2, 4.3};
    camera.target = {0.1, -0.2, 0.3};
    camera.view_angle = 0.6;
    const Image deep = renderer()->draw(list, camera, {500, 400});
    const double distance = 4.0, slope = radius / std::sqrt(distance * distance - radius * radius),
                 pixels = 200.0 / std::tan(0.3);
    EXPECT_NEAR(covered(deep) / (kPi * slope * slope * pixels * pixels), 1.0, 0.01);
}

TEST(Renderer, APointIsDrawnWhereTheCameraProjectsIt) {
    // In a skew view nothing is symmetric: a swapped, mirrored or shifted axis moves a dot off its place.
    LIMBER_NEEDS_RENDERER();
    DrawList list = alone(white_unlit(card(0.01, 0.01)));
    const std::vector<Vec3> points{{0.9, 0.2, -0.4}, {-0.5, 0.7, 0.6}, {0.3, -0.6, 0.2}, {-0.8, -0.3, -0.7}};
    const std::vector<Colour> colours{rgb(0xFF0000), rgb(0x00FF00), rgb(0x0000FF), rgb(0xFFFF00)};
    DrawPoints dots;
    dots.points = points;
    dots.colours = colours;
    dots.diameter = 5.0F;
    list.points.push_back(dots);
    for (const bool orthographic : {false, true}) {
        Framing framing;
        framing.width = 420;
        framing.height = 300;
        framing.orthographic = orthographic;
        framing.direction = parse_view("28,33");
        const Camera camera = fit_camera(points, framing);
        const Image image = renderer()->draw(list, camera, {420, 300});
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Projected place = project(camera, 420, 300, points[k]);
            expect_colour(at(image, place), colours[k], 1, "dot " + std::to_string(k));
            expect_colour(at(image, static_cast<int>(place.x) + 7, static_cast<int>(place.y)), rgb(0x000000), 1,
                          "beside dot " + std::to_string(k));
        }
    }
}

TEST(Renderer, FieldColoursAreThoseOfTheMap) {
    // The same numbers through the colour map on the CPU. Unlit: any shading, gamma applied twice or a map read at half
    // its place shows.
    LIMBER_NEEDS_RENDERER();
    for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
        DrawMesh mesh = card(4.0, 1.0);
        mesh.look.lit = false;
        mesh.values = {-2.0, 6.0, 6.0, -2.0};
        mesh.range = {-1.0, 5.0, map};
        const Camera camera = flat_camera(1.2);
        const Image image = renderer()->draw(alone(mesh), camera, {600, 150});
        for (const double x : {-1.9, -1.2, -0.3, 0.0, 0.7, 1.4, 1.9}) {
            const Projected place = project(camera, 600, 150, {x, 0.0, 0.0});
            const double middle = (std::floor(place.x) + 0.5 - 300.0) * 1.2 / 150.0;
            expect_colour(at(image, place), colour_of(mesh.range, 2.0 + 2.0 * middle), 2,
                          std::string(to_string(map)) + " at " + std::to_string(x));
        }
    }
}

TEST(Renderer, PlacesWithoutAValueAreGreyAndCategoriesAreNotMixed) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = card(2.0, 1.0);
    mesh.look.lit = false;
    mesh.values.assign(4, std::nan(""));
    const Image grey = renderer()->draw(alone(mesh), flat_camera(1.2), {120, 60});
    expect_colour(at(grey, 60, 30), kNoValue, 1, "no value");
    mesh.values.assign(4, 13.0);
    mesh.range.map = ColourMap::categorical;
    const Image third = renderer()->draw(alone(mesh), flat_camera(1.2), {120, 60});
    expect_colour(at(third, 60, 30), category(3), 1, "number 13 of 10 colours");
}

TEST(Renderer, ColoursPaintsAndBaseMultiplyAndUnlitOnesComeOutAsGiven) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = card(2.0, 1.0);
    mesh.look.lit = false;
    mesh.look.base = rgb(0x3B7A57);
    const Image plain = renderer()->draw(alone(mesh), flat_camera(1.2), {120, 60});
    expect_colour(at(plain, 60, 30), rgb(0x3B7A57), 1, "base");
    mesh.look.base = rgb(0xFFFFFF);
    mesh.colours.assign(4, rgb(0xD04020));
    const Image coloured = renderer()->draw(alone(mesh), flat_camera(1.2), {120, 60});
    expect_colour(at(coloured, 60, 30), rgb(0xD04020), 1, "vertex colour");
    mesh.colours.assign(4, from_linear({0.5, 0.5, 0.5, 1.0}));
    mesh.look.base = from_linear({0.4, 0.8, 0.2, 1.0});
    const Image product = renderer()->draw(alone(mesh), flat_camera(1.2), {120, 60});
    expect_colour(at(product, 60, 30), from_linear({0.2, 0.4, 0.1, 1.0}), 2, "product of light");
}

TEST(Renderer, ATextureIsTheRightWayUp) {
    // v grows downwards and row 0 is on top: of all eight ways to lay it, one is right. Broken by flipping rows at
    // upload.
    LIMBER_NEEDS_RENDERER();
    auto picture = std::make_shared<Image>();
    picture->width = picture->height = 16;
    for (int k = 0; k < 256; ++k) {  // red green over blue yellow
        const bool right = k % 16 >= 8, low = k >= 128;
        for (const int c : {right == low ? 255 : 0, right ? 255 : 0, low && !right ? 255 : 0, 255})
            picture->rgba.push_back(static_cast<std::uint8_t>(c));
    }
    const std::vector<std::array<double, 2>> uv{{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    DrawMesh mesh = square(uv);
    mesh.look.texture = picture;
    const Image image = renderer()->draw(alone(mesh), flat_camera(1.0), {200, 200});
    expect_colour(at(image, 40, 40), rgb(0xFF0000), 2, "upper left");
    expect_colour(at(image, 160, 40), rgb(0x00FF00), 2, "upper right");
    expect_colour(at(image, 40, 160), rgb(0x0000FF), 2, "lower left");
    expect_colour(at(image, 160, 160), rgb(0xFFFF00), 2, "lower right");

    picture = std::make_shared<Image>(*picture);
    for (std::size_t k = 3; k < 512; k += 4) picture->rgba[k] = k / 4 % 16 < 8 ? 0 : 255;
    mesh.look.texture = picture;
    mesh.look.alpha_cutoff = 0.5;
    const Image cut = renderer()->draw(alone(mesh), flat_camera(1.0), {200, 200});
    expect_colour(at(cut, 40, 40), rgb(0x000000), 2, "cut out");
    expect_colour(at(cut, 160, 160), rgb(0xFFFF00), 2, "kept");
}

TEST(Renderer, TheSideTowardsTheKeyLightIsBrighter) {
    // The key light stands to the upper left of the camera. Broken by negating normals (the fragment stage turns them
    // back, so: by dropping them), and by taking a constant normal.
    LIMBER_NEEDS_RENDERER();
    const DrawList list = alone(sphere({0.0, 0.0, 0.0}, 1.0));
    const Camera camera = flat_camera(2.4);
    const Image image = renderer()->draw(list, camera, {300, 300});
    const double lit = light_around(image, project(camera, 300, 300, {-0.45, 0.6, 0.6}), 3);
    const double unlit = light_around(image, project(camera, 300, 300, {0.5, -0.7, 0.4}), 3);
    EXPECT_GT(lit, 1.5 * unlit);
    EXPECT_GT(unlit, 40.0) << "nothing is black";
    EXPECT_LT(lit, 254.0) << "nothing is burnt out";
}

TEST(Renderer, ShadingFollowsTheNormalsThatAreGiven) {
    // The same flat card, once with its own normal and once with one that leans away from the light.
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = card(1.0, 1.0);
    const Image straight = renderer()->draw(alone(mesh), flat_camera(0.8), {60, 60});
    mesh.normals.assign(4, {0.0, 0.0, 1.0});
    const Image given = renderer()->draw(alone(mesh), flat_camera(0.8), {60, 60});
    EXPECT_EQ(given.rgba, straight.rgba) << "computed normals are the flat ones";
    mesh.normals.assign(4, Vec3{0.6, -0.6, 0.53});
    const Image leaning = renderer()->draw(alone(mesh), flat_camera(0.8), {60, 60});
    EXPECT_LT(at(leaning, 30, 30).light(), 0.8 * at(straight, 30, 30).light());
}

TEST(Renderer, TheInsideOfAnOpenShellIsLitToo) {
    // A half sphere looked into from its open side. Broken by leaving out the turn of the normal: the inside falls
    // below 60 % of this.
    LIMBER_NEEDS_RENDERER();
    DrawMesh whole = sphere({0.0, 0.0, 0.0}, 1.0);
    std::vector<std::int32_t> faces;
    for (const auto& t : whole.topology->triangles) {
        if (whole.positions[static_cast<std::size_t>(t[0])].z + whole.positions[static_cast<std::size_t>(t[1])].z < 0.0)
            faces.insert(faces.end(), t.begin(), t.end());
    }
    DrawMesh shell = mesh_of(whole.positions, faces);
    shell.normals = whole.normals;
    shell.look.base = rgb(0xE0E0E0);
    const Camera camera = flat_camera(2.4);
    const Image inside = renderer()->draw(alone(shell), camera, {200, 200});
    Camera behind = camera;
    behind.eye = {0.0, 0.0, -5.0};
    const Image outside = renderer()->draw(alone(shell), behind, {200, 200});
    EXPECT_GT(at(inside, 100, 100).light(), 0.85 * at(outside, 100, 100).light());
    // Inside, the lower right faces the light: opposite to the outside.
    EXPECT_GT(light_around(inside, {130.0, 150.0, 0.0}, 3), light_around(inside, {70.0, 50.0, 0.0}, 3) + 10.0);
    // The same faces wound the other way look the same: neither winding nor normal is trusted.
    std::vector<std::int32_t> wound;
    for (std::size_t k = 0; k < faces.size(); k += 3) wound.insert(wound.end(), {faces[k], faces[k + 2], faces[k + 1]});
    DrawMesh turned = mesh_of(whole.positions, wound);
    turned.normals = whole.normals;
    turned.look = shell.look;
    const Image other = renderer()->draw(alone(turned), camera, {200, 200});
    EXPECT_NEAR(at(other, 100, 100).light(), at(inside, 100, 100).light(), 2.0);
}

TEST(Renderer, WhatIsNearerHidesWhatIsBehind) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh near = white_unlit(card(1.0, 1.0)), far = white_unlit(card(1.0, 1.0));
    for (Vec3& p : near.positions) p += Vec3{0.25, 0.0, 0.2};
    near.look.base = rgb(0xFF0000);
    DrawList list = alone(near);  // the near one first: order alone would show the other
    list.meshes.push_back(far);
    const Image image = renderer()->draw(list, flat_camera(2.0), {200, 200});
    expect_colour(at(image, 120, 100), rgb(0xFF0000), 1, "in front");
    expect_colour(at(image, 60, 100), rgb(0xFFFFFF), 1, "beside it");
    list.meshes[1].layer = DrawLayer::overlay;
    const Image over = renderer()->draw(list, flat_camera(2.0), {200, 200});
    expect_colour(at(over, 120, 100), rgb(0xFFFFFF), 1, "the overlay comes last");
}

TEST(Renderer, AClearBodyShowsWhatIsBehindIt) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh glass = white_unlit(card(1.0, 1.0)), wall = white_unlit(card(2.0, 2.0));
    for (Vec3& p : glass.positions) p.z += 0.2;
    glass.look.base = {1.0F, 0.0F, 0.0F, 0.5F};
    DrawList list = alone(glass);
    list.meshes.push_back(wall);
    const Image image = renderer()->draw(list, flat_camera(2.0), {100, 100});
    expect_colour(at(image, 50, 50), {1.0F, 0.5F, 0.5F, 1.0F}, 2, "half of each");
    EXPECT_EQ(at(image, 50, 50).a, 255) << "the picture itself is opaque";
}

TEST(Renderer, EdgesOfFacesAreDrawnAndCutsAreNot) {
    // A square face is cut into two triangles: its four sides show, its diagonal does not. Broken by marking all sides.
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = square();
    mesh.look.wireframe = true;
    mesh.look.wire = rgb(0x0000FF);
    mesh.look.wire_width = 4.0F;
    const Image image = renderer()->draw(alone(mesh), flat_camera(1.25), {250, 250});
    expect_colour(at(image, 26, 125), rgb(0x0000FF), 3, "left side");
    expect_colour(at(image, 223, 125), rgb(0x0000FF), 3, "right side");
    expect_colour(at(image, 125, 26), rgb(0x0000FF), 3, "upper side");
    expect_colour(at(image, 125, 223), rgb(0x0000FF), 3, "lower side");
    for (const int k : {80, 125, 170}) expect_colour(at(image, k, 250 - k), rgb(0xFFFFFF), 1, "diagonal");
    expect_colour(at(image, 32, 125), rgb(0xFFFFFF), 1, "two pixels wide on this side, not eight");
    mesh.look.wireframe = false;
    const Image without = renderer()->draw(alone(mesh), flat_camera(1.25), {250, 250});
    expect_colour(at(without, 26, 125), rgb(0xFFFFFF), 1, "switched off");
}

TEST(Renderer, LinesAreAsWideAsTheyAreSaidToBe) {
    LIMBER_NEEDS_RENDERER();
    DrawList list = alone(white_unlit(card(0.001, 0.001)));
    DrawLines lines;
    lines.points = {{-0.5, 0.2, 0.0}, {0.5, 0.2, 0.0}};
    lines.colour = rgb(0xFFFFFF);
    for (const float width : {1.0F, 3.0F, 8.0F}) {
        lines.width = width;
        list.lines = {lines};
        const Image image = renderer()->draw(list, flat_camera(1.0), {200, 200});
        double column = 0.0;
        for (int y = 0; y < 200; ++y)
            if (y < 98 || y > 102) column += at(image, 120, y).r / 255.0;  // the card is in the middle
        EXPECT_NEAR(column, static_cast<double>(width), 0.15);
    }
}

TEST(Renderer, EdgesOfBodiesAreSmoothedByMultisampling) {
    // A slanted edge, white on black. With one sample every pixel is black or white.
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = white_unlit(mesh_of({{-0.8, -0.7, 0.0}, {0.9, -0.3, 0.0}, {-0.2, 0.8, 0.0}}, {0, 1, 2}));
    const auto between = [](const Image& image) {
        int count = 0;
        for (std::size_t k = 0; k < image.rgba.size(); k += 4)
            count += image.rgba[k] > 20 && image.rgba[k] < 235 ? 1 : 0;
        return count;
    };
    EXPECT_EQ(between(renderer()->draw(alone(mesh), flat_camera(2.0), {200, 200, 1})), 0);
    EXPECT_GT(between(renderer()->draw(alone(mesh), flat_camera(2.0), {200, 200, 4})), 150);
}

TEST(Renderer, TheVertexBuffersOfOneMovieAreUsedAgainAndFollowThePositions) {
    // The topology is the same object, only positions move: stale buffers would draw the first picture again.
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = white_unlit(card(0.5, 0.5));
    const Image first = renderer()->draw(alone(mesh), flat_camera(2.0), {100, 100});
    for (Vec3& p : mesh.positions) p.x += 0.6;
    const Image second = renderer()->draw(alone(mesh), flat_camera(2.0), {100, 100});
    expect_colour(at(first, 50, 50), rgb(0xFFFFFF), 1, "before");
    expect_colour(at(second, 50, 50), rgb(0x000000), 1, "after");
    expect_colour(at(second, 80, 50), rgb(0xFFFFFF), 1, "after");
}

TEST(Renderer, SizesThatCannotBeDrawnAreRefusedInOneLine) {
    LIMBER_NEEDS_RENDERER();
    const DrawList list = alone(card(1.0, 1.0));
    const PictureSize sizes[] = {{0, 0},         {-1, 100},     {100, 0},       {20000, 20000},  {16385, 4},
                                 {16384, 16384}, {100, 100, 0}, {100, 100, -4}, {100, 100, 1000}};
    for (const PictureSize& size : sizes) {
        const Error error = error_of(list, size);
        EXPECT_EQ(error.fault(), Fault::bad_usage) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
    EXPECT_NO_THROW(renderer()->draw(list, flat_camera(1.0), {16384, 2}));
    EXPECT_NO_THROW(renderer()->draw(list, flat_camera(1.0), {1, 1}));
}

TEST(Renderer, MeshesThatDoNotFitTogetherAreRefusedInOneLine) {
    LIMBER_NEEDS_RENDERER();
    const auto refused = [](DrawMesh mesh) {
        const Error error = error_of(alone(std::move(mesh)), {20, 20});
        EXPECT_EQ(error.fault(), Fault::bad_mesh) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    };
    DrawMesh mesh = card(1.0, 1.0);
    DrawMesh spoilt = mesh;
    spoilt.positions.pop_back();
    refused(spoilt);
    spoilt = mesh;
    spoilt.values = {1.0};
    refused(spoilt);
    spoilt = mesh;
    spoilt.topology = nullptr;
    refused(spoilt);
    auto topology = std::make_shared<DrawTopology>(*mesh.topology);
    topology->triangles[0][1] = 99;
    spoilt = mesh;
    spoilt.topology = topology;
    refused(spoilt);
    expect_error(Fault::bad_mesh, "face 0 names vertex 3", [&] { mesh_of({{}, {}, {}}, {0, 1, 3}); });
    expect_error(Fault::bad_mesh, "face 0 names vertex -1", [&] { mesh_of({{}, {}, {}}, {0, 1, -1}); });
}

TEST(RendererDeathTest, WithoutEglThereIsOneLineThatSaysWhatIsMissing) {
    // In a process of its own: libglvnd looks for drivers once, in the files that this variable names.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto start = [] {
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/none", 1);
        try {
            const Renderer refused;
        } catch (const Error& error) {
            std::fputs(error.what(), stderr);
            std::_Exit(error.fault() == Fault::unsupported && std::string(error.what()).find('\n') == std::string::npos
                           ? 2
                           : 3);
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(start(), testing::ExitedWithCode(2), "pictures cannot be drawn.*apt-get install");
}

TEST(Renderer, PositionsThatAreNotNumbersAndEmptyListsAreDrawnWithoutHarm) {
    LIMBER_NEEDS_RENDERER();
    DrawMesh mesh = white_unlit(card(1.0, 1.0));
    mesh.positions[2].x = std::nan("");
    EXPECT_NO_THROW(renderer()->draw(alone(mesh), flat_camera(2.0), {50, 50}));
    EXPECT_NO_THROW(renderer()->draw(DrawList{}, Camera{}, {50, 50}));
    DrawMesh nothing = mesh_of({}, {});
    EXPECT_NO_THROW(renderer()->draw(alone(nothing), Camera{}, {50, 50}));
}

}  // namespace limber
