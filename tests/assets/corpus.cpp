#include "assets/corpus.hpp"

#include "core/text.hpp"
#include "geometry/clean.hpp"
#include "geometry/tet_quality.hpp"
#include "geometry/winding.hpp"

#include <limber/error.hpp>
#include <limber/method.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace limber::testing {
namespace {

constexpr double kLeastAngle = 8.0;  // [degrees]
constexpr double kVolumeTolerance = 0.03;
constexpr double kStep = 0.01, kTime = 0.5;  // [s]
constexpr double kLargestSag = 0.2;          // of the diagonal: the material is stiff, more is a loose piece falling
constexpr double kAnchored = 0.1;            // of each part's height
constexpr std::size_t kLeastAnchors = 8;
// Stiff for its size, so that half a second under gravity is a small motion whatever the shape.
const Material kMaterial{"corpus", 2e6, 0.35, 1000.0, 1.0, 1e-3};

/// The lowest part of every piece; pieces share no vertex (make_solid parted them).
IndexSet low_vertices(const Mesh& mesh) {
    std::vector<std::int32_t> parent(mesh.vertices.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](std::int32_t i) {
        while (parent[static_cast<std::size_t>(i)] != i) {
            i = parent[static_cast<std::size_t>(i)] =
                parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
        }
        return i;
    };
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (int k = 1; k < 4; ++k) {
            const std::int32_t a = root(mesh.cell(c)[0]), b = root(mesh.cell(c)[k]);
            parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
    }
    std::map<std::int32_t, std::vector<std::pair<double, std::int32_t>>> pieces;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        pieces[root(static_cast<std::int32_t>(v))].emplace_back(mesh.vertices[v].y, static_cast<std::int32_t>(v));
    IndexSet out;
    for (auto& [piece, heights] : pieces) {
        std::sort(heights.begin(), heights.end());
        const double limit = heights.front().first + kAnchored * (heights.back().first - heights.front().first);
        for (std::size_t i = 0; i < heights.size() && (heights[i].first <= limit || i < kLeastAnchors); ++i)
            out.push_back(heights[i].second);
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// Half a second under gravity; the largest displacement, or a fault.
double simulate(const Mesh& mesh, std::string& fault) {
    BodyDescription d;
    d.mesh = mesh;
    d.materials = {{"", kMaterial}};
    d.anchors = {{"ground", low_vertices(mesh), {}}};
    Progress quiet;
    const std::unique_ptr<Deformer> deformer = require_method("linear_fem")
                                                   .prepare(Body::make(d), {{"step", kStep}}, quiet);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    double sag = 0.0;
    std::vector<Vec3> u(mesh.vertices.size());
    for (int step = 0; step < static_cast<int>(std::lround(kTime / kStep)); ++step) {
        const StepReport report = deformer->step(state, loads, kStep, scratch);
        if (report.trouble != Trouble::none) {
            fault = text("step ", step, ": ", to_string(report.trouble));
            return sag;
        }
        deformer->displacements(state, u);
        for (const Vec3& v : u) sag = is_finite(v) ? std::max(sag, norm(v)) : std::numeric_limits<double>::infinity();
    }
    return sag;
}

const char* ending(MeshFormat format) {
    return format == MeshFormat::obj ? ".obj" : format == MeshFormat::stl ? ".stl" : ".ply";
}

/// Every variant goes through a file.
Surface through_file(const Surface& surface, MeshFormat format, const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / (std::string("variant") + ending(format))).string();
    write_surface(path, surface, format);
    Surface back = read_surface(path);
    std::filesystem::remove(path);
    return back;
}

Solid solid_of(const std::vector<NamedSurface>& surfaces, int cells) {
    SolidSettings settings;
    settings.cells = cells;
    Progress quiet;
    return make_solid(surfaces, settings, quiet);
}

}  // namespace

std::vector<Variant> corpus(std::size_t count) {
    constexpr Dirt kinds[] = {Dirt::holes, Dirt::flipped, Dirt::doubled, Dirt::overlapped,
                              Dirt::noise, Dirt::gaps,    Dirt::soup,    Dirt::combined};
    constexpr MeshFormat formats[] = {MeshFormat::obj, MeshFormat::stl, MeshFormat::ply};
    const std::vector<std::string> names = asset_names();
    std::vector<Variant> out;
    for (std::size_t i = 0; i < count; ++i) {
        // Kinds shift by one with every round of the assets: the first few are a mixture already, and every pair comes.
        const std::size_t asset = i % names.size(), round = i / names.size();
        out.push_back({names[asset], kinds[(asset + round) % std::size(kinds)], static_cast<std::uint32_t>(i + 1),
                       formats[(i + i / (names.size() * std::size(kinds))) % 3]});
    }
    return out;
}

const Asset& CorpusRun::asset(const std::string& name) {
    const auto found = assets_.find(name);
    return found != assets_.end() ? found->second : assets_.emplace(name, make_asset(name, triangles_)).first->second;
}

double CorpusRun::volume_of(const std::vector<NamedSurface>& surfaces) const {
    return solid_of(surfaces, cells_).volume;
}

double CorpusRun::clean_volume(const std::string& name) {
    const auto found = volumes_.find(name);
    return found != volumes_.end() ? found->second
                                   : volumes_.emplace(name, volume_of(named_surfaces(asset(name)))).first->second;
}

Outcome CorpusRun::judge(const std::vector<NamedSurface>& surfaces, double truth) const {
    Outcome out;
    try {
        const auto began = std::chrono::steady_clock::now();
        const Solid solid = solid_of(surfaces, cells_);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        out.volume_error = solid.volume / truth - 1.0;
        out.smallest_angle = solid.smallest_angle;
        out.cells = solid.mesh.cell_count();
        out.parts = solid.parts;
        const std::size_t negative = tet_quality(solid.mesh).negative;
        if (negative > 0)
            out.fault = counted(negative, "negative cell");
        else if (!(out.smallest_angle > kLeastAngle))
            out.fault = text("an angle of ", out.smallest_angle, " degrees");
        else if (!(std::abs(out.volume_error) < kVolumeTolerance))
            out.fault = fmt::format("volume off by {:.2f} %", 100.0 * out.volume_error);
        if (!out.fault.empty()) return out;
        out.sag = simulate(solid.mesh, out.fault) / diagonal_of(solid.mesh);
        if (out.fault.empty() && !(out.sag > 0.0 && out.sag < kLargestSag))
            out.fault = text("moved by ", out.sag, " of its diagonal");
    } catch (const Error& error) {
        out.fault = error.what();
    }
    return out;
}

Outcome CorpusRun::run(const Variant& variant) {
    const Asset& clean = asset(variant.asset);
    std::vector<NamedSurface> dirty, truth;
    std::string about;
    for (std::size_t s = 0; s < clean.surfaces.size(); ++s) {
        const DirtySurface d = spoil(clean.surfaces[s].surface, variant.dirt,
                                     variant.seed + 1000 * static_cast<std::uint32_t>(s));
        about += (about.empty() ? "" : " | ") + d.about;
        dirty.push_back({clean.surfaces.size() > 1 ? clean.surfaces[s].name : std::string(),
                         through_file(d.surface, variant.format, folder_)});
        for (std::size_t t = 0; t < d.truth.size(); ++t)
            truth.push_back({text(clean.surfaces[s].name, "_", t), d.truth[t]});
    }
    Outcome out = judge(dirty, truth.size() == clean.surfaces.size() ? clean_volume(variant.asset) : volume_of(truth));
    out.about = text(variant.asset, " ", to_string(variant.dirt), " ", variant.seed, ending(variant.format), " (",
                     about, ")");
    return out;
}

namespace {

/// The volume that a surface's winding number calls inside, from one point in every box of a fine grid. The point's
/// place in its box wanders: on a regular grid, limbs that lie along an axis would be counted a row too thick or too
/// thin.
double fine_volume(const WindingNumber& winding) {
    constexpr int kFine = 192;  // boxes along the longest side: good to about 0.1 %
    const Box3 box = box_of(winding.triangles().vertices);
    const Vec3 size = box.size();
    const double spacing = std::max({size.x, size.y, size.z}) / kFine;
    const auto count = [&](double length) { return static_cast<std::size_t>(std::ceil(length / spacing)) + 1; };
    const auto part = [](double x) { return x - std::floor(x); };
    std::size_t in = 0, number = 0;
    for (std::size_t i = 0; i < count(size.x); ++i) {
        for (std::size_t j = 0; j < count(size.y); ++j) {
            for (std::size_t k = 0; k < count(size.z); ++k) {
                const auto n = static_cast<double>(
                    ++number);  // a sequence of low discrepancy, by powers of the root of x^4 = x + 1
                const Vec3 at{static_cast<double>(i) + part(0.8191725133961645 * n),
                              static_cast<double>(j) + part(0.6710436067037893 * n),
                              static_cast<double>(k) + part(0.5497004779019703 * n)};
                in += winding.inside(box.low - (0.5 * spacing) * Vec3{1, 1, 1} + spacing * at) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(in) * spacing * spacing * spacing;
}

}  // namespace

Outcome CorpusRun::run_file(const std::string& path) {
    const Surface surface = read_surface(path);
    CleanReport report;
    const WindingNumber winding(clean(surface, 0.0, report));
    Outcome out = judge({{"", surface}}, fine_volume(winding));
    out.about = std::filesystem::path(path).filename().string();
    return out;
}

}  // namespace limber::testing
