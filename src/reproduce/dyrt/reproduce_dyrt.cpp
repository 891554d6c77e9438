#include "reproduce/dyrt/reproduce_dyrt.hpp"

#include "core/text.hpp"
#include "study/cpu_time.hpp"

#include "dyrt/limber_dyrt.h"

#include <limber/error.hpp>
#include <limber/tools/assets.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>

namespace limber {
namespace {

constexpr double kFrame = 1.0 / 60.0;
constexpr std::size_t kWalk = 0, kJump = 1;  // clips of the humanoid

struct Sizes {
    int triangles, thigh, belly;
};
constexpr Sizes kLeast{3000, 1500, 3500}, kUsual{16000, 2000, 4000}, kPaper{36000, 10000, 30000};
constexpr double kFine = 1.0 / 480.0, kCoarse = 1.0 / 120.0;  // steps of the comparison [s]

std::vector<FleshPart> flesh(const Rig& rig, const std::vector<std::string>& lines, int cells, Progress& progress) {
    std::vector<Region> regions;
    regions.reserve(lines.size());
    for (const std::string& line : lines) regions.push_back(parse_region(line));
    FleshSettings settings;
    settings.cells = cells;
    return make_flesh(rig, regions, settings, progress);
}

/// How far the skin is from rest at each frame, where it is farthest over all of them.
std::vector<double> swing_of(const DyrtPart& part, const DyrtTrack& track, double& most) {
    const std::size_t m = part.count(), n = part.vertices.size(), frames = track.times.size();
    std::vector<double> best;
    most = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> path(frames);
        for (std::size_t f = 0; f < frames; ++f) {
            Vec3 u;
            for (std::size_t k = 0; k < m; ++k) u += part.displacements[k * n + i] * track.amplitudes[f * m + k];
            path[f] = norm(u);
        }
        const double largest = *std::max_element(path.begin(), path.end());
        if (largest > most) {
            most = largest;
            best = std::move(path);
        }
    }
    return best;
}

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

/// Figure 3: normals of the deformed skin, left as they were and corrected, against those of the deformed triangles.
void measure_normals(const Rig& rig, const DyrtPart& part, double amplitude, DyrtStudyRow& row) {
    std::vector<std::vector<Vec3>> moved, sum(rig.parts.size()), rest(rig.parts.size());
    for (const SkinPart& skin : rig.parts) moved.push_back(skin.positions);
    const std::size_t n = part.vertices.size();
    for (std::size_t i = 0; i < n; ++i) {
        moved[static_cast<std::size_t>(part.vertices[i].part)][static_cast<std::size_t>(part.vertices[i].vertex)] +=
            part.displacements[i] * amplitude;
    }
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        sum[p].resize(moved[p].size());
        rest[p].resize(moved[p].size());
        for (const auto& t : rig.parts[p].triangles) {
            const auto area = [&](const std::vector<Vec3>& x) {
                return cross(x[static_cast<std::size_t>(t[1])] - x[static_cast<std::size_t>(t[0])],
                             x[static_cast<std::size_t>(t[2])] - x[static_cast<std::size_t>(t[0])]);
            };
            for (const std::int32_t v : t) {
                sum[p][static_cast<std::size_t>(v)] += area(moved[p]);
                rest[p][static_cast<std::size_t>(v)] += area(rig.parts[p].positions);
            }
        }
    }
    double plain = 0.0, corrected = 0.0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto p = static_cast<std::size_t>(part.vertices[i].part),
                   v = static_cast<std::size_t>(part.vertices[i].vertex);
        if (angle_between(rest[p][v], part.vertices[i].normal) > 1e-3)
            continue;  // where colours meet the triangles of one part are not all
        plain += angle_between(sum[p][v], part.vertices[i].normal);
        corrected += angle_between(sum[p][v], part.vertices[i].normal + part.corrections[i] * amplitude);
        ++counted;
    }
    row.plain_normals = plain / static_cast<double>(std::max<std::size_t>(1, counted));
    row.corrected_normals = corrected / static_cast<double>(std::max<std::size_t>(1, counted));
}

DyrtStudyRow row_of(const Rig& rig, const DyrtPart& part, double meshing, double modes, double substep,
                    Progress& progress) {
    DyrtStudyRow row;
    row.name = part.name();
    row.cells = part.flesh.mesh.cell_count();
    row.unknowns = part.unknowns;
    row.vertices = part.vertices.size();
    row.meshing = meshing;
    row.modes = modes;
    for (const double w : part.omega) row.hertz.push_back(w / (2.0 * std::numbers::pi));
    for (const double e : part.error) row.error = std::max(row.error, e);
    const DyrtTrack jump = bake_clip(rig, part, kJump, {});
    row.times = jump.times;
    row.swing = swing_of(part, jump, row.jump);
    swing_of(part, bake_clip(rig, part, kWalk, {}), row.walk);
    measure_normals(rig, part, std::min(0.05, row.jump), row);
    BakeSettings compared;
    compared.substep = substep;
    row.fem = error_of(rig, part, kJump, compared, progress);
    return row;
}

struct FreeAsset {
    void operator()(limber_dyrt_asset* a) const { limber_dyrt_free(a); }
};
struct FreeCrowd {
    void operator()(limber_dyrt_crowd* c) const { limber_dyrt_crowd_free(c); }
};

/// The run-time library over the walk, many times: what a frame costs.
void measure_costs(DyrtStudy& study) {
    const std::string bytes = format_dyrt(study.rig, study.parts);
    limber_dyrt_asset* raw = nullptr;
    if (limber_dyrt_load(bytes.data(), bytes.size(), &raw) != LIMBER_DYRT_OK)
        throw Error(Fault::bad_data, {"dyrt", 0, {}}, "an asset that its own library refuses", "one that it reads");
    const std::unique_ptr<limber_dyrt_asset, FreeAsset> asset(raw);
    limber_dyrt_crowd* one = nullptr;
    if (limber_dyrt_crowd_create(asset.get(), 1, nullptr, &one) != LIMBER_DYRT_OK)
        throw Error(Fault::bad_data, {"dyrt", 0, {}}, "no memory for one character", "a little");
    const std::unique_ptr<limber_dyrt_crowd, FreeCrowd> crowd(one);
    constexpr std::size_t kPoses = 60;
    std::vector<std::vector<limber_dyrt_bone>> bones(kPoses);
    for (std::size_t i = 0; i < kPoses; ++i) {
        for (const DyrtPart& part : study.parts) {
            const Pose pose = pose_at(study.rig, kWalk, static_cast<double>(i) * kFrame);
            const auto j = static_cast<std::size_t>(part.flesh.reference);
            limber_dyrt_bone b;
            for (int a = 0; a < 3; ++a) b.position[a] = static_cast<float>(pose.position(j)[a]);
            const Quat& q = pose.rotation[j];
            b.rotation[0] = static_cast<float>(q.x);
            b.rotation[1] = static_cast<float>(q.y);
            b.rotation[2] = static_cast<float>(q.z);
            b.rotation[3] = static_cast<float>(q.w);
            bones[i].push_back(b);
        }
    }
    constexpr int kSteps = 60000, kFrames = 300;
    double start = cpu_seconds();
    for (int i = 0; i < kSteps; ++i) {
        limber_dyrt_step(crowd.get(), static_cast<float>(kFrame), bones[static_cast<std::size_t>(i) % kPoses].data(),
                         nullptr);
    }
    study.step = (cpu_seconds() - start) / kSteps;
    std::size_t most = 0;
    for (const DyrtPart& part : study.parts) most = std::max(most, part.vertices.size());
    std::vector<float> amplitudes(64), positions(3 * most), normals(3 * most);
    start = cpu_seconds();
    for (int i = 0; i < kFrames; ++i) {
        for (int p = 0; p < limber_dyrt_parts(asset.get()); ++p) {
            limber_dyrt_amplitudes(crowd.get(), 0, p, amplitudes.data());
            limber_dyrt_displace(asset.get(), p, amplitudes.data(), 0, positions.data(), normals.data());
        }
    }
    study.displace = (cpu_seconds() - start) / kFrames;
}

void add_claims(DyrtStudy& s) {
    const auto add = [&](Claim c) { s.claims.push_back(judged(std::move(c))); };
    const auto largest = [&](auto value) {
        double out = 0.0;
        for (const DyrtStudyRow& r : s.rows) out = std::max(out, value(r));
        return out;
    };
    add({"prepare", "Precomputation takes a couple of minutes for each DyRT",
         largest([](const DyrtStudyRow& r) { return r.meshing + r.modes; }), "s", 120.0, 0.0, Relation::at_most, false,
         text("Processor time for flesh, assembly, factor and modes of the slowest part, ",
              s.settings.full ? "at the paper's sizes." : "at reduced sizes; --full has the paper's.")});
    add({"cpu", "The run-time cost to the main CPU is negligible", 100.0 * s.step / kFrame, "%", 0.1, 0.0,
         Relation::at_most, false,
         text("Of one core at 60 frames a second: twists, transfer and ", s.parts.size(),
              " parts' oscillators by limber_dyrt.h, ", short_number(1e6 * s.step, 3), " µs per frame.")});
    add({"vertices", "Displacing vertices is for the graphics hardware", 100.0 * s.displace / kFrame, "%", 100.0, 0.0,
         Relation::at_most, false,
         text(
             "Of one core at 60 frames a second if the processor does it all the same, normals included: ",
             short_number(1e3 * s.displace, 3), " ms for ",
             [&] {
                 std::size_t n = 0;
                 for (const DyrtStudyRow& r : s.rows) n += r.vertices;
                 return n;
             }(),
             " vertices.")});
    const DyrtStudyRow& belly = s.rows.back();
    add({"ratios", "The belly's lowest frequencies are as 1 : 1.12 : 1.25 : 1.44 (Fig. 1)",
         belly.hertz[3] / belly.hertz[0], "", 1.44, 0.3, Relation::equal, false,
         text("The fourth to the first. Another body with another belly: here 1 : ",
              short_number(belly.hertz[1] / belly.hertz[0], 3), " : ", short_number(belly.hertz[2] / belly.hertz[0], 3),
              " : ", short_number(belly.hertz[3] / belly.hertz[0], 3), ".")});
    add({"normals", "Corrected normals are nearer to the deformed surface's (Fig. 3)",
         largest([](const DyrtStudyRow& r) { return r.corrected_normals / std::max(1e-12, r.plain_normals); }), "", 0.5,
         0.0, Relation::at_most, false,
         "Mean angle to the true normals with the correction (21), in parts of that without; first mode, at 5 cm or "
         "what the jump reaches."});
    add({"jump", "A jumping motion leads to significant thigh and belly vibrations (Fig. 4)",
         1e3 * std::min({s.rows[0].jump, s.rows[1].jump, belly.jump}), "mm", 5.0, 0.0, Relation::at_least, false,
         text("The least of the three parts, where its skin swings most; walking: ",
              short_number(1e3 * largest([](const DyrtStudyRow& r) { return r.walk; }), 3), " mm at most.")});
    add({"filter", "Filter (19) performs the convolution (11)", s.printed_gain, "", 1.0, 0.01, Relation::equal, false,
         text("Its answer to a constant force over the true one, as printed, for a mode of 2 Hz with damping ratio 0.1 "
              "at 60 frames a second. The sign of gamma is wrong; with it mended the gain is ",
              short_number(s.corrected_gain, 4), ", still not 1. limber advances q and q' exactly instead.")});
}

void add_plots(DyrtStudy& s) {
    Plot error{"dyrt-error",
               "Error against finite elements as modes are added",
               "Over the moved skin and the whole jump, modes alone. The last mark of each line is what is used: five "
               "modes and the residuals, which make slow motion exact.",
               s.settings.command,
               {"modes", ""},
               {"relative L2 error", ""},
               {},
               {}};
    Plot swing{"dyrt-swing",
               "The jump",
               "How far the vertex that swings most is from where the skin alone would be.",
               s.settings.command,
               {"time", "s"},
               {"distance", "mm"},
               {},
               {}};
    for (const DyrtStudyRow& r : s.rows) {
        Series e{r.name, {}, {}}, w{r.name, r.times, {}};
        for (std::size_t k = 0; k < r.fem.by_modes.size(); ++k) {
            e.x.push_back(static_cast<double>(k + 1));
            e.y.push_back(r.fem.by_modes[k]);
        }
        e.x.push_back(static_cast<double>(r.fem.by_modes.size()) + 1.0);
        e.y.push_back(r.fem.relative_l2);
        for (const double x : r.swing) w.y.push_back(1e3 * x);
        error.series.push_back(std::move(e));
        swing.series.push_back(std::move(w));
    }
    s.plots = {std::move(swing), std::move(error)};
}

}  // namespace

double paper_filter_gain(double omega, double ratio, double step, double sign) {
    // q_k = a1 q_{k-1} + a2 q_{k-2} + b Q_{k-1}: at rest q = b Q / (1 - a1 - a2), which should be Q / omega^2.
    const double damped = omega * std::sqrt(1.0 - ratio * ratio), theta = damped * step,
                 eps = std::exp(-ratio * omega * step), gamma = std::asin(ratio);
    const double b = 2.0 * (eps * std::cos(theta + sign * gamma) - eps * eps * std::cos(2.0 * theta + sign * gamma)) /
                     (3.0 * omega * damped);
    return b / (1.0 - 2.0 * eps * std::cos(theta) + eps * eps) * omega * omega;
}

DyrtStudy reproduce_dyrt(const DyrtStudySettings& settings, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    DyrtStudy out;
    out.settings = settings;
    const Sizes& sizes = settings.full ? kPaper : settings.quick ? kLeast : kUsual;
    out.rig = make_humanoid(sizes.triangles);
    for (const SkinPart& p : out.rig.parts) out.vertices += p.positions.size();
    DyrtSettings dyrt;
    dyrt.quadratic = !settings.quick;
    dyrt.material = find_material_preset("fat")->material;
    // Fat alone would swing by 12 cm in the jump: in a body skin and fascia hold it. As an artist would say it:
    dyrt.frequency = 6.0;
    dyrt.settle = 0.5;
    const std::vector<std::pair<std::vector<std::string>, int>> wanted{
        {{"thigh_l=bone:thigh_l", "thigh_r=bone:thigh_r"}, sizes.thigh}, {{"belly=ball:0,1.05,0.06,0.2"}, sizes.belly}};
    for (const auto& [lines, cells] : wanted) {
        const double before = cpu_seconds();
        std::vector<FleshPart> parts = flesh(out.rig, lines, cells, progress);
        const double meshing = (cpu_seconds() - before) / static_cast<double>(parts.size());
        for (FleshPart& part : parts) {
            const double begun = cpu_seconds();
            std::vector<FleshPart> one;
            one.push_back(std::move(part));
            out.parts.push_back(std::move(make_dyrt(out.rig, std::move(one), dyrt, progress)[0]));
            out.rows.push_back(row_of(out.rig, out.parts.back(), meshing, cpu_seconds() - begun,
                                      settings.quick ? kCoarse : kFine, progress));
        }
    }
    measure_costs(out);
    constexpr double kSlow = 2.0 * std::numbers::pi * 2.0,
                     kRatio = 0.1;  // a soft mode; near 6 Hz the printed filter happens to be right
    out.printed_gain = paper_filter_gain(kSlow, kRatio, kFrame, 1.0);
    out.corrected_gain = paper_filter_gain(kSlow, kRatio, kFrame, -1.0);
    add_claims(out);
    add_plots(out);
    out.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

}  // namespace limber
