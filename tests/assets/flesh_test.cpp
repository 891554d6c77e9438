// Flesh parts of the humanoid: what is cut out of it, what holds it, and how its bones carry it.
#include <limber/error.hpp>
#include <limber/tools/assets.hpp>
#include <limber/tools/flesh.hpp>
#include <limber/tools/solid.hpp>

#include "geometry/cell_topology.hpp"
#include "geometry/segment.hpp"
#include "rig/flesh_region.hpp"
#include "rig/flesh_trial.hpp"
#include "rig/posed_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace limber {
namespace {

/// The humanoid with a belly painted on its front: full within 9 cm of the navel, none beyond 16 cm.
Rig painted_humanoid() {
    Rig rig = make_humanoid(3000);
    for (SkinPart& part : rig.parts) {
        Paint paint{"_NAVEL", {}};
        for (const Vec3& p : part.positions)
            paint.values.push_back(std::clamp((0.16 - norm(p - Vec3{0, 1.05, 0.12})) / 0.07, 0.0, 1.0));
        part.paint.push_back(paint);
    }
    return rig;
}

std::vector<FleshPart> flesh_of(const Rig& rig, const std::vector<std::string>& lines,
                                FleshSettings settings = {.cells = 3000}) {
    std::vector<Region> regions;
    for (const std::string& line : lines) regions.push_back(parse_region(line));
    Progress quiet;
    return make_flesh(rig, regions, settings, quiet);
}

/// Made once: several tests ask different things about it.
const Rig& humanoid() {
    static const Rig rig = painted_humanoid();
    return rig;
}
const FleshPart& thigh() {
    static const FleshPart part = flesh_of(humanoid(), {"thigh=bone:thigh_l"})[0];
    return part;
}
const FleshPart& belly() {
    static const FleshPart part = flesh_of(humanoid(), {"belly=paint:_NAVEL"})[0];
    return part;
}

bool in(const IndexSet& set, std::int32_t v) { return std::binary_search(set.begin(), set.end(), v); }

std::string refusal(const Rig& rig, const std::vector<std::string>& lines, FleshSettings settings = {.cells = 3000}) {
    try {
        flesh_of(rig, lines, settings);
    } catch (const Error& error) {
        return error.what();
    }
    return "no refusal";
}

void expect_closed_manifold(const FleshPart& part) {
    const Boundary b = boundary_of(part.mesh);
    std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
    std::map<std::int32_t, std::map<std::int32_t, std::int32_t>>
        next;  // around each vertex: from one far end to the other
    for (std::size_t f = 0; f < b.facet_count(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t v = b.facets[3 * f + k], to = b.facets[3 * f + (k + 1) % 3],
                               from = b.facets[3 * f + (k + 2) % 3];
            ++edges[{v, to}];
            next[v][to] = from;
        }
    }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1u) << part.name << " is open at an edge";
    }
    for (const auto& [v, around] : next) {
        std::size_t length = 0;
        for (std::int32_t at = around.begin()->first; length == 0 || at != around.begin()->first; at = around.at(at))
            if (++length > around.size()) break;
        EXPECT_EQ(length, around.size()) << part.name << " touches itself at vertex " << v;
    }
}

TEST(Flesh, APartIsOneClosedSolidOfGoodCells) {
    // A staircase of cells easily hangs together by an edge, and the bone's tunnel may touch the seam in a point.
    for (const FleshPart* part : {&thigh(), &belly()}) {
        EXPECT_EQ(part->pieces, 1u);
        EXPECT_GT(part->mesh.cell_count(), 2500u);
        EXPECT_LT(part->mesh.cell_count(), 3500u);
        EXPECT_GT(part->smallest_angle, 8.0);
        EXPECT_NEAR(measure_of(part->mesh), part->volume, 1e-12);
        for (std::size_t c = 0; c < part->mesh.cell_count(); ++c) ASSERT_GT(cell_measure(part->mesh, c), 0.0);
        expect_closed_manifold(*part);
    }
}

TEST(Flesh, EveryFaceThatIsNotSkinIsHeld) {
    // The skin is where the character's own surface is; every other face was cut, through the seam or along a bone.
    const Pose bind = bind_pose(humanoid());
    Progress quiet;
    const CharacterSkin skin(humanoid(), bind, quiet);
    for (const FleshPart* part : {&thigh(), &belly()}) {
        const Boundary b = boundary_of(part->mesh);
        const auto& sets = part->mesh.vertex_sets;
        std::size_t cut = 0;
        for (std::size_t f = 0; f < b.facet_count(); ++f) {
            Vec3 middle;
            bool held = true;
            for (std::size_t k = 0; k < 3; ++k) {
                middle += part->mesh.vertices[static_cast<std::size_t>(b.facets[3 * f + k])] / 3.0;
                held = held && in(part->held, b.facets[3 * f + k]);
            }
            if (skin.distance(middle) < 0.25 * part->cell_size) continue;
            ++cut;
            EXPECT_TRUE(held) << part->name << " has a free cut face";
        }
        EXPECT_GT(cut, 50u);
        EXPECT_EQ(sets.at("held").size() + sets.at("free").size(), part->mesh.vertices.size());
        for (const std::int32_t v : sets.at("seam")) EXPECT_TRUE(in(sets.at("held"), v));
        for (const std::int32_t v : sets.at("bone")) EXPECT_TRUE(in(sets.at("held"), v));
        EXPECT_GT(sets.at("free").size(), part->mesh.vertices.size() / 3);
    }
    EXPECT_GT(thigh().mesh.vertex_sets.at("bone:thigh_l").size(), 40u);
    EXPECT_EQ(belly().mesh.vertex_sets.at("bone").size() > 0, !belly().bones.empty());
}

TEST(Flesh, NoAxisOfABoneRunsThroughAnyCell) {
    // Cells are larger than thin bones: those that the axis passes without their middle being near must go too.
    const FleshPart part = flesh_of(humanoid(), {"thigh=bone:thigh_l"}, {.cells = 1500, .bone_radius = 0.004})[0];
    ASSERT_FALSE(part.bones.empty());
    for (const FleshPart* p : {&part, &thigh()}) {
        for (const FleshBone& bone : p->bones) {
            for (std::size_t c = 0; c < p->mesh.cell_count(); ++c) {
                for (int i = 0; i <= 200; ++i) {
                    const Vec3 x = bone.from + (bone.to - bone.from) * (i / 200.0);
                    bool inside = true;
                    for (const LocalFacet& f : facets_of(CellKind::tet4)) {
                        const auto at = [&](std::size_t k) {
                            return p->mesh.vertices[static_cast<std::size_t>(p->mesh.cell(c)[f.corner[k]])];
                        };
                        inside = inside && dot(cross(at(1) - at(0), at(2) - at(0)), x - at(0)) < -1e-15;
                    }
                    ASSERT_FALSE(inside) << "cell " << c;
                }
            }
        }
    }
}

TEST(Flesh, PartsThatCoverACharacterAddUpToIt) {
    // Each part has a lattice of its own; what one gives away another must have. All joints, in three regions.
    const std::vector<FleshPart> parts = flesh_of(
        humanoid(), {"left=bone:*_l", "right=bone:*_r", "middle=bone:hips+bone:spine+bone:chest+bone:head"},
        {.cell_size = 0.04, .threshold = 0.2});
    const NamedSurface whole{{}, posed_surface(humanoid(), bind_pose(humanoid()))};
    Progress quiet;
    const double truth = make_solid(std::span(&whole, 1), {.cell_size = 0.04}, quiet).volume;
    double sum = 0.0;
    for (const FleshPart& part : parts) sum += part.volume + part.bone_volume;
    EXPECT_NEAR(sum / truth, 1.0, 0.02);
}

TEST(Flesh, CellsOfARegionAreSharedOutToTheLast) {
    // Flesh, bones and rest are one solid between them, whatever the repairs gave away.
    const Region region = parse_region("thigh=bone:thigh_l");
    const FleshSettings settings{.cells = 2000};
    Progress quiet;
    const FleshGround ground(humanoid(), std::span(&region, 1), settings, quiet);
    const FleshCells cells = fill_region(ground, 0, quiet);
    const FleshPart part = flesh_of(humanoid(), {"thigh=bone:thigh_l"}, settings)[0];
    EXPECT_NEAR(part.volume + part.bone_volume + part.rest_volume, measure_of(cells.mesh), 1e-12);
    for (const double f : part.freedom) EXPECT_TRUE(f >= 0.0 && f <= 1.0);
}

TEST(Flesh, AThighKeepsItsShapeWhenTheCharacterIsTurnedOrScaled) {
    // The lattice stays with the axes, so cells differ; the part must not: same volume, same middle, same shares held.
    const auto middle = [](const FleshPart& p) {
        Vec3 sum;
        for (std::size_t c = 0; c < p.mesh.cell_count(); ++c) {
            for (int k = 0; k < 4; ++k) {
                sum += p.mesh.vertices[static_cast<std::size_t>(p.mesh.cell(c)[k])] *
                       (cell_measure(p.mesh, c) / (4 * p.volume));
            }
        }
        return sum;
    };
    Rig turned = humanoid();
    const Quat q = from_rotation_vector({0.3, 0.7, -0.4});
    turned.joints[0].rest.rotation = q * turned.joints[0].rest.rotation;
    turned.joints[0].rest.translation = to_matrix(q) * turned.joints[0].rest.translation;
    const FleshPart a = flesh_of(turned, {"thigh=bone:thigh_l"})[0];
    EXPECT_NEAR(a.volume / thigh().volume, 1.0, 0.03);
    EXPECT_LT(norm(middle(a) - to_matrix(q) * middle(thigh())), 0.01);
    EXPECT_NEAR(a.bone_volume / thigh().bone_volume, 1.0, 0.35);  // few cells make the bone
    Rig large = humanoid();
    scale_rig(large, 7.0);
    const FleshPart b = flesh_of(large, {"thigh=bone:thigh_l"})[0];
    EXPECT_NEAR(b.volume / (343.0 * thigh().volume), 1.0, 1e-6);
    EXPECT_EQ(b.mesh.cells, thigh().mesh.cells);
}

TEST(Flesh, TheSkinRidesWithoutACrackAtTheSeam) {
    // Blend 0 at the region's end, 1 well inside, and skin vertices where the solid is: at rest each sits on the point
    // that carries it.
    std::size_t full = 0;
    for (const FleshSkinVertex& s : belly().skin) {
        const SkinPart& part = humanoid().parts[static_cast<std::size_t>(s.part)];
        const double freedom = part.paint.back().values[static_cast<std::size_t>(s.vertex)];
        EXPECT_GT(freedom, 0.5);
        EXPECT_EQ(s.blend >= 1.0, freedom >= 0.75);
        full += s.blend >= 1.0 ? 1 : 0;
        Vec3 at;
        double sum = 0.0;
        for (std::size_t k = 0; k < 4; ++k) {
            at += s.weight[k] * belly().mesh.vertices[static_cast<std::size_t>(s.corner[k])];
            sum += s.weight[k];
            EXPECT_GE(s.weight[k], 0.0);
        }
        EXPECT_NEAR(sum, 1.0, 1e-12);
        EXPECT_LT(norm(at - part.positions[static_cast<std::size_t>(s.vertex)]), belly().cell_size);
    }
    EXPECT_GT(full, 8u);
    // Freer is never less blended.
    std::vector<std::pair<double, double>> pairs;
    for (const FleshSkinVertex& s : belly().skin) {
        pairs.emplace_back(
            humanoid().parts[static_cast<std::size_t>(s.part)].paint.back().values[static_cast<std::size_t>(s.vertex)],
            s.blend);
    }
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 1; i < pairs.size(); ++i) EXPECT_GE(pairs[i].second, pairs[i - 1].second);
}

TEST(Flesh, OfOverlappingRegionsTheFreerHasTheCellAndTheFirstOfEquals) {
    const std::vector<FleshPart> nested = flesh_of(humanoid(), {"thigh=bone:thigh_l", "leg=bone:thigh_l+bone:shin_l"},
                                                   {.cell_size = 0.035});
    EXPECT_NEAR(nested[0].volume / thigh().volume, 1.0,
                0.25);  // the thigh has its own, but for the knee, where both bones together are freer
    std::set<std::pair<std::int32_t, std::int32_t>> first;
    for (const FleshSkinVertex& s : nested[0].skin) first.insert({s.part, s.vertex});
    for (const FleshSkinVertex& s : nested[1].skin)
        EXPECT_EQ(first.count({s.part, s.vertex}), 0u) << "two parts move one vertex";
    EXPECT_NE(
        refusal(humanoid(), {"a=bone:thigh_l", "b=bone:thigh_l"}, {.cell_size = 0.04}).find("belongs to other regions"),
        std::string::npos);
}

TEST(Flesh, WhatIsNoSolidIsRefusedInOneLine) {
    const auto refuses = [](const std::string& message, const char* words) {
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    Rig bones = humanoid();
    bones.parts.clear();
    refuses(refusal(bones, {"a=ball:0,1,0,1"}), "no skin");
    refuses(refusal(humanoid(), {"spine=bone:spine"}), "no vertex is freer than 0.5");
    refuses(refusal(humanoid(), {"a=bone:*"}, {.cell_size = 0.06, .bone_radius = 0.0}), "nothing holds it");
    refuses(refusal(humanoid(), {"a=bone:thigh_l"}, {.cell_size = 0.04, .bone_radius = 1.0}), "bones take all");
    refuses(refusal(humanoid(), {"a=bone:hand_l"}, {.cell_size = 0.04}), "are thinner than");
    refuses(refusal(humanoid(), {"a=bone:thigh_l"}, {.cells = 1'000'000'000}), "1 to 2e7 cells");
    refuses(refusal(humanoid(), {"a=bone:thigh_l"}, {.cell_size = 1e-7}), "larger or fewer cells");
    refuses(refusal(humanoid(), {"a=bone:thigh_l"}, {.cells = 3000, .threshold = 1.0}), "threshold");
    refuses(refusal(humanoid(), {}), "no region");
}

TEST(Flesh, TheCellsThatARefusalNamesWouldDo) {
    for (const char* line : {"hand=bone:hand_l", "foot=bone:foot_r"}) {
        const std::string message = refusal(humanoid(), {line}, {.cells = 60});
        const std::size_t at = message.find("--cells ");
        ASSERT_NE(at, std::string::npos) << message;
        EXPECT_NE(message.find("'" + std::string(line).substr(0, 4)), std::string::npos) << message;
        const int cells = std::stoi(message.substr(at + 8));
        EXPECT_GT(cells, 60);
        EXPECT_EQ(refusal(humanoid(), {line}, {.cells = cells}), "no refusal") << message;
    }
}

TEST(Flesh, ATrialKnowsWhatBecomesFlesh) {
    Progress quiet;
    const std::vector<FleshTrial> trials = try_flesh(
        humanoid(), {"thigh=bone:thigh_l", "belly=paint:_NAVEL", "spine=bone:spine", "none=bone:nobody"}, quiet);
    ASSERT_EQ(trials.size(), 4u);
    EXPECT_EQ(trials[0].why, "");
    EXPECT_EQ(trials[1].why, "");
    EXPECT_NE(trials[2].why.find("no vertex is freer"), std::string::npos) << trials[2].why;
    EXPECT_NE(trials[3].why.find("no bone matches"), std::string::npos) << trials[3].why;
    Rig bones = humanoid();
    bones.parts.clear();
    EXPECT_NE(try_flesh(bones, {"a=bone:head"}, quiet)[0].why.find("no skin"), std::string::npos);
}

}  // namespace
}  // namespace limber
