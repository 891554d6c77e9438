// The matrix of a static problem: known and unknown columns sorted apart, bordered by rigid modes.
#include "bem/static_problem.hpp"

#include "bem/inner_rows.hpp"
#include "bem/rigid_modes.hpp"
#include "core/text.hpp"
#include "linalg/dense_lu.hpp"

#include <limber/error.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace limber {

StaticConditions::StaticConditions(const BoundarySystem& system)
    : held(system.unknowns(), 0),
      displacement(system.unknowns(), 0.0),
      slot(system.tractions(), SlotTraction::given),
      traction(system.tractions(), 0.0),
      body_force(system.body.columns, 0.0),
      system_(&system) {}

void StaticConditions::hold(std::size_t node, int component, double value, SlotTraction slots) {
    const auto d = static_cast<std::size_t>(system_->dimension()), c = static_cast<std::size_t>(component);
    held[d * node + c] = 1;
    displacement[d * node + c] = value;
    for (const std::int32_t s : system_->node_slots[node]) slot[d * static_cast<std::size_t>(s) + c] = slots;
}

void StaticConditions::hold_facets(std::span<const std::int32_t> facets, int component,
                                   const std::function<double(const Vec3&)>& value) {
    const auto d = static_cast<std::size_t>(system_->dimension()), c = static_cast<std::size_t>(component);
    const std::size_t per_facet = system_->facet_slots.size() / system_->shape.facet_count();
    for (const std::int32_t facet : facets) {
        for (std::size_t k = 0; k < per_facet; ++k) {
            const auto s = static_cast<std::size_t>(
                system_->facet_slots[per_facet * static_cast<std::size_t>(facet) + k]);
            const auto node = static_cast<std::size_t>(system_->slot_node[s]);
            held[d * node + c] = 1;
            displacement[d * node + c] = value(system_->nodes[node]);
            slot[d * s + c] = SlotTraction::unknown;
        }
    }
}

namespace {

constexpr std::size_t kKnown = static_cast<std::size_t>(-1);

/// One more equation for a node, collocated at a point just outside, in some components.
struct ExtraPoint {
    Vec3 at;
    std::vector<std::size_t> components;
};

/// Where each unknown is in the solved vector: displacements, then tractions (times size / shear), then multipliers of
/// rigid modes.
struct Layout {
    std::size_t d = 2, modes = 3, unknowns = 0;
    double size = 1.0;              ///< [m]
    double unit = 1.0;              ///< a traction of one unknown [Pa/m]
    std::vector<std::size_t> u, t;  ///< column per node (slot) and component, or kKnown
    std::vector<ExtraPoint> extra;
};

/// Beside the facet of a surplus slot, halfway from its node to the others so that no two nodes ask for the same point,
/// and a tenth of the facet's size outside: there 0 = G t - H u + B f needs no displacement of its own.
Vec3 point_beside(const BoundarySystem& system, std::size_t node, std::int32_t slot) {
    const auto d = static_cast<std::size_t>(system.dimension());
    const auto at = std::find(system.facet_slots.begin(), system.facet_slots.end(), slot) - system.facet_slots.begin();
    const std::size_t facet = static_cast<std::size_t>(at) / d;
    Vec3 sum;
    for (std::size_t k = 0; k < d; ++k)
        sum += system.shape.points[static_cast<std::size_t>(system.shape.facets[d * facet + k])];
    const Vec3 outward = outward_of(system.shape, facet);
    const double size = d == 2 ? norm(outward) : std::sqrt(2 * norm(outward));
    const Vec3 own = system.nodes[node];
    const Vec3 others = (sum - own) / static_cast<double>(d - 1);
    return 0.5 * own + 0.5 * others + (0.1 * size / norm(outward)) * outward;
}

[[noreturn]] void throw_contradiction(std::size_t node, std::size_t component, const char* what) {
    throw Error(Fault::bad_usage, {}, text("component ", component, " of boundary node ", node, " is ", what),
                "a displacement with an unknown traction, or tractions with an unknown displacement");
}

/// Numbers the unknown tractions of one node and component; how many there are.
std::size_t number_tractions(const BoundarySystem& system, const StaticConditions& conditions, std::size_t node,
                             std::size_t c, Layout& layout) {
    std::size_t count = 0, shared = kKnown;
    for (const std::int32_t s : system.node_slots[node]) {
        const std::size_t index = layout.d * static_cast<std::size_t>(s) + c;
        if (conditions.slot[index] == SlotTraction::given) continue;
        if (conditions.slot[index] == SlotTraction::shared && shared != kKnown) {
            layout.t[index] = shared;
            continue;
        }
        layout.t[index] = layout.unknowns++;
        if (conditions.slot[index] == SlotTraction::shared) shared = layout.t[index];
        ++count;
    }
    return count;
}

Layout layout_of(const BoundarySystem& system, const StaticConditions& conditions) {
    Layout layout;
    layout.d = static_cast<std::size_t>(system.dimension());
    layout.modes = mode_count(system.dimension());
    layout.size = boundary_radius(system);
    layout.unit = system.material.shear / layout.size;
    layout.u.assign(system.unknowns(), kKnown);
    layout.t.assign(system.tractions(), kKnown);
    for (std::size_t i = 0; i < layout.u.size(); ++i)
        if (!conditions.held[i]) layout.u[i] = layout.unknowns++;
    for (std::size_t node = 0; node < system.nodes.size(); ++node) {
        std::vector<std::vector<std::size_t>> surplus(system.node_slots[node].size());
        for (std::size_t c = 0; c < layout.d; ++c) {
            const std::size_t count = number_tractions(system, conditions, node, c, layout);
            const bool held = conditions.held[layout.d * node + c] != 0;
            if (held && count == 0) throw_contradiction(node, c, "held although its tractions are given");
            if (!held && count > 0) throw_contradiction(node, c, "free although a traction there is unknown");
            for (std::size_t k = 1; k < count; ++k) surplus[k].push_back(c);
        }
        for (std::size_t k = 1; k < surplus.size(); ++k) {
            if (!surplus[k].empty())
                layout.extra.push_back({point_beside(system, node, system.node_slots[node][k]), surplus[k]});
        }
    }
    return layout;
}

/// The linear system, in metres throughout.
struct Bordered {
    DenseMatrix a;
    std::vector<double> z;
};

/// Rows of  H u - G t - R w = B f, of which some are taken: from row `first` to row `second`.
struct RowSource {
    const DenseMatrix &h, &g, &body;
};
using RowPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// One column: into the matrix when it is unknown, onto the right-hand side times its value when it is known.
void scatter_column(const double* column, const RowPairs& rows, std::size_t to, double factor, double value,
                    Bordered& out) {
    if (to != kKnown)
        for (const auto& [row, target] : rows) out.a(target, to) += factor * column[row];
    else if (value != 0.0)
        for (const auto& [row, target] : rows) out.z[target] -= value * column[row];
}

void scatter_rows(const Layout& layout, const StaticConditions& conditions, const RowSource& from, const RowPairs& rows,
                  Bordered& out) {
    for (std::size_t j = 0; j < layout.u.size(); ++j)
        scatter_column(from.h.column(j), rows, layout.u[j], 1.0, conditions.displacement[j], out);
    for (std::size_t j = 0; j < layout.t.size(); ++j)
        scatter_column(from.g.column(j), rows, layout.t[j], -layout.unit, -conditions.traction[j], out);
    for (std::size_t j = 0; j < conditions.body_force.size(); ++j)
        scatter_column(from.body.column(j), rows, kKnown, 0.0, -conditions.body_force[j], out);
}

void set_multipliers(const BoundarySystem& system, const Layout& layout, const Vec3& at, std::size_t component,
                     std::size_t row, Bordered& out) {
    for (std::size_t m = 0; m < layout.modes; ++m) {
        out.a(row, layout.unknowns + m) = -rigid_mode(system.dimension(), m, at - system.origin,
                                                      layout.size)[static_cast<int>(component)];
    }
}

std::size_t add_equations(const BoundarySystem& system, const StaticConditions& conditions, const Layout& layout,
                          Bordered& out) {
    RowPairs rows;
    for (std::size_t row = 0; row < system.unknowns(); ++row) {
        rows.emplace_back(row, row);
        set_multipliers(system, layout, system.nodes[row / layout.d], row % layout.d, row, out);
    }
    scatter_rows(layout, conditions, {system.h, system.g, system.body}, rows, out);
    std::size_t next = rows.size();
    for (const ExtraPoint& point : layout.extra) {
        const InnerRows inner = displacement_rows(system, point.at);
        rows.clear();
        for (const std::size_t c : point.components) {
            rows.emplace_back(c, next);
            set_multipliers(system, layout, point.at, c, next++, out);
        }
        scatter_rows(layout, conditions, {inner.h, inner.g, inner.body}, rows, out);
    }
    return next;
}

/// Directions in the space of rigid modes: those that held displacements stop first, then those that nothing stops.
struct Directions {
    Eigen::MatrixXd of_modes;  ///< columns
    std::size_t free = 0;
};

Directions directions_of(const BoundarySystem& system, const StaticConditions& conditions, const Layout& layout) {
    const auto modes = static_cast<Eigen::Index>(layout.modes);
    Eigen::MatrixXd stopped = Eigen::MatrixXd::Zero(modes, modes);
    Eigen::VectorXd row(modes);
    for (std::size_t i = 0; i < conditions.held.size(); ++i) {
        if (!conditions.held[i]) continue;
        for (Eigen::Index m = 0; m < modes; ++m) {
            row[m] = rigid_mode(system.dimension(), static_cast<std::size_t>(m),
                                system.nodes[i / layout.d] - system.origin,
                                layout.size)[static_cast<int>(i % layout.d)];
        }
        stopped += row * row.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(stopped);
    Directions out;
    out.of_modes = eigen.eigenvectors().rowwise().reverse();  // the most stopped first
    for (Eigen::Index m = 0; m < modes; ++m)
        if (eigen.eigenvalues()[m] <= 1e-12 * std::max(1.0, eigen.eigenvalues()[modes - 1])) ++out.free;
    return out;
}

/// Work of given loads on each rigid mode, over a force scale; throws when it does not vanish for a mode that is free.
Eigen::VectorXd work_on_modes(const BoundarySystem& system, const Layout& layout, const Resultant& r) {
    Eigen::VectorXd out(static_cast<Eigen::Index>(layout.modes));
    for (std::size_t m = 0; m < layout.modes; ++m) {
        out[static_cast<Eigen::Index>(m)] = m < layout.d
                                                ? r.force[static_cast<int>(m)]
                                                : r.torque[system.dimension() == 2 ? 2 : static_cast<int>(m - 3)] /
                                                      layout.size;
    }
    return out;
}

void require_balance(const BoundarySystem& system, const StaticConditions& conditions, const Layout& layout,
                     const Directions& directions, const Resultant& r, const Eigen::VectorXd& work) {
    double scale = norm(body_resultant(system, conditions.body_force, system.origin).force);
    for (std::size_t j = 0; j < conditions.traction.size(); ++j)
        if (layout.t[j] == kKnown) scale += std::abs(conditions.traction[j]) * system.slot_weight[j / layout.d];
    for (std::size_t k = layout.d; k < conditions.body_force.size(); ++k)
        scale += std::abs(conditions.body_force[k]) * system.measure * layout.size;
    for (std::size_t k = layout.modes - directions.free; k < layout.modes; ++k) {
        if (std::abs(work.dot(directions.of_modes.col(static_cast<Eigen::Index>(k)))) > 1e-9 * scale) {
            const char* expected = "loads in balance, or displacement conditions that stop the motion";
            if (directions.free <
                layout.modes)  // what is held takes part of the loads: their sum says nothing about the rest
            {
                throw Error(Fault::bad_usage, {},
                            text("loads that drive a rigid motion; conditions leave ", directions.free, " of ",
                                 layout.modes, " free"),
                            expected);
            }
            const auto shown = [&](double value, double of) {
                return fmt::format("{:.4g}", std::abs(value) < 1e-11 * of ? 0.0 : value);
            };
            const double turning = scale * layout.size;
            throw Error(Fault::bad_usage, {},
                        text("loads on a body that is free to move leave a force of (", shown(r.force.x, scale), ", ",
                             shown(r.force.y, scale), ", ", shown(r.force.z, scale), ") N and a torque of (",
                             shown(r.torque.x, turning), ", ", shown(r.torque.y, turning), ", ",
                             shown(r.torque.z, turning), ") N m", layout.d == 2 ? " per metre of depth" : ""),
                        expected);
        }
    }
}

/// Balance of force and torque for the directions that something holds; no mean rigid motion for the others.
void add_border(const BoundarySystem& system, const StaticConditions& conditions, const Layout& layout,
                const Directions& directions, std::size_t row, Bordered& out) {
    std::vector<double> given(conditions.traction);
    for (std::size_t j = 0; j < given.size(); ++j)
        if (layout.t[j] != kKnown) given[j] = 0.0;
    Resultant load = traction_resultant(system, given, system.origin);
    const Resultant body = body_resultant(system, conditions.body_force, system.origin);
    load.force += body.force;
    load.torque += body.torque;
    const Eigen::VectorXd work = work_on_modes(system, layout, load);
    require_balance(system, conditions, layout, directions, load, work);

    const std::size_t stopped = layout.modes - directions.free;
    const double force_unit = layout.unit * std::pow(layout.size, system.dimension() - 1);
    const auto direction = [&](std::size_t m, std::size_t k) {
        return directions.of_modes(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(k));
    };
    double boundary = 0.0;
    for (const double w : system.slot_weight) boundary += w;
    for_slot_shares(system, {}, [&](const SlotShare& share) {
        const Vec3 centre = share.moment / share.weight;
        const auto node = static_cast<std::size_t>(system.slot_node[share.slot]);
        for (std::size_t m = 0; m < layout.modes; ++m) {
            const Vec3 pull = rigid_mode(system.dimension(), m, centre - system.origin, layout.size);
            const Vec3 mean = rigid_mode(system.dimension(), m, system.nodes[node] - system.origin, layout.size);
            for (std::size_t c = 0; c < layout.d; ++c) {
                const std::size_t t = layout.t[layout.d * share.slot + c], u = layout.u[layout.d * node + c];
                for (std::size_t k = 0; k < layout.modes; ++k) {
                    if (k < stopped && t != kKnown) {
                        out.a(row + k, t) += direction(m, k) * share.weight * pull[static_cast<int>(c)] * layout.unit /
                                             force_unit;
                    }
                    const double average = direction(m, k) * share.weight / boundary * mean[static_cast<int>(c)];
                    if (k >= stopped && u != kKnown) out.a(row + k, u) += average;
                    if (k >= stopped && u == kKnown)
                        out.z[row + k] -= average * conditions.displacement[layout.d * node + c];
                }
            }
        }
    });
    for (std::size_t k = 0; k < stopped; ++k)
        out.z[row + k] -= work.dot(directions.of_modes.col(static_cast<Eigen::Index>(k))) / force_unit;
}

}  // namespace

StaticSolution solve_static(const BoundarySystem& system, const StaticConditions& conditions, Progress& progress) {
    const Layout layout = layout_of(system, conditions);
    const std::size_t count = layout.unknowns + layout.modes;
    Bordered problem{DenseMatrix(count, count), std::vector<double>(count, 0.0)};
    const std::size_t row = add_equations(system, conditions, layout, problem);
    const Directions directions = directions_of(system, conditions, layout);
    add_border(system, conditions, layout, directions, row, problem);
    const DenseLu lu(std::move(problem.a), progress, "solving");
    lu.solve(problem.z.data());

    StaticSolution out;
    out.displacement = conditions.displacement;
    out.traction = conditions.traction;
    out.body_force = conditions.body_force;
    for (std::size_t j = 0; j < layout.u.size(); ++j)
        if (layout.u[j] != kKnown) out.displacement[j] = problem.z[layout.u[j]];
    for (std::size_t j = 0; j < layout.t.size(); ++j)
        if (layout.t[j] != kKnown) out.traction[j] = layout.unit * problem.z[layout.t[j]];
    out.misfit.assign(problem.z.begin() + static_cast<std::ptrdiff_t>(layout.unknowns), problem.z.end());
    out.free_modes = static_cast<int>(directions.free);
    out.condition = lu.condition();
    return out;
}

}  // namespace limber
