// A body from a file in millimetres with z up goes back to that file's own coordinates, in every format that holds it.
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/inp/inp_deck.hpp"
#include "io/npz/npz.hpp"
#include "io/points/point_cache.hpp"
#include "playback/series_fixtures.hpp"
#include "playback/series_vtu.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/surface_series.hpp>

#include <algorithm>

namespace limber {
namespace {

using namespace testing_io;

constexpr double kRounding = 1e-12, kSingle = 1.2e-7;  // of the largest coordinate; the second is 32 bits

struct Source {
    Mesh file;            ///< as its owner wrote it
    Recording recording;  ///< of the body it became
};

/// Numbers that 0.001 does not divide evenly, and axes that cannot be mistaken for each other.
Source source(LengthUnit unit = LengthUnit::mm, UpAxis up = UpAxis::z) {
    Source s{make_box(CellKind::tet4, 3, 2, 2, {-13.7, 21.1, 100.3}, {187.9, 43.3, 333.7}), {}};
    BodyDescription d;
    d.mesh = s.file;
    for (Vec3& p : d.mesh.vertices) p = FileAxes(unit, up).from_file(p);
    d.materials = {{"", {"rubber", 2e5, 0.45, 1100.0, 0.0, 0.01}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {true, true, false}}};
    d.handles = {{"hand", d.mesh.vertex_sets.at("right"), {false, true, true}, {}}};
    s.recording = moving(Body::make(d), 3);
    s.recording.unit = unit;
    s.recording.up = up;
    return s;
}

/// Written out here, not taken from FileAxes: height is z, depth is -y, a thousand to the metre.
Vec3 in_mm(const Vec3& v) { return {1000.0 * v.x, -1000.0 * v.z, 1000.0 * v.y}; }

std::vector<Vec3> expected(const Source& s, std::size_t frame) {
    std::vector<Vec3> out = s.file.vertices;
    for (std::size_t v = 0; v < out.size(); ++v) out[v] += in_mm(s.recording.frames[frame].displacement[v]);
    return out;
}

double off(const std::vector<Vec3>& found, const std::vector<Vec3>& wanted) {
    EXPECT_EQ(found.size(), wanted.size());
    double worst = 0.0, size = 0.0;
    for (std::size_t v = 0; v < std::min(found.size(), wanted.size()); ++v) {
        worst = std::max(worst, norm(found[v] - wanted[v]));
        size = std::max(size, norm(wanted[v]));
    }
    return worst / size;
}

std::vector<Vec3> rows(const std::vector<double>& flat, std::size_t first, std::size_t count) {
    std::vector<Vec3> out;
    for (std::size_t v = first; v < first + count; ++v) out.push_back({flat[3 * v], flat[3 * v + 1], flat[3 * v + 2]});
    return out;
}

TEST(SourceAxes, NpzAndVtuHoldTheSourcesCoordinatesAndTurnEveryVector) {
    const TemporaryFolder folder;
    const Source s = source();
    const std::size_t n = s.file.vertices.size();
    const SeriesWritten npz = write_series(s.recording, {folder.file("a.npz"), SeriesFormat::npz});
    EXPECT_TRUE(npz.axes == FileAxes(LengthUnit::mm, UpAxis::z));
    const std::string bytes = read_file(npz.path);
    const NpzReader in(bytes, "a");
    EXPECT_LT(off(rows(in.numbers("rest").values, 0, n), s.file.vertices), kRounding);
    EXPECT_LT(off(rows(in.numbers("positions").values, 2 * n, n), expected(s, 2)), kRounding);
    std::vector<Vec3> velocity;
    for (const Vec3& v : s.recording.frames[2].velocity) velocity.push_back(in_mm(v));
    EXPECT_LT(off(rows(in.numbers("velocities").values, 2 * n, n), velocity), kRounding);
    EXPECT_EQ(rows(in.numbers("reactions").values, 0, 1)[0], (Vec3{1, -3, 2})) << "turned, but newtons";

    const SeriesWritten vtu = write_series(s.recording, {folder.file("v"), SeriesFormat::vtu});
    const std::string last = folder.file("v") + "/frame_000002.vtu";
    EXPECT_LT(off(read_mesh(last).vertices, s.file.vertices), kRounding);
    EXPECT_EQ(read_mesh(last).cells, s.file.cells);
    EXPECT_NE(read_file(last).find("lengths in mm, z up"), std::string::npos)
        << "the comment says what the numbers mean";
    EXPECT_NE(read_file(vtu.path).find("lengths in mm, z up"), std::string::npos);
    SeriesSource back{vtu.path};
    back.unit = LengthUnit::mm;
    back.up = UpAxis::z;
    const Recording again = read_series(back, s.recording.body);
    EXPECT_LT(off(again.frames[2].velocity, s.recording.frames[2].velocity), kRounding);
    EXPECT_LT(off(again.frames[2].displacement, s.recording.frames[2].displacement), kRounding);
    EXPECT_EQ(again.unit, LengthUnit::mm) << "an imported series goes back to its own axes too";
    EXPECT_EQ(again.up, UpAxis::z);
}

TEST(SourceAxes, PointCachesAndBoundariesDoToo) {
    const TemporaryFolder folder;
    const Source s = source();
    write_series(s.recording, {folder.file("a.pc2"), SeriesFormat::pc2});
    write_series(s.recording, {folder.file("a.mdd"), SeriesFormat::mdd});
    EXPECT_LT(off(parse_pc2(read_file(folder.file("a.pc2")), "a").frames[2], expected(s, 2)), kSingle);
    EXPECT_LT(off(parse_mdd(read_file(folder.file("a.mdd")), "a").frames[2], expected(s, 2)), kSingle);
    // All vertices of the box but the inner ones lie on its boundary, in order.
    std::vector<bool> outside(s.file.vertices.size(), false);
    for (const std::int32_t v : boundary_of(s.file).facets) outside[static_cast<std::size_t>(v)] = true;
    std::vector<Vec3> wanted;
    for (std::size_t v = 0; v < outside.size(); ++v)
        if (outside[v]) wanted.push_back(expected(s, 2)[v]);
    for (const SurfaceSeriesFormat format : {SurfaceSeriesFormat::obj, SurfaceSeriesFormat::ply}) {
        SurfaceSeriesTarget target;
        target.path = folder.file(std::string("b.") + to_string(format));
        target.format = format;
        target.time = s.recording.frames[2].time;
        EXPECT_TRUE(write_surface_series(s.recording, target).axes == FileAxes(LengthUnit::mm, UpAxis::z));
        EXPECT_LT(off(read_surface(target.path).vertices, wanted), kRounding) << to_string(format);
        EXPECT_NE(read_file(target.path).find("lengths in mm, z up"), std::string::npos) << to_string(format);
        target.unit = LengthUnit::m;
        target.up = UpAxis::y;  // asked otherwise
        write_surface_series(s.recording, target);
        const std::vector<Vec3> metres = read_surface(target.path).vertices;
        std::vector<Vec3> turned;
        for (const Vec3& p : metres) turned.push_back(in_mm(p));
        EXPECT_LT(off(turned, wanted), kRounding) << to_string(format);
    }
    SurfaceSeriesTarget target;
    target.path = folder.file("b.stl");
    target.format = SurfaceSeriesFormat::stl;
    target.time = s.recording.frames[2].time;
    write_surface_series(s.recording, target);
    const Surface stl = read_surface(target.path);  // in the order of its triangles
    ASSERT_EQ(stl.vertices.size(), wanted.size());
    for (const Vec3& p : stl.vertices) {
        EXPECT_TRUE(
            std::any_of(wanted.begin(), wanted.end(), [&](const Vec3& q) { return norm(p - q) < 400 * kSingle; }))
            << p.x << " " << p.y << " " << p.z;
    }
    target.format = SurfaceSeriesFormat::glb;
    target.path = folder.file("b.glb");
    EXPECT_TRUE(write_surface_series(s.recording, target).axes == FileAxes(LengthUnit::m, UpAxis::y))
        << "glTF demands it";
    EXPECT_LT(norm(read_surface(target.path).vertices[0]), 1.0);
}

TEST(SourceAxes, TurningAloneKeepsEveryBit) {
    // A scale of one leaves nothing to round, so that nothing may be.
    const TemporaryFolder folder;
    const Source s = source(LengthUnit::m, UpAxis::z);
    write_series(s.recording, {folder.file("v"), SeriesFormat::vtu});
    EXPECT_EQ(read_mesh(folder.file("v") + "/frame_000000.vtu").vertices, s.file.vertices);
    SurfaceSeriesTarget target;
    target.format = SurfaceSeriesFormat::ply;
    target.path = folder.file("a.ply");
    target.time = 0.0;
    write_surface_series(s.recording, target);
    for (const Vec3& p : read_surface(target.path).vertices)
        EXPECT_NE(std::find(s.file.vertices.begin(), s.file.vertices.end(), p), s.file.vertices.end());
}

TEST(SourceAxes, AskingForAnotherFrameWins) {
    const TemporaryFolder folder;
    const Source s = source();
    for (const SeriesFormat format : {SeriesFormat::npz, SeriesFormat::vtu, SeriesFormat::mdd}) {
        const SeriesWritten written = write_series(
            s.recording, {folder.file(std::string("a.") + (format == SeriesFormat::vtu ? "pvd" : to_string(format))),
                          format, LengthUnit::m, UpAxis::y});
        const Recording back = read_series({written.path}, s.recording.body);
        for (std::size_t v = 0; v < s.file.vertices.size(); ++v)
            EXPECT_LT(norm(back.frames[2].displacement[v] - s.recording.frames[2].displacement[v]), 1e-7);
    }
}

std::string line_after(const std::string& deck, const std::string& card) {
    const std::size_t at = deck.find(card + "\n");
    EXPECT_NE(at, std::string::npos) << card;
    const std::size_t from = at + card.size() + 1;
    return deck.substr(from, deck.find('\n', from) - from);
}

TEST(SourceAxes, ADeckIsInTheSourcesUnitWithModuliAndDensitiesToMatch) {
    // A deck whose lengths are mm while its moduli stay Pa is wrong by a million, and still solves.
    const Source s = source();
    const std::size_t n = s.file.vertices.size();
    std::vector<Vec3> force(n), moved(n);
    const std::int32_t held = s.recording.body->handles()[0].vertices[0];
    moved[static_cast<std::size_t>(held)] = {0.001, 0.002, 0.004};
    force[0] = {1, 2, 3};
    const std::string deck = format_inp_deck(*s.recording.body, {{0, -9.81, 0}, force, moved},
                                             {LengthUnit::mm, UpAxis::z}, "test", "m.inp");
    EXPECT_LT(off(parse_inp(deck, "m.inp").vertices, s.file.vertices), kRounding);
    EXPECT_NEAR(std::stod(line_after(deck, "*ELASTIC")), 0.2, 1e-14);           // MPa
    EXPECT_NEAR(std::stod(line_after(deck, "*DENSITY")) / 1.1e-9, 1.0, 1e-12);  // t/mm^3
    EXPECT_NE(deck.find("GRAV, 9810., 0., 0., -1."), std::string::npos) << deck.substr(deck.find("GRAV"), 60);
    EXPECT_NE(deck.find("*CLOAD\n1, 1, 1.\n1, 2, -3.\n1, 3, 2.\n"), std::string::npos) << "newtons, turned";
    // The anchor holds our x and y: the deck's 1 and 3. The handle moves our y and z: its 3 by 2 mm and its 2 by -4 mm.
    EXPECT_NE(deck.find("LIMBER_ANCHOR_0, 1, 1\nLIMBER_ANCHOR_0, 3, 3\n"), std::string::npos);
    EXPECT_EQ(deck.find("LIMBER_ANCHOR_0, 2, 2\n"), std::string::npos);
    const std::string name = std::to_string(held + 1);
    EXPECT_NE(deck.find("\n" + name + ", 2, 2, -4.\n" + name + ", 3, 3, 2.\n"), std::string::npos);
    EXPECT_NE(deck.find("N/mm^2"), std::string::npos);

    BodyDescription flat;
    flat.mesh = make_grid(CellKind::quad4, 2, 2, {0, 0, 0}, {1, 1, 0});
    flat.materials = {{"", Material{}}};
    flat.thickness = 0.5;
    const std::shared_ptr<const Body> sheet = Body::make(flat);
    EXPECT_NE(format_inp_deck(*sheet, {}, {LengthUnit::mm, UpAxis::y}, "", "m.inp").find("\n500.\n"), std::string::npos)
        << "the thickness is a length";
    expect_error(Fault::unsupported, "m.inp", [&] {
        format_inp_deck(*sheet, {}, {LengthUnit::m, UpAxis::z}, "", "m.inp");
    });
}

}  // namespace
}  // namespace limber
