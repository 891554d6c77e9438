#include "io/samples.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/recording/recording_file.hpp"

#include <cmath>
#include <filesystem>

namespace limber {
namespace {

using namespace testing_io;

void expect_same_frame(const Frame& a, const Frame& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.displacement, b.displacement);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.energies.kinetic, b.energies.kinetic);
    EXPECT_EQ(a.energies.elastic, b.energies.elastic);
    ASSERT_EQ(a.reactions.size(), b.reactions.size());
    for (std::size_t i = 0; i < a.reactions.size(); ++i) {
        EXPECT_EQ(a.reactions[i].force, b.reactions[i].force);
        EXPECT_EQ(a.reactions[i].torque, b.reactions[i].torque);
    }
    EXPECT_EQ(a.report.trouble, b.report.trouble);
    EXPECT_EQ(a.report.sub_steps, b.report.sub_steps);
    EXPECT_EQ(a.report.iterations, b.report.iterations);
    EXPECT_EQ(a.report.residual, b.report.residual);
    EXPECT_EQ(a.report.where, b.report.where);
    EXPECT_EQ(a.step_ms, b.step_ms);
}

void expect_same_head(const Recording& a, const Recording& b) {
    EXPECT_EQ(a.scene, b.scene);
    EXPECT_EQ(a.scene_hash, b.scene_hash);
    EXPECT_EQ(a.method, b.method);
    EXPECT_EQ(a.provenance, b.provenance);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.prepare_ms, b.prepare_ms);
    EXPECT_EQ(a.prepared_bytes, b.prepared_bytes);
    EXPECT_EQ(a.body->hash(), b.body->hash());
    EXPECT_EQ(a.body->name(), b.body->name());
    testing_io::expect_same(a.body->mesh(), b.body->mesh());
    EXPECT_EQ(a.body->plane(), b.body->plane());
    EXPECT_EQ(a.body->thickness(), b.body->thickness());
    EXPECT_EQ(a.body->materials(), b.body->materials());
    ASSERT_EQ(a.body->anchors().size(), b.body->anchors().size());
    EXPECT_EQ(a.body->anchors()[0].name, b.body->anchors()[0].name);
    EXPECT_EQ(a.body->anchors()[0].vertices, b.body->anchors()[0].vertices);
    EXPECT_EQ(a.body->anchors()[0].axes, b.body->anchors()[0].axes);
    ASSERT_EQ(a.body->handles().size(), b.body->handles().size());
    EXPECT_EQ(a.body->handles()[0].vertices, b.body->handles()[0].vertices);
    EXPECT_EQ(a.body->handles()[0].pivot, b.body->handles()[0].pivot);
}

std::string bytes_of(const Recording& recording) {
    const TemporaryFolder folder;
    write_recording(folder.file("r"), recording);
    return read_file(folder.file("r"));
}

Fault fault_of(const std::string& bytes) {
    try {
        parse_recording(bytes, "r");
    } catch (const Error& e) {
        return e.fault();
    }
    ADD_FAILURE() << "no error";
    return Fault::bad_usage;
}

TEST(Recording, EverythingComesBackExactly) {
    const TemporaryFolder folder;
    for (const bool cut : {false, true}) {
        Recording r = sample_recording(3);
        r.cut_short = cut;
        write_recording(folder.file("r"), r);
        const Recording back = read_recording(folder.file("r"));
        expect_same_head(back, r);
        ASSERT_EQ(back.frames.size(), 3u);
        for (std::size_t f = 0; f < 3; ++f) expect_same_frame(back.frames[f], r.frames[f]);
        EXPECT_EQ(back.cut_short, cut);
    }
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(Recording, ACutFileKeepsItsWholeFramesAtEveryLength) {
    // Every possible cut: inside a length, a checksum, exactly between two frames, inside the end mark.
    const Recording r = sample_recording(3);
    const std::string bytes = bytes_of(r);
    const std::size_t end = 12 + 9 + 8;
    const std::size_t frame = [] {
        ByteWriter out;
        save_frame(out, sample_recording(1).frames[0], sample_recording(0));
        return out.bytes().size() + 20;
    }();
    const std::size_t head = bytes.size() - end - 3 * frame;
    for (std::size_t length = 0; length < head; ++length) {
        SCOPED_TRACE(length);
        // Magic, format and length take 28 bytes.
        expect_error(length < 28 ? Fault::bad_file : Fault::bad_data, "r",
                     [&] { parse_recording(std::string_view(bytes).substr(0, length), "r"); });
    }
    for (std::size_t length = head; length < bytes.size(); ++length) {
        const Recording back = parse_recording(std::string_view(bytes).substr(0, length), "r");
        ASSERT_EQ(back.frames.size(), std::min<std::size_t>(3, (length - head) / frame)) << length;
        ASSERT_TRUE(back.cut_short) << length;
    }
}

TEST(Recording, ADamagedFrameEndsTheRecordingAndADamagedHeaderRefusesIt) {
    const Recording r = sample_recording(3);
    const std::string bytes = bytes_of(r);
    const std::size_t head = bytes_of(sample_recording(0)).size() - 29;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        if (at < head) {
            EXPECT_EQ(fault_of(damaged), at < 16 ? Fault::bad_file : Fault::bad_data) << at;
            continue;
        }
        const Recording back = parse_recording(damaged, "r");
        EXPECT_TRUE(back.cut_short) << at;
        EXPECT_LE(back.frames.size(), 3u);
        for (std::size_t f = 0; f < back.frames.size(); ++f)
            EXPECT_EQ(back.frames[f].displacement, r.frames[f].displacement);
    }
}

TEST(Recording, NewerFormatsAreRefusedByVersion) {
    std::string bytes = bytes_of(sample_recording(1));
    bytes[16] = 8;
    try {
        parse_recording(bytes, "r");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_data);
        EXPECT_STREQ(e.what(),
                     "r: a recording of format 8; expected format 1 to 7 (a newer limber reads newer formats)");
    }
}

TEST(Recording, StressAndTheWordsOfANonlinearStepComeBackExactlyEachWithoutTheOther) {
    for (const bool stress : {false, true}) {
        for (const bool words : {false, true}) {
            Recording r = sample_recording(2);
            r.has_stress = stress;
            r.has_linearisations = words;
            for (std::size_t f = 0; f < 2; ++f) {
                for (std::size_t c = 0; stress && c < r.body->mesh().cell_count(); ++c)
                    r.frames[f].stress.push_back({1.0 + double(c), 2, 3e9, 4, 0.1 * double(f), -6});
                r.frames[f].report.linearisations = words ? 3 : 0;
                r.frames[f].report.solver = words ? "block_cg" : "";
            }
            const std::string bytes = bytes_of(r);
            EXPECT_EQ(bytes[16], stress || words ? 5 : 1);
            const Recording back = parse_recording(bytes, "r");
            ASSERT_EQ(back.frames.size(), 2u);
            EXPECT_EQ(back.has_stress, stress);
            EXPECT_EQ(back.has_linearisations, words);
            for (std::size_t f = 0; f < 2; ++f) {
                expect_same_frame(back.frames[f], r.frames[f]);
                EXPECT_EQ(back.frames[f].stress, r.frames[f].stress);
                EXPECT_EQ(back.frames[f].report.linearisations, r.frames[f].report.linearisations);
                EXPECT_STREQ(back.frames[f].report.solver, r.frames[f].report.solver);
            }
        }
    }
}

TEST(Recording, ObstaclesComeBackExactlyWithAndWithoutStress) {
    for (const bool stress : {false, true}) {
        Recording r = sample_recording(2);
        r.has_stress = stress;
        r.obstacle_count = 2;
        for (std::size_t f = 0; f < 2; ++f) {
            const double t = 0.1 + double(f);
            r.frames[f].obstacles = {{PlaneShape{}, {0, t, 0}, from_rotation_vector({0, 0, t}), {0, 1, 0}, {0, 0, 1}},
                                     {BoxShape{{1, 2, 3}, true}, {t, 0, 0}, {}, {}, {}}};
            if (stress) r.frames[f].stress.assign(r.body->mesh().cell_count(), {t, 2, 3, 4, 5, 6});
        }
        const std::string bytes = bytes_of(r);
        EXPECT_EQ(bytes[16], 6);
        const Recording back = parse_recording(bytes, "r");
        ASSERT_EQ(back.frames.size(), 2u);
        EXPECT_EQ(back.obstacle_count, 2u);
        for (std::size_t f = 0; f < 2; ++f) {
            expect_same_frame(back.frames[f], r.frames[f]);
            EXPECT_EQ(back.frames[f].obstacles, r.frames[f].obstacles);
            EXPECT_EQ(back.frames[f].stress, r.frames[f].stress);
        }
        // Frames that do not keep what the head promises are not written.
        r.frames[1].obstacles.pop_back();
        expect_error(Fault::bad_usage, "/r", [&] { bytes_of(r); });
        r.frames[1].obstacles.push_back({BallShape{1}, {NAN, 0, 0}, {}, {}, {}});
        expect_error(Fault::bad_usage, "/r", [&] { bytes_of(r); });
        r.frames[1].obstacles[1] = {BallShape{1}, {}, {0, 0, 0, 0}, {}, {}};
        expect_error(Fault::bad_usage, "/r", [&] { bytes_of(r); });
    }
}

TEST(Recording, ObstaclesAreTheNumbersOfOldFiles) {
    Recording r = sample_recording(1);
    r.obstacle_count = 2;
    r.frames[0].obstacles = {{BoxShape{{1, 2, 3}, true}, {4, 5, 6}, {}, {7, 8, 9}, {10, 11, 12}},
                             {CapsuleShape{13, 14}, {}, {}, {}, {}}};
    ByteWriter old;
    for (const int byte : {1, 1}) old.u8(static_cast<std::uint8_t>(byte));  // a box, bodies inside
    for (const double v : {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 7, 8, 9, 10, 11, 12}) old.f64(v);
    for (const int byte : {3, 0}) old.u8(static_cast<std::uint8_t>(byte));
    for (const double v : {13, 14, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}) old.f64(v);
    const std::string bytes = bytes_of(r);
    EXPECT_NE(bytes.find(std::string(old.bytes().begin(), old.bytes().end())), std::string::npos);
}

TEST(Recording, ShapesThatDoNotExistAreRefused) {
    Recording r = sample_recording(1);
    r.obstacle_count = 1;
    r.frames[0].obstacles = {{BallShape{1}, {}, {}, {}, {}}};
    ByteWriter frame;
    save_frame(frame, r.frames[0], r);
    const std::size_t at = frame.bytes().size() - 2 - 16 * sizeof(double);  // the last thing in a frame without stress
    const auto refused = [&](std::size_t place, std::uint8_t byte, const char* words) {
        std::vector<std::uint8_t> bytes = frame.bytes();
        bytes[place] = byte;
        expect_error(Fault::bad_data, words, [&] {
            ByteReader in(bytes);
            load_frame(in, r);
        });
    };
    refused(at, 4, "shape of an obstacle 4; expected at most 3");
    refused(at + 1, 2, "0 or 1");
    refused(at + 1, 1, "an obstacle of shape 2 that keeps bodies inside; expected a box");
}

// A frame that lacks what the head promises, or holds infinity, would only be found out by the reader.
TEST(Recording, FramesWithoutThePromisedStressAreNotWritten) {
    const TemporaryFolder folder;
    Recording r = sample_recording(1);
    r.has_stress = true;
    expect_error(Fault::bad_usage, "/r", [&] { write_recording(folder.file("r"), r); });
    r.frames[0].stress.assign(r.body->mesh().cell_count(), {});
    r.frames[0].stress.back().zx = INFINITY;
    expect_error(Fault::bad_usage, "/r", [&] { write_recording(folder.file("r"), r); });
    EXPECT_EQ(folder.entries(), 0u);
}

TEST(Recording, WhatItIsShownByComesBackExactlyAndOlderFormatsStayWhatTheyWere) {
    Recording r = sample_recording(2);
    EXPECT_EQ(bytes_of(r)[16], 1);  // nothing new in the file of a recording without a surface
    r.shown = std::make_shared<const PaintedSurface>(sample_painted());
    EXPECT_EQ(bytes_of(r)[16], 3);
    const Recording back = parse_recording(bytes_of(r), "r");
    ASSERT_TRUE(back.shown);
    const PaintedSurface &a = *r.shown, &b = *back.shown;
    EXPECT_EQ(a.surface.vertices, b.surface.vertices);
    EXPECT_EQ(a.surface.faces, b.surface.faces);
    EXPECT_EQ(a.surface.face_starts, b.surface.face_starts);
    EXPECT_EQ(a.uvs, b.uvs);
    EXPECT_EQ(a.corner_uv, b.corner_uv);
    EXPECT_EQ(a.normals, b.normals);
    EXPECT_EQ(a.corner_normal, b.corner_normal);
    EXPECT_EQ(a.face_look, b.face_look);
    ASSERT_EQ(b.looks.size(), 1u);
    EXPECT_EQ(a.looks[0].name, b.looks[0].name);
    EXPECT_EQ(a.looks[0].base_color, b.looks[0].base_color);
    EXPECT_EQ(a.looks[0].base_map.picture, b.looks[0].base_map.picture);
    ASSERT_EQ(b.pictures.size(), 1u);
    EXPECT_EQ(a.pictures[0].bytes, b.pictures[0].bytes);
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(a.up, b.up);
    EXPECT_EQ(a.limit, b.limit);
    expect_same_head(r, back);
    ASSERT_EQ(back.frames.size(), 2u);
}

TEST(Recording, TheUnitAndAxisOfItsSourceComeBackWithAndWithoutASurface) {
    for (const bool shown : {false, true}) {
        for (const auto& [unit, up] : {std::pair{LengthUnit::mm, UpAxis::z}, std::pair{LengthUnit::m, UpAxis::z},
                                       std::pair{LengthUnit::ft, UpAxis::y}}) {
            Recording r = sample_recording(1);
            r.unit = unit;
            r.up = up;
            if (shown) r.shown = std::make_shared<const PaintedSurface>(sample_painted());
            EXPECT_EQ(bytes_of(r)[16], 4);
            const Recording back = parse_recording(bytes_of(r), "r");
            EXPECT_EQ(back.unit, unit);
            EXPECT_EQ(back.up, up);
            EXPECT_EQ(back.shown != nullptr, shown);
            expect_same_head(r, back);
            // A unit, an axis or a mark that is none, under a right checksum.
            ByteWriter head, surface;
            save_head(head, r);
            if (shown) save_shown(surface, *r.shown);
            for (std::size_t last = 1; last <= 3; ++last) {
                std::vector<std::uint8_t> bytes = head.bytes();
                bytes[bytes.size() - surface.bytes().size() - last] = 99;
                ByteReader in(bytes);
                SCOPED_TRACE(last);
                expect_error(Fault::bad_data, "r", [&] { load_head(in, 4); });
            }
        }
    }
}

TEST(Recording, ASurfaceFromOtherHandsIsReadOrRefusedInOneLine) {
    // Every byte of it wrong in turn, under a right checksum: indices, counts, units and lengths are all somebody's to
    // get wrong.
    Recording r = sample_recording(1);
    r.shown = std::make_shared<const PaintedSurface>(sample_painted());
    ByteWriter head, shown;
    save_head(head, r);
    save_shown(shown, *r.shown);
    int refused = 0;
    for (std::size_t i = head.bytes().size() - shown.bytes().size(); i < head.bytes().size(); ++i) {
        std::vector<std::uint8_t> bytes = head.bytes();
        bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ 0xff);
        ByteReader in(bytes);
        try {
            const Recording back = load_head(in, 3);
            check(*back.shown, {});
        } catch (const Error& e) {
            EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
}

/// The one file of the folder whose name ends in .tmp: what a kill would leave.
std::string temporary_in(const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".tmp") return entry.path().string();
    return {};
}

TEST(Recording, WhatAWriterHasAddedCanBeReadUnderItsTemporaryName) {
    const TemporaryFolder folder;
    const Recording r = sample_recording(2);
    {
        RecordingWriter writer(folder.file("r"), r);
        EXPECT_FALSE(std::filesystem::exists(folder.file("r")));
        EXPECT_EQ(read_recording(temporary_in(folder.file("."))).frames.size(), 0u);
        writer.add(r.frames[0]);
        Recording back = read_recording(temporary_in(folder.file(".")));
        expect_same_head(back, r);
        ASSERT_EQ(back.frames.size(), 1u);
        EXPECT_TRUE(back.cut_short);
        writer.add(r.frames[1]);
        writer.close();
        back = read_recording(folder.file("r"));
        ASSERT_EQ(back.frames.size(), 2u);
        expect_same_frame(back.frames[1], r.frames[1]);
        EXPECT_FALSE(back.cut_short);
        expect_error(Fault::bad_usage, "/r", [&] { writer.add(r.frames[1]); });
    }
    { RecordingWriter never_closed(folder.file("r"), r); }
    EXPECT_EQ(read_recording(folder.file("r")).frames.size(), 2u);  // the old one is untouched
    { RecordingWriter(folder.file("r"), r).close(true); }
    EXPECT_TRUE(read_recording(folder.file("r")).cut_short);
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(Recording, FramesThatDoNotFitOrAreNotFiniteAreRefused) {
    const TemporaryFolder folder;
    Recording r = sample_recording(1);
    RecordingWriter writer(folder.file("r"), r);
    Frame frame = r.frames[0];
    frame.displacement.pop_back();
    expect_error(Fault::bad_usage, "/r", [&] { writer.add(frame); });
    frame = r.frames[0];
    frame.velocity[3].y = std::nan("");
    expect_error(Fault::bad_usage, "/r", [&] { writer.add(frame); });
    frame = r.frames[0];
    frame.reactions[0].torque.z = INFINITY;
    expect_error(Fault::bad_usage, "/r", [&] { writer.add(frame); });
    frame = r.frames[0];
    frame.report.residual = std::nan("");  // a diverged solve: recorded as infinite
    writer.add(frame);
    writer.close();
    EXPECT_EQ(read_recording(folder.file("r")).frames.at(0).report.residual, INFINITY);
    r.body = nullptr;
    expect_error(Fault::bad_usage, "/s", [&] { write_recording(folder.file("s"), r); });
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(Recording, MissingFilesFoldersAndEmptyFilesAreOneLineErrors) {
    const TemporaryFolder folder;
    expect_error(Fault::bad_file, "/none", [&] { read_recording(folder.file("none")); });
    expect_error(Fault::bad_file, folder.file(""), [&] { read_recording(folder.file("")); });
    write_file(folder.file("empty"), "");
    expect_error(Fault::bad_file, "/empty", [&] { read_recording(folder.file("empty")); });
}

}  // namespace
}  // namespace limber
