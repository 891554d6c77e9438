#include "methods/bem/held_shape.hpp"

#include "contact/facet_gap.hpp"
#include "contact/gap.hpp"
#include "deform/obstacle_shape.hpp"
#include "methods/bem/held_energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kPiercing = 1e-9;  // of the body's size
constexpr double kPulling = 1e-9;   // of the largest traction
constexpr double kInside = 1e-6;    // of the body's size: deeper than rounding and than what was asked for
constexpr double kInFacet = 0.05;   // of the body's size, or half of the obstacle's: deeper between vertices is no
                                    // longer the facets' own coarseness
constexpr double kOwnWay = 0.1;     // share of a contact's direction that nothing else at the node prescribes
constexpr double kFacing =
    0.1;  // cosine: points of sides and of the back, which a soft body drags through an obstacle, are not pushed out
constexpr double kJump =
    0.1;  // of half the obstacle's width: a deeper way from one shape to the next is no sliding around it
constexpr int kPatience = 5;  // rounds of exchanging all without fewer wrong ones
constexpr int kRoundsPerPass = 25;

}  // namespace

HeldShape::HeldShape(const Body& body, const Supports& supports, const FreeResponse& response,
                     const BoundaryShape& shape, const std::vector<std::int32_t>& node_of, std::size_t contacts,
                     int passes)
    : response_(response),
      shape_(shape),
      held_axes_(response.nodes(), 0),
      normal_(outward_at_points(shape)),
      contacts_(contacts),
      passes_(passes) {
    const int d = body.mesh().dimension();
    const std::vector<std::int32_t>& all = supports.prescribed();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::int32_t node = node_of[static_cast<std::size_t>(all[k] / d)];
        if (node < 0) continue;
        Vec3 axis;
        axis[all[k] % d] = 1.0;
        prescribed_.push_back({node, axis});
        number_.push_back(k);
        held_axes_[static_cast<std::size_t>(node)] |= static_cast<std::uint8_t>(1u << (all[k] % d));
    }
    if (prescribed_.empty()) {
        throw Error(Fault::unsupported, {}, "supports that hold no vertex of the boundary",
                    "anchors or handles with vertices on the surface");
    }
    std::vector<double> memory(LowRank::reals_needed(capacity()));
    std::vector<PrescribedDirection> items(capacity());
    LowRank rank(response_, capacity(), memory.data(), items.data());
    for (const PrescribedDirection& item : prescribed_) {
        if (!rank.insert(item)) {
            throw Error(Fault::bad_mesh, {}, "supports that repeat each other to working precision",
                        "vertices apart from each other");
        }
    }
    rank.export_small(prepared_);
}

std::size_t HeldShape::scratch_reals() const {
    return LowRank::reals_needed(capacity()) + (3 + 2 * LowRank::kMaxExtra) * capacity() + 2 * response_.size();
}

/// One balance, on scratch memory.
struct HeldShape::Search {
    Search(const HeldShape& owner, const Input& in, std::int32_t* per_node, double* displacement, double* scratch,
           PrescribedDirection* items)
        : self(owner),
          input(in),
          response(owner.response_),
          d(static_cast<std::size_t>(response.dimension())),
          rigid(static_cast<std::size_t>(response.rigid_count())),
          contacts_of(per_node),
          u(displacement),
          rank(response, owner.capacity(), scratch, items) {
        const std::size_t c = owner.capacity();
        target = scratch + LowRank::reals_needed(c);
        tau = target + c;
        field = tau + c;
        weight = field + LowRank::kMaxExtra * c;
        free_u = weight + LowRank::kMaxExtra * c;
        start = free_u + response.size();
        std::copy(u, u + response.size(), start);
        touched = reinterpret_cast<std::int32_t*>(start + response.size());
        rank.import_small(self.prepared_, self.prescribed_);
        size = std::pow(response.enclosed().measure, 1.0 / static_cast<double>(d));
    }

    /// What loads alone do to the floating body, and what they sum to.
    void apply_loads() {
        std::fill(free_u, free_u + response.size(), 0.0);
        for (std::size_t k = 0; k < rigid; ++k) sum[k] = k < d ? -input.weight[static_cast<int>(k)] : 0.0;
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            for (std::size_t c = 0; c < d; ++c) {
                const double f = input.force[d * i + c];
                if (f == 0.0) continue;
                const double traction = f / (response.weight(i, static_cast<int>(c)) * input.thickness);
                const double* column = response.column(i, static_cast<int>(c));
                for (std::size_t j = 0; j < response.size(); ++j) free_u[j] += traction * column[j];
                for (std::size_t k = 0; k < rigid; ++k)
                    sum[k] -= f * response.rigid_motion(i, static_cast<int>(k))[static_cast<int>(c)];
            }
        }
        for (std::size_t k = 0; k < self.number_.size(); ++k) target[k] = asked(k, input.target[self.number_[k]]);
    }

    double asked(std::size_t item, double displacement) const {
        const PrescribedDirection& p = rank.item(item);
        double there = 0.0;
        for (std::size_t c = 0; c < d; ++c)
            there += p.direction[static_cast<int>(c)] * free_u[d * static_cast<std::size_t>(p.node) + c];
        return displacement - there;
    }

    bool balance() {
        const std::size_t s = rank.count();
        for (std::size_t k = 0; k < rigid; ++k) {
            for (std::size_t a = 0; a < s; ++a) {
                const auto node = static_cast<std::size_t>(rank.item(a).node);
                field[k * s + a] = dot(rank.item(a).direction, response.rigid_motion(node, static_cast<int>(k)));
                weight[k * s + a] = response.work(node, rank.item(a).direction, static_cast<int>(k)) * input.thickness;
            }
        }
        if (!rank.solve(target, field, weight, sum, rigid, tau, amplitude)) return false;
        std::copy(free_u, free_u + response.size(), u);
        rank.add_displacement(tau, u);
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            for (std::size_t k = 0; k < rigid; ++k) {
                const Vec3 motion = response.rigid_motion(i, static_cast<int>(k)) * amplitude[k];
                for (std::size_t c = 0; c < d; ++c) u[d * i + c] += motion[static_cast<int>(c)];
            }
        }
        return true;
    }

    Vec3 displacement_of(std::size_t i) const { return {u[d * i], u[d * i + 1], d == 3 ? u[d * i + 2] : 0.0}; }
    Vec3 world(std::size_t i, const double* displacement) const {
        Vec3 x = response.position(i);
        for (std::size_t c = 0; c < d; ++c) x[static_cast<int>(c)] += displacement[d * i + c];
        return x;
    }
    Vec3 world(std::size_t i) const { return world(i, u); }
    Gap gap_at(std::size_t i, std::size_t obstacle, const double* displacement) const {
        return gap_against(input.obstacles[obstacle], world(i, displacement), self.normal_[i], d == 2);
    }
    Gap gap_at(std::size_t i, std::size_t obstacle) const { return gap_at(i, obstacle, u); }

    /// Whether the way from the last shape to this one led right through the obstacle: it is out again, on the wrong
    /// side.
    bool jumped(std::size_t i, std::size_t obstacle) const {
        const Obstacle& o = input.obstacles[obstacle];
        if (!has_far_side(o) || gap_at(i, obstacle, start).value < -kPiercing * size) return false;
        const Vec3 way[2] = {world(i, start), world(i)};
        return least_gap(o, way, d == 2) < -kJump * half_width(o, d == 2);
    }
    bool pierces(std::size_t i, std::size_t obstacle) const {
        return gap_at(i, obstacle).value < -kPiercing * size || jumped(i, obstacle);
    }
    std::size_t first_contact() const { return self.prescribed_.size(); }
    std::int32_t item_of(std::size_t i, std::size_t obstacle) const {
        if (contacts_of[i] == 0) return -1;
        for (std::size_t k = first_contact(); k < rank.count(); ++k) {
            if (rank.item(k).node == static_cast<std::int32_t>(i) && touched[k] == static_cast<std::int32_t>(obstacle))
                return static_cast<std::int32_t>(k);
        }
        return -1;
    }

    /// Whether a push along `way` goes into the body there, and supports and other contacts leave the node free to
    /// follow it.
    bool may_move(std::size_t i, Vec3 way) const {
        if (dot(self.normal_[i], way) > -kFacing) return false;
        for (int c = 0; c < response.dimension(); ++c)
            if (self.held_axes_[i] & (1u << c)) way[c] = 0.0;
        for (std::size_t k = first_contact(); k < rank.count(); ++k) {
            if (rank.item(k).node == static_cast<std::int32_t>(i))
                way -= rank.item(k).direction * dot(rank.item(k).direction, way);
        }
        return norm(way) > kOwnWay;
    }

    /// Onto the obstacle, which counts as flat where the point is nearest to it now, or was before it jumped.
    void add_contact(std::size_t i, std::size_t obstacle) {
        const double* from = jumped(i, obstacle) ? start : u;
        const Gap gap = gap_at(i, obstacle, from);
        if (!may_move(i, gap.gradient)) return;
        const std::size_t k = rank.count();
        if (k >= rank.capacity()) {
            dropped = true;
            return;
        }
        if (!rank.insert({static_cast<std::int32_t>(i), gap.gradient})) return;
        target[k] = asked(k, dot(gap.gradient, world(i, from) - gap.gradient * gap.value - response.position(i)));
        tau[k] = 0.0;
        touched[k] = static_cast<std::int32_t>(obstacle);
        ++contacts_of[i];
    }

    void remove_contact(std::size_t k) {
        const std::size_t last = rank.count() - 1;
        --contacts_of[rank.item(k).node];
        rank.remove(k);
        target[k] = target[last];
        tau[k] = tau[last];
        touched[k] = touched[last];
    }

    double pulling() const {
        double largest = 0.0;
        for (std::size_t k = 0; k < rank.count(); ++k) largest = std::max(largest, std::abs(tau[k]));
        return -kPulling * largest;
    }

    /// Visits what is wrong, as visit(node, obstacle, item or -1), the last first: contacts that pull, points that
    /// pierce and could be moved. True to go on.
    template <class Visit>
    void each_wrong(const Visit& visit) {
        const double least = pulling();
        for (std::size_t i = response.nodes(); i-- > 0;) {
            for (std::size_t o = input.obstacles.size(); o-- > 0;) {
                const std::int32_t k = item_of(i, o);
                const bool wrong = k >= 0
                                       ? tau[k] < least
                                       : pierces(i, o) && may_move(i, gap_at(i, o, jumped(i, o) ? start : u).gradient);
                if (wrong && !visit(i, o, k)) return;
            }
        }
    }

    std::size_t count_wrong() {
        std::size_t count = 0;
        each_wrong([&](std::size_t, std::size_t, std::int32_t) { return ++count, true; });
        return count;
    }

    /// The last wrong one, or all of them.
    void exchange(bool all) {
        if (!all) {
            each_wrong([&](std::size_t i, std::size_t o, std::int32_t k) {
                k >= 0 ? remove_contact(static_cast<std::size_t>(k)) : add_contact(i, o);
                return false;
            });
            return;
        }
        const double least = pulling();
        for (std::size_t k = rank.count(); k-- > first_contact();)
            if (tau[k] < least) remove_contact(k);
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            for (std::size_t o = 0; o < input.obstacles.size(); ++o)
                if (item_of(i, o) < 0 && pierces(i, o)) add_contact(i, o);
        }
    }

    /// Contacts that curvature left off their obstacle are put onto it where they are now. False when all lie on
    /// theirs.
    bool put_on_curves() {
        bool any = false;
        for (std::size_t k = rank.count(); k-- > first_contact();) {
            const auto node = static_cast<std::size_t>(rank.item(k).node),
                       obstacle = static_cast<std::size_t>(touched[k]);
            if (std::abs(gap_at(node, obstacle).value) <= 1e2 * kPiercing * size) continue;
            remove_contact(k);
            add_contact(node, obstacle);
            any = true;
        }
        return any;
    }

    /// False: some balance along the way could not be solved.
    bool settle(Report& report) {
        std::size_t fewest = std::numeric_limits<std::size_t>::max();
        int patience = kPatience;
        const int most = kRoundsPerPass * (self.passes_ + 1);
        report.settled = false;
        for (; report.passes < most; ++report.passes) {
            if (!balance()) return false;
            const std::size_t wrong = count_wrong();
            if (wrong == 0) {
                report.settled = !put_on_curves();
                if (report.settled) return true;
                fewest = std::numeric_limits<std::size_t>::max();
                patience = kPatience;
                continue;
            }
            if (wrong < fewest) {
                fewest = wrong;
                patience = kPatience;
            } else
                --patience;
            exchange(patience > 0);
        }
        return balance();
    }

    /// Where the shape is in an obstacle after all: points that supports keep there, and facets between their vertices.
    void report_penetration(Report& report) const {
        const auto note = [&](std::size_t node, double gap, double allowed) {
            if (gap < -allowed && report.inside < 0) report.inside = static_cast<std::int32_t>(node);
            report.depth = std::max(report.depth, -gap / size);
        };
        for (std::size_t o = 0; o < input.obstacles.size(); ++o) {
            for (std::size_t i = 0; i < response.nodes(); ++i) note(i, gap_at(i, o).value, kInside * size);
            if (!has_far_side(input.obstacles[o])) continue;  // deepest at a vertex
            const double allowed = std::min(kInFacet * size, 0.5 * half_width(input.obstacles[o], d == 2));
            for (std::size_t f = 0; f < self.shape_.facet_count(); ++f) {
                Vec3 corner[3];
                for (std::size_t k = 0; k < d; ++k)
                    corner[k] = world(static_cast<std::size_t>(self.shape_.facets[d * f + k]));
                note(static_cast<std::size_t>(self.shape_.facets[d * f]),
                     least_gap(input.obstacles[o], {corner, d}, d == 2), allowed);
            }
        }
    }

    const HeldShape& self;
    const Input& input;
    const FreeResponse& response;
    std::size_t d, rigid;
    std::int32_t *contacts_of, *touched = nullptr;  // how many each node has; the obstacle of each
    double *u, *target = nullptr, *tau = nullptr, *field = nullptr, *weight = nullptr, *free_u = nullptr,
               *start = nullptr;
    double sum[LowRank::kMaxExtra] = {}, amplitude[LowRank::kMaxExtra] = {};
    LowRank rank;
    double size = 1.0;
    bool dropped = false;
};

HeldShape::Report HeldShape::solve(const Input& input, std::int32_t* marks, double* u, double* support,
                                   double* pressure, Wrench* wrenches, double* scratch,
                                   PrescribedDirection* items) const noexcept {
    Search search(*this, input, marks, u, scratch, items);
    Report report;
    search.apply_loads();
    for (std::size_t i = 0; i < response_.nodes(); ++i) {
        const std::int32_t obstacle = marks[i] - 1;
        marks[i] = 0;  // from here to the end: how many contacts it has
        if (obstacle >= 0 && static_cast<std::size_t>(obstacle) < input.obstacles.size())
            search.add_contact(i, static_cast<std::size_t>(obstacle));
    }
    report.solved = search.settle(report);
    report.dropped = search.dropped;
    std::fill(marks, marks + response_.nodes(), 0);
    std::fill(support, support + response_.size(), 0.0);
    std::fill(pressure, pressure + response_.size(), 0.0);
    if (!report.solved) return report;
    search.report_penetration(report);
    std::copy(search.amplitude, search.amplitude + search.rigid, report.rigid);
    const auto d = static_cast<std::size_t>(response_.dimension());
    for (std::size_t k = 0; k < search.rank.count(); ++k) {
        const PrescribedDirection& item = search.rank.item(k);
        const auto node = static_cast<std::size_t>(item.node);
        const Vec3 force = response_.force(node, item.direction) * (search.tau[k] * input.thickness);
        const bool held = k < prescribed_.size();
        for (std::size_t c = 0; c < d; ++c) {
            (held ? support : pressure)[d * node + c] += held ? force[static_cast<int>(c)]
                                                              : search.tau[k] * item.direction[static_cast<int>(c)];
        }
        if (held) continue;
        marks[node] = search.touched[k] + 1;
        for (int c = 0; c < response_.dimension(); ++c) {
            report.contact_work += force[c] *
                                   elastic_at_arm(response_, report.rigid, search.displacement_of(node), node, c);
        }
        wrenches[search.touched[k]].force += force;
        wrenches[search.touched[k]].torque += cross(response_.enclosed().centroid, force) +
                                              response_.torque(node, item.direction) *
                                                  (search.tau[k] * input.thickness);
    }
    return report;
}

}  // namespace limber
