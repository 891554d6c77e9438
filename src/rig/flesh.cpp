// From labelled cells to flesh parts: sets, what holds them, and the skin that rides on them.
#include <limber/tools/flesh.hpp>

#include "core/joined.hpp"
#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/embedding.hpp"
#include "geometry/tet_quality.hpp"
#include "rig/flesh_draft.hpp"
#include "rig/flesh_region.hpp"
#include "rig/flesh_thickness.hpp"
#include "rig/flesh_weights.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kFullAt = 0.5;  // of the way from the threshold to 1: from there on the skin moves as the solid does
constexpr double kTrialThick = 3.5;    // for a trial with few cells, which knows less: what it offers must hold
constexpr double kFewOfIt = 0.03;      // of its skin or cells: what is not worth a warning
constexpr std::size_t kFewCrumbs = 3;  // each is smaller than FleshSettings::least_piece
constexpr double kLittleSeam = 0.1;    // of the vertices on its skin
constexpr double kFarSkin = 2.0;       // cells: skin farther than this from the part does not belong to it

enum class Side { inner, skin, seam, bone };

Side side_of(const FleshCells& cells, std::int32_t behind) {
    if (behind < 0) return Side::skin;
    const std::int32_t label = cells.label[static_cast<std::size_t>(behind)];
    return label == kFlesh ? Side::inner : label == kRest ? Side::seam : Side::bone;
}

class Maker {
public:
    Maker(const FleshGround& ground, std::size_t region, const FleshCells& cells)
        : ground_(ground), region_(region), cells_(cells), number_(cells.mesh.vertices.size(), -1) {}

    FleshPart run() {
        part_.name = ground_.names[region_];
        part_.cell_size = cells_.cell_size;
        part_.pieces = cells_.pieces;
        add_cells();
        mark_faces();
        hold_within_bones();
        name_sets();
        if (part_.held.empty()) {
            ground_.refuse(region_, "nothing holds it: it meets neither bones nor the rest of the character",
                           "a region with an edge, or bones (--bone-radius)");
        }
        measure_thickness();
        check_held();
        hang();
        embed_skin();
        part_.smallest_angle = tet_quality(part_.mesh).dihedral.smallest;
        tell();
        return std::move(part_);
    }

private:
    std::int32_t own(std::int32_t vertex) const { return number_[static_cast<std::size_t>(vertex)]; }

    void add_cells() {
        for (std::size_t c = 0; c < cells_.label.size(); ++c) {
            const double volume = cell_measure(cells_.mesh, c);
            (cells_.label[c] == kFlesh  ? part_.volume
             : cells_.label[c] == kRest ? part_.rest_volume
                                        : part_.bone_volume) += volume;
            if (cells_.label[c] != kFlesh) continue;
            for (int k = 0; k < 4; ++k) {
                const auto v = static_cast<std::size_t>(cells_.mesh.cell(c)[k]);
                if (number_[v] < 0) {
                    number_[v] = static_cast<std::int32_t>(part_.mesh.vertices.size());
                    part_.mesh.vertices.push_back(cells_.mesh.vertices[v]);
                    part_.freedom.push_back(cells_.freedom[v]);
                    origin_.push_back(static_cast<std::int32_t>(v));
                }
                part_.mesh.cells.push_back(number_[v]);
            }
        }
        bone_.assign(part_.mesh.vertices.size(), -1);
        seam_.assign(part_.mesh.vertices.size(), 0);
        skin_.assign(part_.mesh.vertices.size(), 0);
    }

    /// A vertex of several bones follows the one that is nearest in radii.
    void hold_by_bone(std::int32_t vertex, std::int32_t bone) {
        std::int32_t& now = bone_[static_cast<std::size_t>(vertex)];
        const Vec3& x = part_.mesh.vertices[static_cast<std::size_t>(vertex)];
        const auto radii = [&](std::int32_t b) { return radii_from(ground_.bones[static_cast<std::size_t>(b)], x); };
        if (now < 0 || radii(bone) < radii(now)) now = bone;
    }

    void mark_faces() {
        for (std::size_t c = 0; c < cells_.label.size(); ++c) {
            for (std::size_t f = 0; cells_.label[c] == kFlesh && f < 4; ++f) {
                const std::int32_t behind = cells_.neighbours[c][f];
                const Side side = side_of(cells_, behind);
                if (side == Side::inner) continue;
                std::array<std::int32_t, 3> corner{};
                for (std::size_t k = 0; k < 3; ++k) {
                    corner[k] = own(cells_.mesh.cell(c)[facets_of(CellKind::tet4)[f].corner[k]]);
                    if (side == Side::skin) skin_[static_cast<std::size_t>(corner[k])] = 1;
                    if (side == Side::seam) seam_[static_cast<std::size_t>(corner[k])] = 1;
                    if (side == Side::bone) hold_by_bone(corner[k], cells_.label[static_cast<std::size_t>(behind)]);
                }
                faces_.push_back(corner);
                face_side_.push_back(side);
            }
        }
    }

    /// Vertices that a bone's capsule holds although no cell was cut there.
    void hold_within_bones() {
        std::vector<char> used(ground_.bones.size(), 0);
        for (const std::int32_t l : cells_.label)
            if (l >= 0) used[static_cast<std::size_t>(l)] = 1;
        for (std::size_t b = 0; b < used.size(); ++b) {
            if (!used[b]) continue;
            part_.bones.push_back(ground_.bones[b]);
            for (std::size_t v = 0; v < part_.mesh.vertices.size(); ++v) {
                if (radii_from(ground_.bones[b], part_.mesh.vertices[v]) <= 1.0)
                    hold_by_bone(static_cast<std::int32_t>(v), static_cast<std::int32_t>(b));
            }
        }
    }

    void name_sets() {
        auto& sets = part_.mesh.vertex_sets;
        for (const char* name : {"bone", "seam", "held", "free", "skin"}) sets[name];
        for (std::size_t v = 0; v < part_.mesh.vertices.size(); ++v) {
            const auto i = static_cast<std::int32_t>(v);
            if (skin_[v]) sets["skin"].push_back(i);
            if (seam_[v]) sets["seam"].push_back(i);
            if (bone_[v] >= 0) {
                sets["bone"].push_back(i);
                sets["bone:" + ground_.rig.joints[static_cast<std::size_t>(joint_of(v))].name].push_back(i);
            }
            sets[seam_[v] || bone_[v] >= 0 ? "held" : "free"].push_back(i);
        }
        part_.held = sets["held"];
    }

    std::int32_t joint_of(std::size_t v) const { return ground_.bones[static_cast<std::size_t>(bone_[v])].joint; }

    /// Every piece needs something that holds it: faces alone join pieces, so a vertex may serve one only.
    void check_held() const {
        if (part_.mesh.vertex_sets.at("free").empty()) {
            ground_.refuse(
                region_,
                text("every vertex is held at a cell size of ", fmt::format("{:.3g}", 1e3 * part_.cell_size), " mm"),
                text(cells_for(0.5, 1.0, static_cast<double>(part_.mesh.cell_count())), ", ",
                     thinner_bones(ground_.settings), " or a larger region"));
        }
        std::vector<char> held(part_.mesh.vertices.size(), 0);
        for (const std::int32_t v : part_.held) held[static_cast<std::size_t>(v)] = 1;
        Joined joined(held.size());
        for (std::size_t c = 0; c < part_.mesh.cell_count(); ++c)
            for (int k = 1; k < 4; ++k) joined.join(part_.mesh.cell(c)[0], part_.mesh.cell(c)[k]);
        std::vector<char> group_held(held.size(), 0);
        for (const std::int32_t v : part_.held) group_held[static_cast<std::size_t>(joined.root(v))] = 1;
        for (std::size_t v = 0; v < held.size(); ++v) {
            if (!group_held[static_cast<std::size_t>(joined.root(static_cast<std::int32_t>(v)))]) {
                ground_.refuse(region_, text("one of its ", part_.pieces, " pieces is held by nothing"),
                               "a region whose pieces meet bones or the rest of the character");
            }
        }
    }

    void hang() {
        const HeldWeights weights = weigh_held(ground_, cells_, origin_, bone_, part_.held);
        part_.binding = weights.binding;
        part_.influences = weights.influences;
        part_.reference = weights.reference;
        part_.bind_origin = ground_.bind.position(static_cast<std::size_t>(weights.reference));
        part_.bind_rotation = ground_.bind.rotation[static_cast<std::size_t>(weights.reference)];
    }

    /// The way straight in from each piece of skin: through the flesh alone, and through flesh and bones together.
    void measure_thickness() {
        const Triangles flesh{part_.mesh.vertices, faces_, {}}, region = hull_of(cells_).faces;
        const TriangleTree flesh_tree(flesh), region_tree(region);
        std::vector<double> ways;
        part_.thinnest = std::numeric_limits<double>::infinity();
        for (std::size_t t = 0; t < faces_.size(); ++t) {
            if (face_side_[t] != Side::skin) continue;
            const Vec3 area = flesh.area_vector(t), in = area * (-1.0 / norm(area)),
                       start = flesh.centroid(t) + in * (1e-6 * part_.cell_size);
            const double whole = region_tree.first_hit(start, in),
                         own_way = flesh_tree.first_hit(start, in, static_cast<std::int32_t>(t));
            if (std::isfinite(whole)) ways.push_back(whole);
            const bool free = std::none_of(faces_[t].begin(), faces_[t].end(), [&](std::int32_t v) {
                return seam_[static_cast<std::size_t>(v)] || bone_[static_cast<std::size_t>(v)] >= 0;
            });
            if (free && own_way < part_.thinnest) {
                part_.thinnest = own_way;
                part_.thinnest_at = flesh.centroid(t);
            }
        }
        std::sort(ways.begin(), ways.end());
        const double most = ways.empty() ? 0.0 : ways[ways.size() * 3 / 4];
        const auto count = static_cast<double>(part_.mesh.cell_count());
        const double size = ground_.meant_size(part_.cell_size, count),
                     asked = ground_.settings.cell_size > 0.0 ? count : ground_.settings.cells;
        if (most < (ground_.meant_cells > 0.0 ? kTrialThick : kThick) * size) {
            refuse_thin(ground_, region_, most, size,
                        ground_.meant_cells > 0.0 ? ground_.meant_cells : std::max(asked, count));
        }
        if (!std::isfinite(part_.thinnest)) part_.thinnest = 0.0;  // no piece of skin is wholly free
    }

    /// 0 where the region ends, 1 well inside of it, 0 where another region is freer.
    double blend_of(std::size_t skin_vertex) const {
        const double own_freedom = ground_.freedom[region_][skin_vertex], threshold = ground_.settings.threshold;
        std::vector<double> all;
        for (const std::vector<double>& f : ground_.freedom) all.push_back(f[skin_vertex]);
        if (FleshGround::owner(all) != region_) return 0.0;
        const double u = std::clamp((own_freedom - threshold) / (kFullAt * (1.0 - threshold)), 0.0, 1.0);
        return u * u * (3.0 - 2.0 * u);
    }

    /// Ends of limbs within the trunk, bodies below clothes: nobody sees them.
    bool hidden(const Vec3& x) const {
        const double near = 0.25 * part_.cell_size;
        for (const Vec3& way : {Vec3{near, 0, 0}, Vec3{0, near, 0}, Vec3{0, 0, near}})
            if (!ground_.skin.inside(x + way) || !ground_.skin.inside(x - way)) return false;
        return true;
    }

    void embed_skin() {
        const PointLocator locator(part_.mesh);
        std::size_t far = 0;
        for (std::size_t p = 0; p < ground_.rig.parts.size(); ++p) {
            for (std::size_t v = 0; v < ground_.rig.parts[p].positions.size(); ++v) {
                const std::size_t at = ground_.skin.first_of(p) + v;
                const double blend = blend_of(at);
                if (!(blend > 0.0)) continue;
                const Location place = locator.locate(ground_.skin.vertices()[at]);
                if (place.cell < 0 || place.distance > kFarSkin * part_.cell_size) {
                    far += hidden(ground_.skin.vertices()[at]) ? 0 : 1;
                    continue;
                }
                FleshSkinVertex out{static_cast<std::int32_t>(p), static_cast<std::int32_t>(v), blend, {}, {}};
                double sum = 0.0;
                for (std::size_t k = 0; k < 4; ++k) sum += out.weight[k] = std::max(place.weights[k], 0.0);
                for (std::size_t k = 0; k < 4; ++k) {
                    out.corner[k] = part_.mesh.cell(static_cast<std::size_t>(place.cell))[k];
                    out.weight[k] /= sum;
                }
                part_.skin.push_back(out);
            }
        }
        if (static_cast<double>(far) > kFewOfIt * static_cast<double>(part_.skin.size())) {
            part_.warnings.push_back(
                text(far,
                     " of its skin vertices lie more than two cells from the solid and stay with the bones; "
                     "more cells would catch thinner places"));
        }
    }

    void tell() {
        if (part_.pieces > 1) {
            part_.warnings.push_back(
                text("it is ", part_.pieces, " separate pieces; usually each should be a region of its own"));
        }
        if (cells_.dropped > kFewCrumbs)
            part_.warnings.push_back(text(counted(cells_.dropped, "loose crumb"), " left out"));
        const auto held = static_cast<double>(part_.held.size()),
                   outside = static_cast<double>(part_.mesh.vertex_sets.at("skin").size());
        if (part_.mesh.vertex_sets.at("bone").empty() && held < kLittleSeam * outside)
            part_.warnings.push_back("no bone runs through it: only a small seam holds it");
        if (cells_.lost > 0.005) {
            part_.warnings.push_back(text(plain_number(100 * cells_.lost, 2),
                                          " % of its volume belongs to other regions that are freer there"));
        }
        if (cells_.pinched > kFewOfIt) {
            part_.warnings.push_back(text(plain_number(100 * cells_.pinched, 2),
                                          " % of its cells hung by an edge or a point only and are left out; more "
                                          "cells would reach thinner places"));
        }
        const double asked = ground_.settings.cells, count = static_cast<double>(part_.mesh.cell_count());
        if (ground_.settings.cell_size == 0.0 && !ground_.draft && std::abs(count / asked - 1.0) > 0.25)
            part_.warnings.push_back(text(part_.mesh.cell_count(), " cells instead of about ", ground_.settings.cells));
    }

    const FleshGround& ground_;
    std::size_t region_;
    const FleshCells& cells_;
    FleshPart part_;
    std::vector<std::int32_t> number_;  ///< of the cells' vertices in the part; -1 = not in it
    std::vector<std::int32_t> origin_;  ///< the way back
    std::vector<std::int32_t> bone_;    ///< per vertex of the part: the bone that holds it; -1 = none
    std::vector<char> seam_, skin_;
    std::vector<std::array<std::int32_t, 3>> faces_;
    std::vector<Side> face_side_;
};

void check_settings(std::span<const Region> regions, const FleshSettings& s) {
    if (regions.empty()) throw Error(Fault::bad_usage, {}, "no region", "at least one");
    const bool size = s.cell_size == 0.0 ? s.cells >= 1 && s.cells <= 20'000'000
                                         : s.cell_size > 0.0 && std::isfinite(s.cell_size);
    if (!size) {
        throw Error(Fault::bad_usage, {}, text("cells ", s.cells, ", cell size ", s.cell_size),
                    "1 to 2e7 cells, or a positive cell size");
    }
    if (!(s.threshold >= 0.0 && s.threshold < 1.0))
        throw Error(Fault::bad_usage, {}, text("threshold ", s.threshold), "0 to 1, 1 not included");
    if (!(s.bone_share > 0.0 && s.bone_share < 1.0) || !std::isfinite(s.bone_radius)) {
        throw Error(Fault::bad_usage, {}, text("bone share ", s.bone_share, ", bone radius ", s.bone_radius),
                    "a share between 0 and 1, a radius in metres");
    }
    if (!(s.least_piece >= 0.0 && s.least_piece < 1.0))
        throw Error(Fault::bad_usage, {}, text("least piece ", s.least_piece), "0 to 1");
}

}  // namespace

FleshPart make_part(const FleshGround& ground, std::size_t region, Progress& progress) {
    PartOfProgress whole(progress, 0.0, 1.0);
    const FleshCells cells = fill_region(ground, region, whole);
    whole.check();
    return Maker(ground, region, cells).run();
}

std::vector<FleshPart> make_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                  Progress& progress) {
    return make_flesh(rig, regions, settings, progress, false);
}

std::vector<FleshPart> make_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                  Progress& progress, bool draft) {
    check_settings(regions, settings);
    FleshGround ground(rig, regions, settings, progress);
    ground.draft = draft;
    std::vector<FleshPart> out;
    const auto n = static_cast<double>(regions.size());
    for (std::size_t r = 0; r < regions.size(); ++r) {
        PartOfProgress part(progress, static_cast<double>(r) / n, static_cast<double>(r + 1) / n);
        out.push_back(make_part(ground, r, part));
    }
    return out;
}

}  // namespace limber
