// The stage: shadows, ground, and that a picture depends on nothing but what it shows.
#include "render/glyphs.hpp"
#include "render/picture_tools.hpp"

#include <limber/error.hpp>

#include <cstdlib>

namespace limber {

using namespace pictures;

namespace {

/// A ball above the ground, and a picture of it from above its front.
struct BallScene {
    DrawList list;
    Camera camera;
    Vec3 under, away;  // on the ground: in the middle of the shadow, and well out of it

    explicit BallScene(double lift = 0.0) {
        list.meshes.push_back(sphere({0.0, 1.0 + lift, 0.0}, 1.0));
        list.stage.extent = {{Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 2.0, 1.0}}};
        list.stage.ground.grid = false;
        list.stage.ground.level = 0.0;
        camera.eye = {0.0, 6.0, 9.0};
        camera.target = {0.3, 0.6, 0.0};
        // The key light comes from the upper left before the picture: direction (-0.62, 1.3, 0.7) towards it.
        const double reach = (1.0 + lift) / 1.3;
        under = {0.62 * reach, 0.0, -0.7 * reach};
        away = {-3.0, 0.0, under.z};
    }
    Image picture() const { return renderer()->draw(list, camera, {480, 360}); }
    double light(const Image& image, const Vec3& place) const {
        return light_around(image, project(camera, 480, 360, place), 3);
    }
};

}  // namespace

TEST(Stage, TheGroundIsDarkerInTheShadowAndOnlyThere) {
    // Broken by a shadow that is not cast (strength 0) and by one that falls towards the light: then `under` is bright.
    LIMBER_NEEDS_RENDERER();
    BallScene scene(1.2);
    const Image with = scene.picture();
    EXPECT_LT(scene.light(with, scene.under), 0.8 * scene.light(with, scene.away));
    scene.list.stage.shadow = false;
    const Image without = scene.picture();
    EXPECT_NEAR(scene.light(without, scene.under), scene.light(without, scene.away), 6.0);
    EXPECT_NEAR(scene.light(with, scene.away), scene.light(without, scene.away), 2.0)
        << "far from the body nothing changes";
    scene.list.stage.shadow = true;
    scene.list.meshes[0].look.casts_shadow = false;
    const Image none = scene.picture();
    EXPECT_NEAR(scene.light(none, scene.under), scene.light(without, scene.under), 2.0) << "a body may cast none";
}

TEST(Stage, AShadowIsSofterTheHigherItsBodyIs) {
    // Along a line out of the shadow: how far it takes from nine tenths to one tenth of the darkness.
    LIMBER_NEEDS_RENDERER();
    const auto softness = [](double lift) {
        BallScene scene(lift);
        scene.list.stage.extent = {{Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 6.0, 1.0}}};
        scene.camera.eye = {0.0, 14.0, 14.0};
        scene.camera.target = scene.under;
        const Image image = scene.picture();
        const double dark = scene.light(image, scene.under),
                     bright = scene.light(image, scene.under + Vec3{4.0, 0.0, 0.0});
        double first = 0.0, last = 0.0;
        for (double x = 0.0; x < 4.0; x += 0.02) {
            const double part = (bright - scene.light(image, scene.under + Vec3{x, 0.0, 0.0})) / (bright - dark);
            if (part > 0.85) first = x;
            if (part > 0.15) last = x;
        }
        return last - first;
    };
    EXPECT_GT(softness(3.0), 1.4 * softness(0.3));
}

TEST(Stage, ABodyShadesItsOtherPartsButNotItself) {
    // A small ball between the light and a large one darkens it. Speckles would show on the lit side: neighbours there
    // differ little.
    LIMBER_NEEDS_RENDERER();
    DrawList list;
    list.meshes.push_back(sphere({0.0, 0.0, 0.0}, 1.0, 64));
    list.stage.ground.kind = DrawGround::Kind::none;
    const Camera camera = flat_camera(3.0);
    const Vec3 spot = Vec3{-0.62, 1.3, 0.7} / norm({-0.62, 1.3, 0.7});
    const Image free = renderer()->draw(list, camera, {300, 300});
    const Projected place = project(camera, 300, 300, spot);
    list.meshes.push_back(sphere(1.6 * spot, 0.25, 24));
    const Image shaded = renderer()->draw(list, camera, {300, 300});
    const Projected beside = project(camera, 300, 300, {-0.2, 0.5, 0.84});
    // Straight behind the small ball is out of sight; its shadow is wide enough to be seen at the rim.
    const Projected rim = {place.x + 8.0, place.y + 10.0, 0.0};
    EXPECT_LT(light_around(shaded, rim, 1), light_around(free, rim, 1) - 15.0);
    EXPECT_NEAR(light_around(shaded, beside, 1), light_around(free, beside, 1), 2.0);
    double largest = 0.0;
    for (int x = 100; x < 200; ++x) {
        for (int y = 90; y < 200; ++y)
            largest = std::max(largest, std::abs(at(free, x, y).light() - at(free, x + 1, y).light()));
    }
    EXPECT_LT(largest, 8.0) << "speckles";
}

TEST(Stage, AnOpenSurfaceDoesNotSpeckleItselfWithShadow) {
    // Its near side is in the shadow map itself, at nearly the depth that is looked up. Broken by looking up without
    // moving out along the normal: stripes all over the ball. (Of closed bodies the map holds the far side.)
    LIMBER_NEEDS_RENDERER();
    DrawMesh whole = sphere({0.0, 0.0, 0.0}, 1.0, 64);
    std::vector<std::int32_t> faces;
    for (const auto& t : whole.topology->triangles)
        if (whole.positions[static_cast<std::size_t>(t[0])].z > -0.9) faces.insert(faces.end(), t.begin(), t.end());
    DrawList list;
    list.meshes.push_back(mesh_of(whole.positions, faces));
    list.meshes[0].normals = whole.normals;
    list.stage.ground.kind = DrawGround::Kind::none;
    const Image image = renderer()->draw(list, flat_camera(3.0), {300, 300});
    double largest = 0.0;
    for (int x = 90; x < 200; ++x) {
        for (int y = 80; y < 200; ++y)
            largest = std::max(largest, std::abs(at(image, x, y).light() - at(image, x + 1, y).light()));
    }
    EXPECT_LT(largest, 8.0);
}

TEST(Stage, TheGridIsWhereItIsSaidToBeAndFadesAway) {
    LIMBER_NEEDS_RENDERER();
    DrawList list;
    list.meshes.push_back(sphere({0.0, 0.3, 0.0}, 0.3));
    list.stage.shadow = false;
    list.stage.ground.level = 0.0;
    list.stage.ground.cell = 0.5;
    list.stage.extent = {{Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 1.0, 1.0}}};
    Camera camera;
    camera.eye = {0.4, 7.0, 4.0};
    camera.target = {0.0, 0.0, 0.0};
    const Image image = renderer()->draw(list, camera, {600, 450});
    const auto light = [&](double x, double z) { return at(image, project(camera, 600, 450, {x, 0.0, z})).light(); };
    for (const double line : {-1.0, -0.5, 0.5, 1.0})
        EXPECT_LT(light(line, 0.73), light(line + 0.25, 0.73) - 4.0) << "line at x = " << line;
    EXPECT_LT(light(0.73, 1.0), light(0.73, 1.25) - 4.0);
    list.stage.ground.grid = false;
    const Image bare = renderer()->draw(list, camera, {600, 450});
    EXPECT_GT(at(bare, project(camera, 600, 450, {0.5, 0.0, 0.73})).light(), light(0.5, 0.73) + 4.0);
    // At the far corners both are the bare background.
    EXPECT_EQ(at(bare, 2, 2).r, at(image, 2, 2).r);
}

TEST(Stage, FromBelowTheGroundHidesNothing) {
    LIMBER_NEEDS_RENDERER();
    BallScene scene;
    scene.camera.eye = {0.0, -6.0, 9.0};
    scene.camera.target = {0.0, 1.0, 0.0};
    const Image image = scene.picture();
    const Projected middle = project(scene.camera, 480, 360, {0.0, 1.0, 0.0});
    EXPECT_LT(light_around(image, middle, 5), 190.0) << "the ball's underside, not the bright background";
}

TEST(Stage, TheSameStateGivesTheSameBytes) {
    // Twice, after other pictures of other sizes and meshes, and by another Renderer: whatever is kept between pictures
    // must not show.
    LIMBER_NEEDS_RENDERER();
    BallScene scene(0.4);
    scene.list.meshes[0].look.wireframe = true;
    Glyphs glyphs;
    glyphs.arrow({1.5, 0.0, 0.0}, {1.5, 1.5, 0.0}, 0.1);
    scene.list.meshes.push_back(glyphs.mesh());
    const Image first = scene.picture();
    EXPECT_EQ(scene.picture().rgba, first.rgba);
    renderer()->draw(alone(card(1.0, 1.0)), flat_camera(2.0), {64, 200, 1});
    DrawList other = scene.list;
    for (Vec3& p : other.meshes[0].positions) p.y *= 0.5;
    other.meshes[0].look.base.a = 0.5F;
    renderer()->draw(other, scene.camera, {480, 360});
    EXPECT_EQ(scene.picture().rgba, first.rgba);
    Renderer second;
    EXPECT_EQ(second.draw(scene.list, scene.camera, {480, 360}).rgba, first.rgba);
}

TEST(Stage, APictureInTilesHasNoSeams) {
    // Wider than one tile: along a row across the seam colours go on as smoothly as elsewhere, and the body's outline
    // is unbroken.
    LIMBER_NEEDS_RENDERER();
    DrawList list;
    list.meshes.push_back(sphere({0.0, 1.0, 0.0}, 1.0, 96));
    Framing framing;
    framing.width = 2400;
    framing.height = 300;
    const Camera camera = moved(fit_camera(box_of(list), framing), {-6.0, 0.0, 0.0});
    const Image image = renderer()->draw(list, camera, {2400, 300});
    double at_seam = 0.0, elsewhere = 0.0;
    for (int y = 0; y < 300; ++y) {
        at_seam += std::abs(at(image, 2047, y).light() - at(image, 2048, y).light());
        elsewhere += 0.5 * (std::abs(at(image, 2046, y).light() - at(image, 2047, y).light()) +
                            std::abs(at(image, 2048, y).light() - at(image, 2049, y).light()));
    }
    EXPECT_LT(at_seam, 1.3 * elsewhere + 60.0);
}

TEST(Stage, ABodyFarFromTheOriginIsDrawnAsNearIt) {
    // 100 km out floats are a centimetre apart; the ball is 1 m across.
    LIMBER_NEEDS_RENDERER();
    const Vec3 shift{1e5, 0.0, -1e5};
    const auto picture = [](const Vec3& centre) {
        DrawList list = alone(sphere(centre, 0.5));
        Framing framing;
        framing.width = framing.height = 200;
        return renderer()->draw(list, fit_camera(box_of(list), framing), {200, 200});
    };
    const Image near = picture({}), far = picture(shift);
    double difference = 0.0;
    for (std::size_t k = 0; k < near.rgba.size(); ++k)
        difference = std::max(difference, std::abs(static_cast<double>(near.rgba[k]) - far.rgba[k]));
    EXPECT_LE(difference, 3.0);
}

TEST(Stage, APlanarBodyHasAWallBehindIt) {
    LIMBER_NEEDS_RENDERER();
    DrawList list;
    list.meshes.push_back(card(2.0, 1.0));
    list.stage.ground.kind = DrawGround::Kind::wall;
    list.stage.ground.level = -0.3;
    list.stage.ground.grid = false;
    const Camera camera = flat_camera(2.4);
    const Image with = renderer()->draw(list, camera, {480, 360});
    list.stage.shadow = false;
    const Image without = renderer()->draw(list, camera, {480, 360});
    // Light from the upper left: the shadow shows below the card's lower right corner.
    const Projected below = project(camera, 480, 360, {0.6, -0.58, 0.0});
    EXPECT_LT(light_around(with, below, 2), light_around(without, below, 2) - 12.0);
    const Projected above = project(camera, 480, 360, {0.0, 0.8, 0.0});
    EXPECT_NEAR(light_around(with, above, 2), light_around(without, above, 2), 2.0);
}

}  // namespace limber
