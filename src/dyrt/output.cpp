#include "dyrt/output.hpp"

#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "report/claims.hpp"
#include "rig/clip_motion.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr std::size_t kEnoughVertices = 4000;  // vertices to look at for the largest motion

using nlohmann::json;

const std::string& bone_of(const DyrtCharacter& c, const DyrtPart& p) {
    return c.rig->joints[static_cast<std::size_t>(p.flesh.reference)].name;
}
double hertz(double omega) { return omega / (2.0 * std::numbers::pi); }

/// The largest |amplitude| of an oscillator over all tracks [m].
double largest_amplitude(const DyrtCharacter& c, std::size_t part, std::size_t oscillator) {
    double out = 0.0;
    for (const std::vector<DyrtTrack>& clip : c.tracks) {
        for (std::size_t i = oscillator; !clip.empty() && i < clip[part].amplitudes.size(); i += c.parts[part].count())
            out = std::max(out, std::abs(clip[part].amplitudes[i]));
    }
    return out;
}

json part_json(const DyrtCharacter& c, std::size_t index) {
    const DyrtPart& p = c.parts[index];
    json oscillators = json::array(), tracks = json::object();
    for (std::size_t k = 0; k < p.count(); ++k) {
        const auto row = p.transfer.begin() + static_cast<std::ptrdiff_t>(k * kDyrtDrives);
        oscillators.push_back({{"mode", k < p.modes},
                               {"frequency", p.omega[k] / (2.0 * std::numbers::pi)},
                               {"omega", p.omega[k]},
                               {"decay", p.decay[k]},
                               {"damping_ratio", json_number(p.decay[k] / p.omega[k])},
                               {"residual", k < p.error.size() ? json_number(p.error[k]) : json(nullptr)},
                               {"transfer", std::vector<double>(row, row + kDyrtDrives)},
                               {"largest_amplitude", largest_amplitude(c, index, k)},
                               {"scale", c.exported.scales[index][k]},
                               {"in_glb", c.exported.kept[index][k] != 0}});
    }
    for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) {
        if (!c.tracks[clip].empty()) {
            tracks[clip_words(*c.rig, clip)] = {{"frames", c.tracks[clip][index].times.size()},
                                                {"looped", c.tracks[clip][index].looped},
                                                {"seam", c.tracks[clip][index].seam}};
        }
    }
    json out{{"name", p.name()},
             {"bone", bone_of(c, p)},
             {"cells", p.flesh.mesh.cell_count()},
             {"unknowns", p.unknowns},
             {"modes", p.modes},
             {"residuals", p.count() - p.modes},
             {"orthonormality", p.orthonormality},
             {"young", p.material.young},
             {"poisson", p.material.poisson},
             {"density", p.material.density},
             {"rayleigh_alpha", p.material.rayleigh_alpha},
             {"rayleigh_beta", p.material.rayleigh_beta},
             {"amount", p.amount},
             {"skin_vertices", p.vertices.size()},
             {"oscillators", oscillators},
             {"clips", tracks},
             {"left_out", c.exported.dropped[index]},
             {"warnings", p.warnings},
             {"flesh_warnings", p.flesh.warnings}};
    if (index < c.errors.size()) {
        const DyrtError& e = c.errors[index];
        out["error"] = {{"reference", e.reference},  {"relative_l2", e.relative_l2}, {"largest", e.largest},
                        {"reference_moves", e.most}, {"by_modes", e.by_modes},       {"steps", e.steps}};
    }
    return out;
}

}  // namespace

std::string clip_words(const Rig& rig, std::size_t clip) {
    return rig.clips[clip].name.empty() ? text("clip ", clip) : rig.clips[clip].name;
}

Table dyrt_parts_table(const DyrtCharacter& c) {
    Table out{{{"part"},
               {"moves with"},
               {"cells", Align::right},
               {"unknowns", Align::right},
               {"skin", Align::right},
               {"first mode [Hz]", Align::right},
               {"E [Pa]", Align::right},
               {"alpha [1/s]", Align::right},
               {"beta [ms]", Align::right},
               {"moves [mm]", Align::right}},
              {}};
    for (std::size_t i = 0; i < c.parts.size(); ++i) {
        const DyrtPart& p = c.parts[i];
        double moves = 0.0;
        for (std::size_t clip = 0; clip < c.tracks.size(); ++clip)
            moves = std::max(moves, largest_motion(c, i, clip).world);
        out.add({p.name(), bone_of(c, p), text(p.flesh.mesh.cell_count()), text(p.unknowns), text(p.vertices.size()),
                 short_number(hertz(p.omega[0])), short_number(p.material.young),
                 short_number(p.material.rayleigh_alpha), short_number(1e3 * p.material.rayleigh_beta),
                 short_number(1e3 * moves, 3)});
    }
    return out;
}

Table dyrt_clips_table(const DyrtCharacter& c) {
    Table out{{{"clip"}, {"seconds", Align::right}, {"repeats"}}, {}};
    for (const DyrtPart& p : c.parts) out.columns.push_back({text(p.name(), " [mm]"), Align::right});
    for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) {
        if (c.tracks[clip].empty()) continue;
        const bool looped = c.tracks[clip].front().looped;
        const ClipLoop loop = loop_of(*c.rig, clip);  // --loop may have said otherwise
        std::vector<std::string> row{clip_words(*c.rig, clip), short_number(c.rig->clips[clip].duration, 3),
                                     loop.repeats == looped ? loop_words(loop)
                                     : looped               ? "yes"
                                                            : "no"};
        for (std::size_t p = 0; p < c.parts.size(); ++p) {
            const double moves = largest_motion(c, p, clip).world;
            row.push_back(moves > 0.0 ? short_number(1e3 * moves, 3) : "still");
        }
        out.add(std::move(row));
    }
    return out;
}

std::optional<std::size_t> clip_with_most_motion(const DyrtCharacter& c) {
    std::optional<std::size_t> out;
    double most = -1.0;
    for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) {
        for (std::size_t p = 0; p < c.tracks[clip].size(); ++p) {
            if (const double share = largest_motion(c, p, clip).world /
                                     box_of(c.parts[p].flesh.mesh.vertices).diagonal();
                share > most) {
                most = share;
                out = clip;
            }
        }
    }
    return out;
}

DyrtReach largest_motion(const DyrtCharacter& c, std::size_t part, std::size_t clip) {
    const DyrtPart& p = c.parts[part];
    const std::size_t n = p.vertices.size(), m = p.count(), corners = p.flesh.mesh.vertices.size(),
                      skin = p.flesh.skin.size();
    DyrtReach out;
    if (c.tracks[clip].empty()) return out;
    const DyrtTrack& track = c.tracks[clip][part];
    for (std::size_t f = 0; f < track.times.size(); ++f) {
        const double* q = track.amplitudes.data() + f * m;
        for (std::size_t v = 0; v < n; v += n / kEnoughVertices + 1) {  // a look at some of them is enough
            Vec3 u;
            for (std::size_t k = 0; k < m; ++k) u += p.displacements[k * n + v] * q[k];
            out.own = std::max(out.own, norm(u));
        }
        for (std::size_t i = 0; i < skin; i += skin / kEnoughVertices + 1) {
            const FleshSkinVertex& s = p.flesh.skin[i];
            Vec3 u;
            for (std::size_t k = 0; k < m; ++k) {
                for (std::size_t e = 0; e < 4; ++e)
                    u += p.shapes[k * corners + static_cast<std::size_t>(s.corner[e])] * (q[k] * s.weight[e] * s.blend);
            }
            out.world = std::max(out.world, norm(u));
        }
    }
    return out;
}

Table dyrt_oscillators_table(const DyrtCharacter& c, std::size_t part) {
    const DyrtPart& p = c.parts[part];
    Table out{{{"target"},
               {"", Align::left},
               {"f [Hz]", Align::right},
               {"damping ratio", Align::right},
               {"decay [1/s]", Align::right},
               {"largest amplitude [mm]", Align::right},
               {"residual", Align::right},
               {"in the GLB"}},
              {}};
    for (std::size_t k = 0; k < p.count(); ++k) {
        out.add({text(p.name(), ":", k), k < p.modes ? "mode" : "static answer", short_number(hertz(p.omega[k])),
                 short_number(p.decay[k] / p.omega[k], 3), short_number(p.decay[k]),
                 short_number(1e3 * largest_amplitude(c, part, k), 3),
                 k < p.error.size() ? short_number(p.error[k], 2) : "", c.exported.kept[part][k] ? "yes" : "no"});
    }
    return out;
}

Table dyrt_transfer_table(const DyrtPart& p) {
    Table out{{{"target"}}, {}};
    for (const char* name : {"a x", "a y", "a z", "w' x", "w' y", "w' z", "w w xx", "yy", "zz", "xy", "yz", "zx"})
        out.columns.push_back({name, Align::right});
    for (std::size_t k = 0; k < p.count(); ++k) {
        std::vector<std::string> row{text(p.name(), ":", k)};
        for (std::size_t d = 0; d < kDyrtDrives; ++d) row.push_back(short_number(p.transfer[k * kDyrtDrives + d], 3));
        out.add(std::move(row));
    }
    return out;
}

Table dyrt_error_table(const DyrtCharacter& c) {
    Table out{{{"part"}, {"all", Align::right}, {"off by [mm]", Align::right}, {"of [mm]", Align::right}}, {}};
    std::size_t most = 0;
    for (const DyrtError& e : c.errors) most = std::max(most, e.by_modes.size());
    for (std::size_t k = 1; k <= most; ++k) out.columns.push_back({counted(k, "mode"), Align::right});
    for (std::size_t i = 0; i < c.errors.size(); ++i) {
        const DyrtError& e = c.errors[i];
        std::vector<std::string> row{c.parts[i].name(), text(short_number(100.0 * e.relative_l2, 3), " %"),
                                     short_number(1e3 * e.largest, 3), short_number(1e3 * e.most, 3)};
        for (const double share : e.by_modes) row.push_back(text(short_number(100.0 * share, 3), " %"));
        out.add(std::move(row));
    }
    return out;
}

json to_json(const DyrtCharacter& c) {
    json parts = json::array(), took = json::object(), meshes = json::array();
    for (std::size_t i = 0; i < c.parts.size(); ++i) parts.push_back(part_json(c, i));
    for (const auto& [step, seconds] : c.took) took[step] = seconds;
    for (const SkinPart& p : c.exported.rig.parts) {
        json names = json::array();
        for (const Morph& m : p.morphs) names.push_back(m.name);
        meshes.push_back({{"name", p.name},
                          {"vertices", p.positions.size()},
                          {"triangles", p.triangles.size()},
                          {"targets", names}});
    }
    return {
        {"parts", parts},    {"meshes", meshes},   {"target_normals", c.exported.normals}, {"notes", c.exported.notes},
        {"chosen", c.notes}, {"cpu_seconds", took}};
}

}  // namespace limber
