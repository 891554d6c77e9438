#include "sim/softness.hpp"

#include "core/percentile.hpp"
#include "core/rounded_up.hpp"
#include "core/text.hpp"
#include "sim/edge_change.hpp"

#include <limber/method.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace limber {
namespace {

constexpr double kTooMuch =
    0.2;  // change of edges at rest, turns included, beyond which softness is what troubles a body
constexpr double kFarTooMuch = 2.0;  // beyond which it is said before the run
constexpr std::size_t kQuickCells = 10000;
constexpr double kModerate = 0.05;     // that any law bears; at first the body swings to twice as much
constexpr double kStiffest = 1e15;     // [Pa] that a scene takes
constexpr std::size_t kMostNamed = 4;  // cells

std::string near_words(const Vec3& at) { return fmt::format("near ({:.3g}, {:.3g}, {:.3g}) m", at.x, at.y, at.z); }

}  // namespace

double strain_at_rest(const std::shared_ptr<const Body>& body, const Loads& loads) {
    if (body->support() != Support::held || !body->handles().empty() || !loads.obstacles.empty()) return 0.0;
    try {
        Progress silent;
        const auto still = require_method("linear_fem")
                               .prepare(body, {{"scheme", std::string("quasi_static")}, {"step", 1.0}}, silent);
        State state = still->rest_state();
        Workspace scratch = still->make_workspace();
        Loads alone;
        alone.force = loads.force;
        alone.gravity = loads.gravity;
        if (still->step(state, alone, 1.0, scratch).trouble != Trouble::none) return 0.0;
        std::vector<Vec3> displacement(body->vertex_count());
        still->displacements(state, displacement);
        std::vector<double> strain;
        for (std::size_t c = 0; c < body->mesh().cell_count(); ++c)
            strain.push_back(edge_change(body->mesh(), c, displacement));
        if (strain.empty()) return 0.0;
        std::sort(strain.begin(), strain.end());
        const double most = percentile(strain, 0.99);
        return std::isfinite(most) ? most : 0.0;
    } catch (const Error&) {
        return 0.0;
    }
}

std::string softness_warning(const Scene& scene, const std::shared_ptr<const Body>& body, const Loads& loads) {
    const double strain = strain_at_rest(body, loads);
    if (strain <= kTooMuch) return {};
    const double factor = strain / kModerate;
    std::string out = fmt::format(
        "the material is too soft for these loads: once at rest, its cells would be stretched or turned by {:.0f} % "
        "(one in a hundred by more). A material {} times as stiff would make that {:.0f} %",
        100.0 * strain, plain_number(factor, 2), 100.0 * kModerate);
    if (scene.bodies.size() == 1 && body->materials().size() == 1) {
        const double young = rounded_up(factor * body->materials()[0].young);
        out += young <= kStiffest ? text(": --set material.young=", young, " (thin legs may still buckle)")
                                  : ", but is stiffer than a scene may be: make the loads smaller";
    }
    return out;
}

std::string too_soft_warning(const Scene& scene, const std::shared_ptr<const Body>& body) {
    if (!is_of_large_strain(scene) || body->mesh().cell_count() > kQuickCells) return {};
    Timeline timeline(scene, body);
    const Loads& loads = timeline.at_step(timeline.step_count());
    return strain_at_rest(body, loads) > kFarTooMuch ? softness_warning(scene, body, loads) : std::string();
}

bool is_of_large_strain(const Scene& scene) {
    const Method* method = find_method(scene.method.name);
    const OptionTable options = method != nullptr ? method->options() : OptionTable{};
    return std::any_of(options.begin(), options.end(), [](const OptionSpec& o) { return o.name == "max_newton"; });
}

std::string cell_words(const Mesh& mesh, std::int32_t cell) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= mesh.cell_count()) return text("cell ", cell);
    Vec3 middle;
    const int corners = corners_of(mesh.kind);
    for (int a = 0; a < corners; ++a) {
        middle += mesh.vertices[static_cast<std::size_t>(mesh.cell(static_cast<std::size_t>(cell))[a])] /
                  static_cast<double>(corners);
    }
    return text("cell ", cell, " ", near_words(middle));
}

std::string position_words(const Mesh& mesh, std::int32_t vertex) {
    std::vector<std::size_t> around;
    const int corners = corners_of(mesh.kind);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        if (std::count(mesh.cell(c), mesh.cell(c) + corners, vertex) > 0) around.push_back(c);
    std::string cells;
    for (std::size_t k = 0; k < std::min(around.size(), kMostNamed); ++k) cells += text(k == 0 ? "" : ", ", around[k]);
    if (around.size() > kMostNamed) cells += text(" and ", around.size() - kMostNamed, " more");
    return text("at vertex ", vertex, " of cells ", cells, ", ",
                near_words(mesh.vertices[static_cast<std::size_t>(vertex)]));
}

}  // namespace limber
