#include "body/flesh_trial.hpp"

#include "body/flesh_region.hpp"

#include <limber/error.hpp>

#include <optional>

namespace limber {
namespace {

constexpr int kTrialCells = 500;

std::string why_not(FleshGround& ground, const std::string& line, Progress& progress) {
    try {
        const Region region = parse_region(line);
        ground.set_regions(std::span(&region, 1));
        const FleshPart part = make_part(ground, 0, progress);
        return {};
    } catch (const Error& e) {
        if (e.fault() == Fault::interrupted) throw;
        return e.found();
    }
}

}  // namespace

std::vector<FleshTrial> try_flesh(const Rig& rig, const std::vector<std::string>& lines, Progress& progress) {
    FleshSettings few;
    few.cells = kTrialCells;
    std::vector<FleshTrial> out;
    std::optional<FleshGround> ground;
    std::string no_ground;
    try {
        if (!lines.empty()) ground.emplace(rig, std::span<const Region>{}, few, progress);
    } catch (const Error& e) {
        if (e.fault() == Fault::interrupted) throw;
        no_ground = e.found();
    }
    if (ground) ground->meant_cells = FleshSettings{}.cells;
    for (const std::string& line : lines) out.push_back({line, ground ? why_not(*ground, line, progress) : no_ground});
    return out;
}

}  // namespace limber
