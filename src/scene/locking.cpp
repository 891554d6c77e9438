// Where plain elements would lock: nearly incompressible materials on cells of full integration.
#include <limber/scene.hpp>

#include "core/text.hpp"

#include <set>

namespace limber {

namespace {

/// From here on the volumetric stiffness dominates the answer of fully integrated linear cells.
constexpr double kLockingPoisson = 0.45;

bool has_only_linear_shape(CellKind kind) { return kind != CellKind::tet10; }

std::string advice(CellKind kind) {
    const bool bricks = kind == CellKind::quad4 || kind == CellKind::hex8;
    return bricks ? "use \"integration\": \"bbar\"" : (kind == CellKind::tet4 ? "use \"integration\": \"bbar\" or tet10 cells" : "use \"integration\": \"bbar\" or quad4 cells");
}

}  // namespace

std::vector<LockingRisk> locking_risks(const Body& body, bool full_integration) {
    std::vector<LockingRisk> risks;
    const CellKind kind = body.mesh().kind;
    // Plane stress lets the body thin freely in depth, so nothing has to keep its area.
    const bool free_in_depth = body.mesh().dimension() == 2 && body.plane() == Plane::stress;
    if (!full_integration || !has_only_linear_shape(kind) || free_in_depth) return risks;

    std::set<std::int32_t> used;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) used.insert(body.material_index(c));
    for (const std::int32_t index : used) {
        const Material& m = body.materials()[static_cast<std::size_t>(index)];
        if (m.poisson < kLockingPoisson) continue;
        LockingRisk risk;
        risk.material = static_cast<std::size_t>(index);
        risk.poisson = m.poisson;
        risk.stiffening = m.bulk() / m.shear();
        risk.message = text("Poisson's ratio ", m.poisson, " on plain ", to_string(kind), " cells will lock: volume change is ",
                            fmt::format("{:.3g}", risk.stiffening), " times as stiff as shear, and the body will move too little; ",
                            advice(kind));
        risks.push_back(std::move(risk));
    }
    return risks;
}

}  // namespace limber
