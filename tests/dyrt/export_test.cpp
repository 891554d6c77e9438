// The exported character against the one it came from: what the tracks say must be what skin and morphs show.
#include "dyrt_fixtures.hpp"

#include "dyrt/export_choice.hpp"
#include "dyrt/limber_dyrt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace limber {
namespace {

using Client = DyrtExport::Client;

/// A thigh and a bulge that overlaps it, so that some triangles belong to one, some to the other and some to both; with
/// a morph of its own that the first clip moves.
struct Character {
    Rig rig;
    std::vector<DyrtPart> parts;
    std::vector<std::vector<DyrtTrack>> tracks;
};

Rig smiling(Rig rig) {
    Joint holder;
    holder.name = "body";
    rig.joints.push_back(holder);
    for (SkinPart& p : rig.parts) {
        p.joint = static_cast<std::int32_t>(rig.joints.size()) - 1;
        Morph smile{"smile", std::vector<Vec3>(p.positions.size()), {}, 0.25};
        for (std::size_t v = 0; v < p.positions.size(); ++v)
            smile.positions[v] = Vec3{0.01 * p.positions[v].y, 0.0, 0.002};
        p.morphs.push_back(smile);
    }
    Channel curve;
    curve.joint = static_cast<std::int32_t>(rig.joints.size()) - 1;
    curve.target = Channel::Target::weights;
    curve.times = {0.0, 0.1234, rig.clips[0].duration};
    curve.values = {0.0, 1.0, 0.5};
    rig.clips[0].channels.push_back(curve);
    return rig;
}

Character made_of(const std::string& second, bool layered) {
    Character c;
    c.rig = smiling(humanoid());
    const std::vector<Region> regions{parse_region("thigh=bone:thigh_l"), parse_region(second)};
    Progress quiet;
    FleshSettings flesh;
    flesh.cells = 1500;
    c.parts = make_dyrt(
        c.rig, layered ? layered_flesh(c.rig, regions, flesh, quiet) : make_flesh(c.rig, regions, flesh, quiet), fat(4),
        quiet);
    c.tracks.resize(c.rig.clips.size());
    for (const DyrtPart& p : c.parts)
        c.tracks[0].push_back(bake_clip(c.rig, p, 0, {}));  // the second clip stays as it is
    return c;
}

const Character& character() {
    static const Character made = made_of("bulge=ball:0.1,0.70,0,0.15", true);
    return made;
}

/// A thigh and the calf below it: they meet, but have no vertex in common.
const Character& leg() {
    static const Character made = made_of("calf=bone:shin_l", false);
    return made;
}

DyrtExported exported(Client client, bool whole = false, const Character& c = character()) {
    return dyrt_rig(c.rig, c.parts, c.tracks, {client, whole});
}

/// The source with kept oscillators added by hand at a frame of the first clip.
Rig displaced(const Character& c, const DyrtExported& e, std::size_t frame) {
    Rig out = c.rig;
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        const DyrtPart& part = c.parts[p];
        const DyrtTrack& track = c.tracks[0][p];
        for (std::size_t k = 0; k < part.count(); ++k) {
            for (std::size_t i = 0; e.kept[p][k] && i < part.vertices.size(); ++i) {
                if (e.still[p][i]) continue;
                SkinPart& s = out.parts[static_cast<std::size_t>(part.vertices[i].part)];
                const auto v = static_cast<std::size_t>(part.vertices[i].vertex);
                const double q = track.amplitudes[frame * part.count() + k];
                s.positions[v] += part.displacements[k * part.vertices.size() + i] * q;
                if (e.normals) s.normals[v] += part.corrections[k * part.vertices.size() + i] * q;
            }
        }
    }
    return out;
}

/// The same by the C library: it reads the .dyrt file and is given the amplitudes.
Rig displaced_live(const Character& c, const DyrtExported& e, std::size_t frame) {
    const std::string bytes = format_dyrt(c.rig, c.parts, e.scales);
    limber_dyrt_asset* asset = nullptr;
    EXPECT_EQ(limber_dyrt_load(bytes.data(), bytes.size(), &asset), LIMBER_DYRT_OK);
    std::vector<std::vector<float>> amplitudes;
    std::vector<const float*> each;
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        const double* q = c.tracks[0][p].amplitudes.data() + frame * c.parts[p].count();
        amplitudes.emplace_back(q, q + c.parts[p].count());
        each.push_back(amplitudes.back().data());
    }
    Rig out = c.rig;
    for (std::size_t s = 0; s < out.parts.size(); ++s) {
        std::vector<float> x, n;
        for (const Vec3& v : out.parts[s].positions)
            x.insert(x.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
        for (const Vec3& v : out.parts[s].normals)
            n.insert(n.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
        EXPECT_EQ(limber_dyrt_apply(asset, static_cast<int>(s), each.data(), 0, x.data(), n.data(),
                                    static_cast<int>(out.parts[s].positions.size())),
                  LIMBER_DYRT_OK);
        for (std::size_t v = 0; v < out.parts[s].positions.size(); ++v) {
            out.parts[s].positions[v] = {x[3 * v], x[3 * v + 1], x[3 * v + 2]};
            out.parts[s].normals[v] = {n[3 * v], n[3 * v + 1], n[3 * v + 2]};
        }
    }
    limber_dyrt_free(asset);
    return out;
}

/// The largest distance of positions, and of normals, at 20 frames.
std::pair<double, double> distance(const DyrtExported& e, const Character& c = character(), bool live = false) {
    double worst = 0.0, turned = 0.0;
    const std::vector<double>& times = c.tracks[0][0].times;
    for (std::size_t n = 0; n < 20; ++n) {
        const std::size_t f = n * (times.size() - 1) / 19;
        const Rig by_hand = live ? displaced_live(c, e, f) : displaced(c, e, f);
        const Pose pose = pose_at(by_hand, 0, times[f]), own = pose_at(e.rig, 0, times[f]);
        std::vector<std::vector<Vec3>> x, m;
        for (std::size_t s = 0; s < by_hand.parts.size(); ++s) {
            x.emplace_back(by_hand.parts[s].positions.size());
            m.emplace_back(by_hand.parts[s].positions.size());
            skin(by_hand, s, pose, x.back(), m.back());
        }
        for (std::size_t s = 0; s < e.rig.parts.size(); ++s) {
            std::vector<Vec3> y(e.rig.parts[s].positions.size()), l(y.size());
            skin(e.rig, s, own, y, l);
            for (std::size_t v = 0; v < y.size(); ++v) {
                const auto part = static_cast<std::size_t>(e.source[s]),
                           source = static_cast<std::size_t>(e.vertices[s][v]);
                worst = std::max(worst, norm(y[v] - x[part][source]));
                turned = std::max(turned, norm(l[v] - m[part][source]));
            }
        }
    }
    return {worst, turned};
}

// Every way of cutting, naming and splitting must show the same character: a lost vertex, a wrong scale or a target on
// the wrong mesh would not.
TEST(DyrtExport, VerticesAreThoseOfTheTracksWhateverTheClient) {
    for (const Client client : {Client::any, Client::three, Client::blender}) {
        for (const bool whole : {false, true}) {
            const DyrtExported e = exported(client, whole);
            check_rig(e.rig);
            const auto [worst, turned] = distance(e);
            EXPECT_LT(worst, 1e-9) << to_string(client) << whole;
            EXPECT_LT(turned, 1e-9) << to_string(client) << whole;
        }
    }
}

TEST(DyrtExport, EveryTriangleIsThereOnceAndFleshHasNodesOfItsOwn) {
    const DyrtExported e = exported(Client::three);
    std::map<std::pair<std::int32_t, std::array<std::int32_t, 3>>, int> seen;
    std::map<std::int32_t, std::string> flesh;  // by joint
    for (std::size_t s = 0; s < e.rig.parts.size(); ++s) {
        for (const auto& t : e.rig.parts[s].triangles) {
            std::array<std::int32_t, 3> corners{};
            for (std::size_t k = 0; k < 3; ++k) corners[k] = e.vertices[s][static_cast<std::size_t>(t[k])];
            ++seen[{e.source[s], corners}];
        }
        const auto joint = static_cast<std::size_t>(e.rig.parts[s].joint);
        if (joint >= character().rig.joints.size())
            flesh[e.rig.parts[s].joint] = e.rig.joints[joint].name;
        else
            EXPECT_EQ(e.rig.parts[s].morphs.size(), 1u);  // the rest keeps its smile and nothing else
    }
    std::size_t triangles = 0;
    for (std::size_t p = 0; p < character().rig.parts.size(); ++p) {
        for (const auto& t : character().rig.parts[p].triangles) {
            ++triangles;
            EXPECT_EQ((seen[{static_cast<std::int32_t>(p), t}]), 1);
        }
    }
    EXPECT_EQ(seen.size(), triangles);
    std::vector<std::string> names;
    for (const auto& [joint, name] : flesh) names.push_back(name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"flesh_bulge", "flesh_thigh", "flesh_thigh_and_bulge"}));
    EXPECT_EQ(exported(Client::three, true).rig.joints.size(), character().rig.joints.size());
}

// Vertices at one place, in however many meshes they are, must stay at one place; eight attributes force targets out,
// which must be the same in all.
double largest_crack(const Character& c) {
    const DyrtExported e = exported(Client::any, false, c);
    const Pose rest = rest_pose(c.rig);
    std::vector<std::vector<Vec3>> home;
    for (std::size_t p = 0; p < c.rig.parts.size(); ++p) {
        home.emplace_back(c.rig.parts[p].positions.size());
        skin(c.rig, p, rest, home.back());
    }
    double crack = 0.0;
    const std::vector<double>& times = c.tracks[0][0].times;
    for (std::size_t f = 0; f < times.size(); f += 7) {
        const Pose pose = pose_at(e.rig, 0, times[f]);
        std::map<std::tuple<double, double, double>, Vec3> places;
        for (std::size_t s = 0; s < e.rig.parts.size(); ++s) {
            std::vector<Vec3> x(e.rig.parts[s].positions.size());
            skin(e.rig, s, pose, x);
            for (std::size_t v = 0; v < x.size(); ++v) {
                const Vec3& at = home[static_cast<std::size_t>(e.source[s])]
                                     [static_cast<std::size_t>(e.vertices[s][v])];
                const auto [found, fresh] = places.emplace(std::tuple{at.x, at.y, at.z}, x[v]);
                if (!fresh) crack = std::max(crack, norm(found->second - x[v]));
            }
        }
    }
    return crack;
}

TEST(DyrtExport, NothingCracks) {
    EXPECT_LT(largest_crack(character()), 1e-9);
    EXPECT_LT(largest_crack(leg()), 1e-9);
}

// Where two parts meet, eight targets for both would be four for each: rather the row of vertices between them stands
// still, where they hardly move.
TEST(DyrtExport, PartsThatMeetDoNotCrowdEachOtherOut) {
    const DyrtExported e = exported(Client::any, false, leg());
    for (const SkinPart& s : e.rig.parts) EXPECT_LE(s.morphs.size(), 8u);
    for (std::size_t p = 0; p < 2; ++p) {
        EXPECT_EQ(std::count(e.kept[p].begin(), e.kept[p].end(), char{1}), 7);  // and the smile
        EXPECT_GT(std::count(e.still[p].begin(), e.still[p].end(), char{1}), 0);
    }
    std::vector<TargetContribution> worth;
    for (std::size_t p = 0; p < 2; ++p)
        worth.emplace_back(leg().parts[p], p, leg().tracks, std::vector<char>(leg().parts[p].vertices.size(), 0));
    const TargetLimit both{{0, 1}, 7};
    const std::vector<std::vector<char>> crowded = choose_targets(leg().parts, worth, std::span(&both, 1));
    const double lost = std::max(worth[0].lost(crowded[0]), worth[1].lost(crowded[1]));
    EXPECT_LT(std::max(e.dropped[0], e.dropped[1]), 0.7 * lost) << lost;
    EXPECT_LT(distance(e, leg()).first, 1e-9);
    for (const Joint& j : e.rig.joints) EXPECT_NE(j.name, "flesh_thigh_and_calf");
    const DyrtExported three = exported(Client::three, false, leg());
    EXPECT_TRUE(std::any_of(three.rig.joints.begin(), three.rig.joints.end(),
                            [](const Joint& j) { return j.name == "flesh_thigh_and_calf"; }));
    EXPECT_EQ(three.dropped, (std::vector<double>{0.0, 0.0}));
}

const Channel* weights_of(const Rig& rig, std::size_t clip, std::int32_t joint) {
    for (const Channel& c : rig.clips[clip].channels)
        if (c.target == Channel::Target::weights && c.joint == joint) return &c;
    return nullptr;
}

TEST(DyrtExport, WeightsReachOneAndRepeat) {
    for (const Client client : {Client::any, Client::blender}) {
        const DyrtExported e = exported(client);
        const double low = client == Client::blender ? 0.0 : -1.0;
        for (const SkinPart& part : e.rig.parts) {
            if (part.morphs.size() < 2) continue;
            const Channel* c = weights_of(e.rig, 0, part.joint);
            ASSERT_NE(c, nullptr);
            const std::size_t width = part.morphs.size();
            ASSERT_EQ(c->width(), width);
            std::map<std::string, double> reach;
            for (std::size_t i = 0; i < c->values.size(); ++i) {
                if (i % width == 0) continue;  // the smile
                EXPECT_GE(c->values[i], low);
                EXPECT_LE(c->values[i], 1.0);
                std::string name = part.morphs[i % width].name;
                if (client == Client::blender) name.pop_back();
                reach[name] = std::max(reach[name], std::abs(c->values[i]));
            }
            for (const auto& [name, most] : reach) EXPECT_DOUBLE_EQ(most, 1.0) << name;
            for (std::size_t m = 1; m < width; ++m) EXPECT_EQ(c->values[m], c->values[c->values.size() - width + m]);
            // A clip that was not baked: the targets are still, and the smile is the source's.
            EXPECT_EQ(weights_of(e.rig, 1, part.joint), nullptr);
        }
    }
}

// Blender clamps to [0, 1]; two one-sided curves must add up to the two-sided one between keys as well, where they
// cross 0.
TEST(DyrtExport, BlendersTwoSidesSumToTheWhole) {
    const DyrtExported split = exported(Client::blender, true), plain = exported(Client::three, true);
    for (const double time : {0.0, 0.0171, 0.1, 0.1234, 0.333, 0.6007}) {
        const Pose a = pose_at(split.rig, 0, time), b = pose_at(plain.rig, 0, time);
        ASSERT_EQ(split.rig.parts.size(), plain.rig.parts.size());
        for (std::size_t s = 0; s < plain.rig.parts.size(); ++s) {
            EXPECT_NEAR(a.weights[s][0], b.weights[s][0], 1e-15);
            for (std::size_t m = 1; m < b.weights[s].size(); ++m) {
                EXPECT_NEAR(a.weights[s][2 * m - 1] - a.weights[s][2 * m], b.weights[s][m], 1e-14);
                EXPECT_EQ(split.rig.parts[s].morphs[2 * m - 1].name, plain.rig.parts[s].morphs[m].name + "+");
                EXPECT_EQ(split.rig.parts[s].morphs[2 * m].name, plain.rig.parts[s].morphs[m].name + "-");
            }
        }
    }
}

// What is printed as lost must be what is lost, summed the slow way.
void check_dropped(const Character& c) {
    const DyrtExported e = exported(Client::any, false, c);
    for (const SkinPart& s : e.rig.parts) EXPECT_LE(s.morphs.size(), 8u);
    EXPECT_FALSE(e.normals);
    EXPECT_GE(e.notes.size(), 3u);
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        const DyrtPart& part = c.parts[p];
        const DyrtTrack& track = c.tracks[0][p];
        const std::size_t n = part.vertices.size(), m = part.count();
        EXPECT_GE(std::count(e.kept[p].begin(), e.kept[p].end(), char{1}), 1);
        EXPECT_LT(std::count(e.kept[p].begin(), e.kept[p].end(), char{1}), static_cast<std::ptrdiff_t>(m));
        double lost = 0.0, all = 0.0;
        for (std::size_t f = 0; f < track.times.size(); ++f) {
            for (std::size_t v = 0; v < n; ++v) {
                Vec3 without, whole;
                for (std::size_t k = 0; k < m; ++k) {
                    const Vec3 u = part.displacements[k * n + v] * track.amplitudes[f * m + k];
                    whole += u;
                    if (!e.kept[p][k] || e.still[p][v]) without += u;
                }
                lost += norm2(without);
                all += norm2(whole);
            }
        }
        EXPECT_GT(e.dropped[p], 0.0);
        EXPECT_LT(e.dropped[p], 0.5);
        EXPECT_NEAR(e.dropped[p], std::sqrt(lost / all), 1e-9);
    }
}

TEST(DyrtExport, TheDroppedShareIsWhatItSays) {
    check_dropped(character());
    check_dropped(leg());
}

// Without clips there is nothing to scale by: the targets are the tables themselves, for live use.
TEST(DyrtExport, WithoutClipsTargetsAreTheTables) {
    const DyrtExported e = dyrt_rig(character().rig, character().parts, {}, {Client::three, false});
    for (const std::vector<double>& part : e.scales)
        for (const double s : part) EXPECT_EQ(s, 1.0);
    check_rig(e.rig);
    const auto flesh = std::find_if(e.rig.parts.begin(), e.rig.parts.end(),
                                    [](const SkinPart& s) { return s.morphs.size() > 1; });
    const Channel* own = weights_of(e.rig, 0, flesh->joint);
    ASSERT_NE(own, nullptr);  // its smile is moved by the clip all the same
    EXPECT_EQ(own->times, (std::vector<double>{0.0, 0.1234, character().rig.clips[0].duration}));
}

// A belt over the belly, with no paint of its own, must go where the skin below it goes; a hat must not.
TEST(DyrtExport, GarmentsGetTheModesOfTheSkinBelowThem) {
    Rig rig = humanoid();
    const std::size_t skins = rig.parts.size();
    for (std::size_t p = 0; p < skins; ++p) {
        SkinPart garment = rig.parts[p];
        garment.name = "garment";
        garment.paint.clear();
        for (std::size_t v = 0; v < garment.positions.size(); ++v) garment.positions[v] += garment.normals[v] * 0.008;
        rig.parts.push_back(std::move(garment));
    }
    Progress quiet;
    FleshSettings settings;
    settings.cells = 3000;
    const std::vector<Region> regions{parse_region("belly=paint:_BELLY")};
    const DyrtPart part = std::move(make_dyrt(rig, make_flesh(rig, regions, settings, quiet), fat(2), quiet)[0]);
    std::map<std::pair<std::int32_t, std::int32_t>, Vec3> moved;
    for (std::size_t i = 0; i < part.vertices.size(); ++i)
        moved[{part.vertices[i].part, part.vertices[i].vertex}] = part.displacements[i];
    std::size_t pairs = 0;
    double apart = 0.0;
    for (const auto& [place, u] : moved) {
        if (place.first >= static_cast<std::int32_t>(skins) || norm(u) < 0.3) continue;
        const auto above = moved.find({place.first + static_cast<std::int32_t>(skins), place.second});
        ASSERT_NE(above, moved.end());
        apart = std::max(apart, norm(above->second - u));
        ++pairs;
    }
    EXPECT_GT(pairs, 20u);
    EXPECT_LT(apart, 0.25);  // of the largest displacement: the garment is outside, where modes are larger
    for (const auto& [place, u] : moved) {
        EXPECT_GT(rig.parts[static_cast<std::size_t>(place.first)].positions[static_cast<std::size_t>(place.second)].y,
                  0.7);
    }
}

// Two ways to the same picture: a client that plays the exported file, and an engine that calls the C library.
TEST(DyrtExport, VerticesAreWhereTheCLibraryPutsThem) {
    const auto [worst, turned] = distance(exported(Client::three), character(), true);
    EXPECT_LT(worst, 2e-6);  // [m]: 32 bits; the bar is 1e-4 of the body's size
    EXPECT_LT(turned, 1e-4);
}

}  // namespace
}  // namespace limber
