#include "methods/bem/held_shape.hpp"

#include "contact/gap.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kPiercing = 1e-9;      // of the body's size

}  // namespace

HeldShape::HeldShape(const Body& body, const Supports& supports, const FreeResponse& response, const std::vector<std::int32_t>& node_of, std::size_t contacts, int passes)
    : response_(response), contacts_(contacts), passes_(passes) {
    const int d = body.mesh().dimension();
    const std::vector<std::int32_t>& all = supports.prescribed();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::int32_t node = node_of[static_cast<std::size_t>(all[k] / d)];
        if (node < 0) continue;
        Vec3 axis;
        axis[all[k] % d] = 1.0;
        prescribed_.push_back({node, axis});
        number_.push_back(k);
    }
    if (prescribed_.empty()) throw Error(Fault::unsupported, {}, "supports that hold no vertex of the boundary", "anchors or handles with vertices on the surface");
    std::vector<double> memory(LowRank::reals_needed(capacity()));
    std::vector<PrescribedDirection> items(capacity());
    LowRank rank(response_, capacity(), memory.data(), items.data());
    for (const PrescribedDirection& item : prescribed_)
        if (!rank.insert(item)) throw Error(Fault::bad_mesh, {}, "supports that repeat each other to working precision", "vertices apart from each other");
    rank.export_small(prepared_);
}

std::size_t HeldShape::scratch_reals() const { return LowRank::reals_needed(capacity()) + (2 + 2 * LowRank::kMaxExtra) * capacity() + response_.size(); }

/// One balance, on scratch memory.
struct HeldShape::Search {
    Search(const HeldShape& owner, const Input& in, std::int32_t* m, double* displacement, double* scratch, PrescribedDirection* items)
        : self(owner), input(in), response(owner.response_), d(static_cast<std::size_t>(response.dimension())), rigid(static_cast<std::size_t>(response.rigid_count())), marks(m),
          u(displacement), rank(response, owner.capacity(), scratch, items) {
        const std::size_t c = owner.capacity();
        target = scratch + LowRank::reals_needed(c), tau = target + c, field = tau + c, weight = field + LowRank::kMaxExtra * c, free_u = weight + LowRank::kMaxExtra * c;
        rank.import_small(self.prepared_, self.prescribed_);
        size = std::pow(response.enclosed().measure, 1.0 / static_cast<double>(d));
    }

    /// What loads alone do to the floating body, and what they sum to.
    void apply_loads() {
        std::fill(free_u, free_u + response.size(), 0.0);
        for (std::size_t k = 0; k < rigid; ++k) sum[k] = k < d ? -input.weight[static_cast<int>(k)] : 0.0;
        for (std::size_t i = 0; i < response.nodes(); ++i)
            for (std::size_t c = 0; c < d; ++c) {
                const double f = input.force[d * i + c];
                if (f == 0.0) continue;
                const double traction = f / (response.weight(i, static_cast<int>(c)) * input.thickness);
                const double* column = response.column(i, static_cast<int>(c));
                for (std::size_t j = 0; j < response.size(); ++j) free_u[j] += traction * column[j];
                for (std::size_t k = 0; k < rigid; ++k) sum[k] -= f * response.rigid_motion(i, static_cast<int>(k))[static_cast<int>(c)];
            }
        for (std::size_t k = 0; k < self.number_.size(); ++k) target[k] = asked(k, input.target[self.number_[k]]);
    }

    double asked(std::size_t item, double displacement) const {
        const PrescribedDirection& p = rank.item(item);
        double there = 0.0;
        for (std::size_t c = 0; c < d; ++c) there += p.direction[static_cast<int>(c)] * free_u[d * static_cast<std::size_t>(p.node) + c];
        return displacement - there;
    }

    bool balance() {
        const std::size_t s = rank.count();
        for (std::size_t k = 0; k < rigid; ++k)
            for (std::size_t a = 0; a < s; ++a) {
                const auto node = static_cast<std::size_t>(rank.item(a).node);
                const Vec3 motion = response.rigid_motion(node, static_cast<int>(k));
                field[k * s + a] = dot(rank.item(a).direction, motion);
                weight[k * s + a] = dot(response.force(node, rank.item(a).direction), motion) * input.thickness;
            }
        double amplitude[LowRank::kMaxExtra];
        if (!rank.solve(target, field, weight, sum, rigid, tau, amplitude)) return false;
        std::copy(free_u, free_u + response.size(), u);
        rank.add_displacement(tau, u);
        for (std::size_t i = 0; i < response.nodes(); ++i)
            for (std::size_t k = 0; k < rigid; ++k) {
                const Vec3 motion = response.rigid_motion(i, static_cast<int>(k)) * amplitude[k];
                for (std::size_t c = 0; c < d; ++c) u[d * i + c] += motion[static_cast<int>(c)];
            }
        return true;
    }

    Vec3 world(std::size_t i, bool deformed) const {
        Vec3 x = response.position(i);
        for (std::size_t c = 0; c < d && deformed; ++c) x[static_cast<int>(c)] += u[d * i + c];
        return x;
    }

    bool add_contact(std::size_t i, std::int32_t obstacle, bool deformed) {
        const Vec3 x = world(i, deformed), start = response.position(i);
        const Gap gap = gap_to(input.obstacles[static_cast<std::size_t>(obstacle)], x, d == 2);
        if (rank.count() >= rank.capacity()) return false;
        const std::size_t k = rank.count();
        if (!rank.insert({static_cast<std::int32_t>(i), gap.gradient})) return true;
        target[k] = asked(k, dot(gap.gradient, x - gap.gradient * gap.value - start));
        marks[i] = obstacle + 1;
        return true;
    }

    /// Contacts of the last step come first; then what pierces comes in, what pulls goes out. True when something changed.
    bool exchange(bool may_release) {
        bool changed = false;
        for (std::size_t k = rank.count(); k-- > self.prescribed_.size() && may_release;)
            if (tau[k] < 0.0) {
                const std::size_t last = rank.count() - 1;
                marks[rank.item(k).node] = 0;
                rank.remove(k);
                target[k] = target[last];
                tau[k] = tau[last];
                changed = true;
            }
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            if (marks[i] != 0) continue;
            Gap gap;
            const std::int32_t best = nearest_obstacle(input.obstacles, world(i, true), d == 2, gap);
            if (best < 0 || gap.value >= -kPiercing * size) continue;
            if (!add_contact(i, best, true)) dropped = true;
            else changed = true;
        }
        return changed;
    }

    const HeldShape& self;
    const Input& input;
    const FreeResponse& response;
    std::size_t d, rigid;
    std::int32_t* marks;
    double *u, *target = nullptr, *tau = nullptr, *field = nullptr, *weight = nullptr, *free_u = nullptr;
    double sum[LowRank::kMaxExtra] = {};
    LowRank rank;
    double size = 1.0;
    bool dropped = false;
};

HeldShape::Report HeldShape::solve(const Input& input, std::int32_t* marks, double* u, double* support, Wrench* wrenches, double* scratch, PrescribedDirection* items) const noexcept {
    Search search(*this, input, marks, u, scratch, items);
    Report report;
    search.apply_loads();
    for (std::size_t i = 0; i < response_.nodes(); ++i) {
        const std::int32_t obstacle = marks[i] - 1;
        marks[i] = 0;
        if (obstacle >= 0 && static_cast<std::size_t>(obstacle) < input.obstacles.size() && !search.add_contact(i, obstacle, false)) report.dropped = true;
    }
    report.solved = search.balance();
    for (; report.solved && !input.obstacles.empty() && report.passes < passes_; ++report.passes) {
        if (!search.exchange(2 * report.passes < passes_)) break;
        report.solved = search.balance();
    }
    report.dropped = report.dropped || search.dropped;
    const auto d = static_cast<std::size_t>(response_.dimension());
    std::fill(support, support + response_.size(), 0.0);
    if (!report.solved) return report;
    for (std::size_t k = 0; k < search.rank.count(); ++k) {
        const PrescribedDirection& item = search.rank.item(k);
        const auto node = static_cast<std::size_t>(item.node);
        const Vec3 force = response_.force(node, item.direction) * (search.tau[k] * input.thickness);
        if (k < prescribed_.size()) {
            for (std::size_t c = 0; c < d; ++c) support[d * node + c] += force[static_cast<int>(c)];
        } else {
            Wrench& w = wrenches[marks[node] - 1];
            w.force += force;
            w.torque += cross(response_.position(node), force);
        }
    }
    return report;
}

}  // namespace limber
