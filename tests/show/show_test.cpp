#include "show/runs.hpp"

#include "expect_error.hpp"
#include "show/fault_views.hpp"
#include "show/produce.hpp"
#include "show/studio.hpp"
#include "show/subject.hpp"

#include <limber/tools/painted_surface.hpp>
#include <limber/tools/sim.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using testing_show::bar;
using testing_show::stretched;

DrawMesh drawn(const Subject& subject, double time, const SubjectLook& look) {
    DrawList list;
    subject.draw(time, look, list);
    return list.meshes.at(0);
}

TEST(FieldOnBody, DisplacementIsItsLengthAndIsBlendedBetweenFrames) {
    const auto run = bar({0.0, 1.0}, stretched);
    const FieldOnBody field(*run, Field::displacement, nullptr);
    const std::vector<double> half = field.at(0.5);
    for (std::size_t v = 0; v < half.size(); ++v) EXPECT_NEAR(half[v], 0.005 * run->body->mesh().vertices[v].x, 1e-15);
    EXPECT_EQ(field.at(7.0), field.at(1.0)) << "after the end it stands still";
}

// Uniaxial strain: sigma_xx - sigma_yy = 2 G eps, and that is the von Mises stress.
TEST(FieldOnBody, VonMisesOfUniaxialStrainIsTwoGTimesStrain) {
    for (const CellKind kind : {CellKind::hex8, CellKind::tet4, CellKind::quad4, CellKind::tri3}) {
        const auto run = bar({0.0, 1.0}, stretched, kind);
        const FieldOnBody field(*run, Field::von_mises, nullptr);
        const double shear = 1e4 / (2 * 1.25);
        for (const double v : field.at(1.0)) EXPECT_NEAR(v, 2 * shear * 0.01, 1e-9) << to_string(kind);
    }
}

// Uniaxial strain again: sigma_xx = (lambda + 2 G) eps, the others lambda eps; compressed, the order turns round.
TEST(FieldOnBody, PrincipalStressesKeepTheirSigns) {
    const double lambda = 1e4 * 0.25 / (1.25 * 0.5), shear = 1e4 / (2 * 1.25);
    const auto pulled = bar({0.0, 1.0}, stretched, CellKind::tet4);
    for (const double v : FieldOnBody(*pulled, Field::principal_max, nullptr).at(1.0))
        EXPECT_NEAR(v, (lambda + 2 * shear) * 0.01, 1e-9);
    for (const double v : FieldOnBody(*pulled, Field::principal_min, nullptr).at(1.0))
        EXPECT_NEAR(v, lambda * 0.01, 1e-9);
    const auto pressed = bar({0.0, 1.0}, [](const Vec3& p, double t) { return -1.0 * stretched(p, t); });
    for (const double v : FieldOnBody(*pressed, Field::principal_min, nullptr).at(1.0))
        EXPECT_NEAR(v, -(lambda + 2 * shear) * 0.01, 1e-9);
    const auto subject = make_body_subject(pressed, {"", nullptr, nullptr, Field::principal_min});
    for (const double v : drawn(*subject, 1.0, {.field = Field::principal_min}).values)
        EXPECT_LT(v, -100.0) << "the surface has the sign too";
}

// What the method said counts, not what small strain would make of the displacements.
TEST(FieldOnBody, RecordedStressIsShownAndBlendedAndComparedWithItsSign) {
    const auto run = bar({0.0, 1.0}, stretched), reference = bar({0.0, 1.0}, stretched, CellKind::tet4);
    run->has_stress = true;
    for (Frame& f : run->frames) f.stress.assign(run->body->mesh().cell_count(), {f.time * 50.0, 0, 0, 0, 0, 0});
    for (const double v : FieldOnBody(*run, Field::von_mises, nullptr).at(0.5)) EXPECT_NEAR(v, 25.0, 1e-12);
    const FieldOnBody difference(*run, Field::von_mises_error, reference.get());  // 80 Pa there, on another mesh
    for (const double v : difference.at(1.0)) EXPECT_NEAR(v, -30.0, 1e-9);
    EXPECT_NEAR(difference.distance(1.0).largest, 30.0, 1e-9);
    EXPECT_NEAR(difference.distance(1.0).share, 30.0 / 80.0, 1e-11);
    expect_error(Fault::bad_usage, "--field", [&] { FieldOnBody(*run, Field::von_mises_error, nullptr); });
}

TEST(FieldOnBody, TheDistanceOfDisplacementsIsTheLargestAndTheRelativeL2) {
    const auto run = bar({0.0, 1.0}, [](const Vec3&p, double t) { return 1.1 * stretched(p, t); }),
               reference = bar({0.0, 1.0}, stretched);
    const FieldOnBody::Distance d = FieldOnBody(*run, Field::error, reference.get()).distance(1.0);
    EXPECT_NEAR(d.largest, 0.004, 1e-15);
    EXPECT_NEAR(d.share, 0.1, 1e-12);
    const auto subject = make_body_subject(run, {"", nullptr, reference, Field::error});
    EXPECT_EQ(subject->figure(1.0), "off by at most 4 mm, 10 % in L2");
}

TEST(FieldOnBody, TheErrorIsTheDistanceToTheReferenceAlsoOnAnotherMesh) {
    const auto run = bar({0.0, 1.0}, stretched);
    const auto same = bar({0.0, 1.0}, [](const Vec3& p, double t) { return stretched(p, t) + Vec3{0, 0.002 * t, 0}; });
    for (const double e : FieldOnBody(*run, Field::error, same.get()).at(1.0)) EXPECT_NEAR(e, 0.002, 1e-15);
    const auto other = bar(
        {0.0, 1.0},
        [](const Vec3& p, double t) {
            return stretched(p, t) + Vec3{0, 0.002 * t, 0};
        },
        CellKind::tet4);
    for (const double e : FieldOnBody(*run, Field::error, other.get()).at(0.5)) EXPECT_NEAR(e, 0.001, 1e-12);
    expect_error(Fault::bad_usage, "--field", [&] { FieldOnBody(*run, Field::error, nullptr); });
    expect_error(Fault::unsupported, "bar",
                 [&] { FieldOnBody(*run, Field::error, bar({0.0}, stretched, CellKind::quad4).get()); });
}

TEST(Field, NamesComeBackAndMisspeltOnesAreHelped) {
    for (const std::string& name : field_names()) EXPECT_EQ(to_string(parse_field(name)), name);
    try {
        parse_field("von_misses");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("'von_mises'"), std::string::npos) << e.what();
    }
}

TEST(BodySubject, TheSurfaceIsWhereTheFrameHasItAndCarriesTheFieldsValues) {
    const auto run = bar({0.0, 1.0}, stretched);
    const auto subject = make_body_subject(run, {"", nullptr, nullptr, Field::displacement});
    const DrawMesh mesh = drawn(*subject, 1.0, {.field = Field::displacement});
    ASSERT_EQ(mesh.values.size(), mesh.positions.size());
    double reach = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        reach = std::max(reach, mesh.positions[v].x);
        EXPECT_NEAR(mesh.values[v], mesh.positions[v].x * 0.01 / 1.01, 1e-12);
    }
    EXPECT_NEAR(reach, 4.04, 1e-12);
    EXPECT_EQ(mesh.topology->triangles.size(), 2U * 18) << "18 outer quadrilaterals";
}

TEST(BodySubject, AnchorsAreGlyphsOnTheHeldFaceAndPointAwayFromTheBody) {
    const auto subject = make_body_subject(bar({0.0}, stretched), {});
    DrawList with, without;
    subject->draw(0.0, {.glyph_size = 0.2}, with);
    subject->draw(0.0, {.glyphs = false, .glyph_size = 0.2}, without);
    EXPECT_EQ(without.meshes.size(), 1U);
    ASSERT_EQ(with.meshes.size(), 2U);
    for (const Vec3& p : with.meshes[1].positions) EXPECT_LT(p.x, 0.12) << "pins stand outside";
    EXPECT_LT(box_of(with.meshes[1]).low.x, -0.05);
}

TEST(BodySubject, PlanarBodiesAreSheetsSeenFromTheFront) {
    const auto subject = make_body_subject(bar({0.0, 1.0}, stretched, CellKind::quad4), {});
    EXPECT_TRUE(subject->planar());
    const DrawMesh mesh = drawn(*subject, 0.0, {});
    EXPECT_EQ(mesh.topology->triangles.size(), 8U);
    for (const Vec3& n : mesh.normals) EXPECT_NEAR(n.z, 1.0, 1e-12);
}

// Two looks are two meshes over one set of vertices and normals; the renderer refuses lists of other lengths.
TEST(BodySubject, ARecordingWithItsOwnSurfaceIsShownInItsColours) {
    const auto run = bar({0.0, 1.0}, stretched);
    auto painted = std::make_shared<PaintedSurface>();
    painted->surface.vertices = {{1, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {3, 0, 1}, {3, 1, 1}};
    painted->surface.faces = {0, 1, 2, 3, 1, 4, 5, 2};
    painted->surface.face_starts = {0, 4, 8};
    painted->looks.resize(2);
    painted->looks[0].base_color = {1, 0, 0, 1};
    painted->looks[1].base_color = {0, 0, 1, 1};
    painted->face_look = {0, 1};
    run->shown = painted;
    DrawList list;
    make_body_subject(run, {})->draw(1.0, {}, list);
    ASSERT_EQ(list.meshes.size(), 2U);
    EXPECT_EQ(list.meshes[0].look.base, rgb(0xFF0000));
    EXPECT_EQ(list.meshes[1].look.base, rgb(0x0000FF));
    for (const DrawMesh& mesh : list.meshes) {
        EXPECT_EQ(mesh.normals.size(), mesh.topology->normal_count);
        EXPECT_EQ(mesh.topology->triangles.size(), 2U);
        EXPECT_NEAR(mesh.positions[4].x, 3.03, 1e-12);
    }
    DrawList coloured;
    make_body_subject(run, {"", nullptr, nullptr, Field::displacement})
        ->draw(1.0, {.field = Field::displacement}, coloured);
    ASSERT_EQ(coloured.meshes.size(), 1U);
    EXPECT_NEAR(coloured.meshes[0].values[4], 0.03, 1e-12);
}

TEST(BodySubject, TheMostTellingTimeIsWhereItHasMovedMost) {
    std::string why;
    EXPECT_EQ(make_body_subject(
                  bar({0, 1, 2, 3}, [](const Vec3& p, double t) { return stretched(p, t < 2.5 ? t : 0.0); }), {})
                  ->preferred_time(why),
              2.0);
    EXPECT_NE(why.find("moved most"), std::string::npos);
    EXPECT_EQ(make_body_subject(bar({0, 1, 2}, stretched), {})->preferred_time(why), 2.0);
    EXPECT_NE(why.find("last"), std::string::npos);
}

TEST(BodySubject, ARecordingWithoutFramesIsRefused) {
    expect_error(Fault::bad_data, "bar", [&] { make_body_subject(bar({}, stretched), {}); });
}

TEST(Legend, HasRoundNumbersInAUnitThatPeopleUse) {
    const Legend small = make_legend({"displacement", "m"}, {0.0, 0.05, ColourMap::sequential});
    EXPECT_EQ(small.title, "displacement [mm]");
    EXPECT_EQ(small.ticks.front().label, "0");
    EXPECT_EQ(small.ticks.back().label, "50");
    for (const Legend::Tick& t : small.ticks) EXPECT_NEAR(t.fraction, std::stod(t.label) / 50.0, 1e-9);
    EXPECT_EQ(make_legend({"von Mises stress", "Pa"}, {0.0, 2.5e6, ColourMap::sequential}).title,
              "von Mises stress [MPa]");
    EXPECT_EQ(shown_unit("m", 3000.0).name, "m");
    EXPECT_EQ(shown_unit("m", 2e-6).name, "µm");
    EXPECT_EQ(shown_unit("", 5.0).name, "");
}

TEST(MovieTimes, GoFromStartToEndAtTheRateAskedFor) {
    const std::vector<double> times = movie_times(1.0, 3.0, 10.0, 0.5);
    EXPECT_EQ(times.size(), 41U);
    EXPECT_EQ(times.front(), 1.0);
    EXPECT_NEAR(times[1], 1.05, 1e-15);
    EXPECT_NEAR(times.back(), 3.0, 1e-12);
    EXPECT_EQ(movie_times(2.0, 2.0, 30.0, 1.0).size(), 1U);
    expect_error(Fault::bad_usage, "a movie of ", [&] { movie_times(0.0, 1e9, 30.0, 1.0); });
    EXPECT_EQ(watchable_speed(5.0), 1.0);
    EXPECT_EQ(watchable_speed(1.0), 0.5);
    EXPECT_EQ(speed_words(0.25), "1/4 speed");
    EXPECT_EQ(speed_words(1.0), "");
    for (const double duration : {1.9, 0.3, 0.02, 1e-4}) {
        EXPECT_GE(duration / watchable_speed(duration), 2.0);
        EXPECT_LT(duration / watchable_speed(duration), 20.0);
    }
}

TEST(MovieComments, GoIntoGifAndWebpWithoutBreakingThem) {
    // Header with a table of 2 colours, then the end of the file.
    const std::string gif = std::string("GIF89a\x01\x00\x01\x00\x80\x00\x00", 13) + std::string(6, '\x11') + ";";
    const std::string comment(300, 'c'), stamped = with_gif_comment(gif, comment);
    EXPECT_EQ(stamped.substr(0, 19), gif.substr(0, 19));
    EXPECT_EQ(stamped.substr(19, 3), "\x21\xFE\xFF");
    EXPECT_EQ(stamped.substr(stamped.size() - 2), std::string("\0;", 2));
    EXPECT_EQ(with_gif_comment("not a gif", "x"), "not a gif");
    const std::string webp = std::string(
        "RIFF\x16\x00\x00\x00WEBPVP8X\x0A\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00", 30);
    const std::string marked = with_webp_comment(webp, "a < b");
    EXPECT_EQ(marked[20], '\x06') << "animation and XMP";
    EXPECT_NE(marked.find("a &lt; b"), std::string::npos);
    const auto size = static_cast<unsigned char>(marked[4]) + 256U * static_cast<unsigned char>(marked[5]);
    EXPECT_EQ(size + 8, marked.size());
    EXPECT_EQ(with_webp_comment("RIFF", "x"), "RIFF");
}

double facing(const ViewDirection& view, const Vec3& outward) { return dot(direction_of(view), outward); }

TEST(FaultViews, EveryFaultFacesTheEyeInOneOfThePictures) {
    // Of one view always from the front, faults behind and below stay unseen.
    const ViewDirection usual = parse_view("three-quarter");
    for (const Vec3& side : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{0, -1, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}}) {
        const std::vector<ViewDirection> views = views_of_faults(std::vector<FaultMark>{{side, 1.0}, {side, 3.0}});
        ASSERT_EQ(views.size(), 1u);
        EXPECT_GT(facing(views[0], side), 0.2);
        if (facing(usual, side) > 0.2) {
            EXPECT_EQ(views[0].turn, usual.turn) << "the usual view stays where it does";
        }
        const std::vector<FaultMark> both{{side, 1.0}, {-1.0 * side, 1.0}};
        const std::vector<ViewDirection> two = views_of_faults(both);
        ASSERT_EQ(two.size(), 2u);
        for (const FaultMark& m : both) EXPECT_GT(std::max(facing(two[0], m.outward), facing(two[1], m.outward)), 0.2);
    }
    EXPECT_EQ(views_of_faults({}).size(), 1u) << "a sound surface is seen as ever";
    EXPECT_EQ(views_of_faults(std::vector<FaultMark>{{{0, 0, 1}, 99.5}, {{0, 0, -1}, 0.5}}).size(), 1u)
        << "a speck behind is not worth half the picture";
}

/// Its last two faces are those at -z and +z.
Surface unit_cube() {
    Surface s;
    for (int i = 0; i < 8; ++i) s.vertices.push_back({i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0});
    const std::int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (std::size_t f = 0; f < 6; ++f) {
        s.faces.insert(s.faces.end(), faces[f], faces[f] + 4);
        s.face_starts.push_back(static_cast<std::int32_t>(s.faces.size()));
    }
    return s;
}

TEST(FaultSubject, AFaultBehindIsSeenFromBehind) {
    // Broken by looking at everything from the usual side.
    Progress silent;
    const auto subjects = make_fault_subjects(unit_cube(), "cube", silent);
    ASSERT_EQ(subjects.size(), 1u);
    EXPECT_EQ(subjects[0]->named_colours({}).at(0).second, "sound");
    Surface flipped = unit_cube();
    std::reverse(flipped.faces.begin() + 16, flipped.faces.begin() + 20);  // the side at -z looks the wrong way
    const auto behind = make_fault_subjects(flipped, "cube", silent);
    ASSERT_EQ(behind.size(), 1u);
    ASSERT_TRUE(behind[0]->preferred_view());
    EXPECT_GT(facing(*behind[0]->preferred_view(), {0, 0, -1}), 0.2);
    std::reverse(flipped.faces.begin() + 20, flipped.faces.begin() + 24);
    const auto both = make_fault_subjects(flipped, "cube", silent);
    ASSERT_EQ(both.size(), 2u) << "one wrong side in front, one behind";
    EXPECT_EQ(both[0]->named_colours({}), both[1]->named_colours({}));
}

}  // namespace
}  // namespace limber
