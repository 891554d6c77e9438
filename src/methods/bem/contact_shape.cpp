#include "methods/bem/contact_shape.hpp"

#include "contact/gap.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kFinalPasses = 24, kRounds = 16, kAgain = 6;
constexpr double kFarthest = 0.8, kMostSag = 0.5, kSlid = 1e-4;        // of the body's size
constexpr double kTouching = 1e-9;      // of the body's size: deeper than this counts as piercing

Vec3 perpendicular(const Vec3& n) noexcept {
    const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 t = axis - n * dot(axis, n);
    return t / norm(t);
}

}  // namespace

/// One search, on scratch memory.
struct ContactShape::Search {
    Search(const ContactShape& owner, const Input& in, ContactMark* m, double* p, double* displacement, double* scratch, Prescribed1* items)
        : self(owner), input(in), response(owner.response_), d(static_cast<std::size_t>(response.dimension())), turn(to_matrix(in.pose.rotation)), back(transpose(turn)),
          marks(m), places(p), u(displacement), rank(response, owner.capacity_, scratch, items) {
        double* at = scratch + LowRank::reals_needed(owner.capacity_);
        target = at, tau = target + owner.capacity_, field = tau + owner.capacity_, weight = field + owner.capacity_, free_u = weight + owner.capacity_, ways = free_u + response.size();
        size = std::pow(response.enclosed().measure, 1.0 / static_cast<double>(d));
    }

    bool planar() const { return d == 2; }
    bool remembers() const { return input.released != nullptr && self.settings_.passes > 1; }
    Vec3 world(std::size_t i, const double* displacement) const {
        Vec3 r = response.position(i) - response.enclosed().centroid;
        if (displacement != nullptr)
            for (std::size_t c = 0; c < d; ++c) r[static_cast<int>(c)] += displacement[d * i + c];
        return input.pose.position + turn * r;
    }
    Vec3 local(const double* v, std::size_t i) const { return {v[d * i], v[d * i + 1], d == 3 ? v[d * i + 2] : 0.0}; }

    /// How far a point is from an obstacle, and the way out. Of a section: within its plane; an obstacle that leads out of it is left to the other section.
    Gap gap_of(std::size_t obstacle, const Vec3& x) const {
        Gap gap = gap_to(input.obstacles[obstacle], x, planar() && !input.section);
        if (!input.section) return gap;
        const Vec3 across{turn(0, 2), turn(1, 2), turn(2, 2)}, within = gap.gradient - across * dot(gap.gradient, across);
        const double slope = norm(within);
        if (slope < 0.5) return {size, {turn(0, 0), turn(1, 0), turn(2, 0)}, {}};
        return {gap.value / slope, within / slope, {}};
    }

    /// The way out of all obstacles for a point inside: from one to the next until it is out (obstacles may overlap). Outside: the nearest one.
    /// `obstacle`: the last one that pushed, or the nearest; -1 without any.
    Gap way_out(const Vec3& x, std::int32_t& obstacle) const {
        Gap first;
        obstacle = nearest(x, first);
        if (obstacle < 0 || first.value >= 0.0) return first;
        Vec3 y = x - first.gradient * first.value;
        bool other = false;
        for (int round = 0; round < kRounds; ++round) {
            Gap gap;
            const std::int32_t next = nearest(y, gap);
            if (gap.value >= -kTouching * size) break;
            y -= gap.gradient * gap.value;
            obstacle = next;
            other = true;
        }
        const double far = norm(y - x);
        if (!other || !(far > 0.0)) return first;
        return {-far, (y - x) / far, {}};
    }
    std::int32_t nearest(const Vec3& x, Gap& gap) const {
        std::int32_t best = -1;
        for (std::size_t o = 0; o < input.obstacles.size(); ++o) {
            const Gap g = gap_of(o, x);
            if (best < 0 || g.value < gap.value) best = static_cast<std::int32_t>(o), gap = g;
        }
        return best;
    }

    std::int32_t find_way(const Vec3& x, Gap& gap) const {
        std::int32_t obstacle = -1;
        gap = way_out(x, obstacle);
        return obstacle;
    }

    /// Where the point has to go along a direction (world), less what the base displacement already does.
    double asked(std::size_t i, const Vec3& way, const Vec3& to) const {
        Vec3 base;
        if (input.base != nullptr) base = turn * local(input.base, i);
        return dot(way, to - world(i, nullptr) - base);
    }

    // A contact point's equations: along the normal, and with grip along the tangents.
    bool add(std::size_t i, std::int32_t obstacle, bool grip, const double* at) {
        const Vec3 x = world(i, at);
        Gap gap = gap_of(static_cast<std::size_t>(obstacle), x);
        if (Gap any; input.obstacles.size() > 1 && nearest(x, any) >= 0 && any.value < 0.0) gap = way_out(x, obstacle);
        const std::size_t needed = grip ? d : 1;
        if (rank.count() + needed > rank.capacity()) return false;
        const Vec3 onto = x - gap.gradient * gap.value;
        target[rank.count()] = asked(i, gap.gradient, onto);
        if (!rank.insert({static_cast<std::int32_t>(i), back * gap.gradient})) return true;      // its neighbours decide where it is
        marks[i] = grip ? -(obstacle + 1) : obstacle + 1;
        for (int k = 0; k < 3; ++k) ways[3 * i + static_cast<std::size_t>(k)] = gap.gradient[k];
        if (!grip) return true;
        const Vec3 place{places[3 * i], places[3 * i + 1], places[3 * i + 2]};
        Vec3 t = planar() ? cross(Vec3{turn(0, 2), turn(1, 2), turn(2, 2)}, gap.gradient) : perpendicular(gap.gradient);
        for (std::size_t k = 1; k < d; ++k) {
            target[rank.count()] = asked(i, t, place);
            rank.insert({static_cast<std::int32_t>(i), back * t});
            t = cross(gap.gradient, t);
        }
        return true;
    }

    void keep_place(std::size_t i, const Vec3& x) const {
        for (int k = 0; k < 3; ++k) places[3 * i + static_cast<std::size_t>(k)] = x[k];
    }

    bool solve() {
        const double asked = norm(input.force), most = self.settings_.most_force;
        const double part = most > 0.0 ? std::pow(1.0 + std::pow(asked / most, 4.0), -0.25) : 1.0;
        along = back * input.force * part;
        strength = norm(along);
        sag = 0.0;
        const std::size_t s = rank.count();
        double opposing = 0.0;
        if (strength > 0.0)
            for (std::size_t k = 0; k < s; ++k) {
                field[k] = dot(rank.item(k).direction, along) / strength;
                weight[k] = dot(response.force(static_cast<std::size_t>(rank.item(k).node), rank.item(k).direction), along) / strength;
                opposing = std::max(opposing, std::abs(field[k]));
            }
        bool ok = s == 0;
        if (!ok && strength > 0.0 && opposing > 0.1) ok = rank.solve(target, field, weight, &strength, 1, tau, &sag);
        if (!ok || std::abs(sag) > kMostSag * size) {      // contact from all sides: nothing to sag along
            sag = 0.0;
            ok = s == 0 || rank.solve(target, tau);
        }
        spread_out = false;
        return ok;
    }

    /// The shape that these tractions make: what costs most, so only where it is looked at.
    void spread() {
        if (spread_out) return;
        spread_out = true;
        const std::size_t n = response.size();
        if (input.base != nullptr) std::copy(input.base, input.base + n, u);
        else std::fill(u, u + n, 0.0);
        if (rank.count() == 0) return;
        rank.add_displacement(tau, u);
        if (sag == 0.0) return;
        const Vec3 shift = along * (sag / strength);
        for (std::size_t i = 0; i < response.nodes(); ++i)
            for (std::size_t c = 0; c < d; ++c) u[d * i + c] += shift[static_cast<int>(c)];
    }

    Vec3 way_of(std::size_t i) const { return {ways[3 * i], ways[3 * i + 1], ways[3 * i + 2]}; }
    Vec3 traction_of(std::size_t i) const {
        Vec3 t;
        for (std::size_t k = 0; k < rank.count(); ++k)
            if (rank.item(k).node == static_cast<std::int32_t>(i)) t += rank.item(k).direction * tau[k];
        return t;
    }

    const ContactShape& self;
    const Input& input;
    const FreeResponse& response;
    std::size_t d;
    Mat3 turn, back;
    ContactMark* marks;
    double *places, *u, *target = nullptr, *tau = nullptr, *field = nullptr, *weight = nullptr, *free_u = nullptr, *ways = nullptr;
    LowRank rank;
    double sag = 0.0, size = 1.0, strength = 0.0;
    Vec3 along;                 ///< the force that the shape carries, body axes
    bool spread_out = false;    ///< u is the shape of tau
    bool dropped = false;

    /// Makes the equations of all marked points anew, at the present shape.
    void rebuild(const double* at) {
        rank.clear();
        std::size_t expected = 0;
        for (std::size_t i = 0; i < response.nodes(); ++i) expected += marks[i] < 0 ? d : (marks[i] > 0 ? 1 : 0);
        if (expected > LowRank::kIncremental) rank.begin_bulk();
        for (std::size_t i = 0; i < response.nodes(); ++i)
            if (marks[i] != 0) {
                const std::int32_t obstacle = std::abs(marks[i]) - 1;
                const bool grip = marks[i] < 0;
                marks[i] = 0;
                if (!add(i, obstacle, grip, at)) dropped = true;
            }
    }

    /// Brings the equations in line with the marks, one in or out at a time.
    void follow_marks() {
        double* held = free_u;      // equations per point
        std::fill(held, held + response.nodes(), 0.0);
        for (std::size_t k = rank.count(); k-- > 0;) {
            const auto i = static_cast<std::size_t>(rank.item(k).node);
            if (marks[i] < 0 || (marks[i] > 0 && is_normal(k))) {
                held[i] += 1.0;
                continue;
            }
            const std::size_t last = rank.count() - 1;
            rank.remove(k);
            target[k] = target[last];
        }
        for (std::size_t i = 0; i < response.nodes(); ++i)
            if (marks[i] != 0 && held[i] == 0.0) {
                const std::int32_t obstacle = std::abs(marks[i]) - 1;
                const bool grip = marks[i] < 0;
                marks[i] = 0;
                if (!add(i, obstacle, grip, nullptr)) dropped = true;
            }
    }

    bool is_normal(std::size_t k) const {
        return std::abs(dot(turn * rank.item(k).direction, way_of(static_cast<std::size_t>(rank.item(k).node)))) > 0.5;
    }

    /// First guess: what was in contact and still could be, and what is inside undeformed.
    void begin() {
        const bool can_grip = self.settings_.stick > 0.0;
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            const Vec3 x = world(i, input.base);
            Gap gap;
            const std::int32_t obstacle = find_way(x, gap);
            const bool sticks = input.latched != nullptr && input.latched[i] > 0;
            // Where all of a thin body is inside, its far side is not what touches.
            const bool away = dot(turn * self.normal_[i], gap.gradient) > 0.3;
            const bool clear = obstacle < 0 || gap.value >= 0.0;
            if (remembers() && (clear || marks[i] != 0)) input.released[i] = 0;
            if ((clear && !sticks) || (away && !sticks) || (remembers() && input.released[i] != 0)) {
                marks[i] = 0;
                continue;
            }
            const bool known = marks[i] != 0 && std::abs(marks[i]) == obstacle + 1;
            const bool grip = known ? marks[i] < 0 : can_grip;
            if (!known || !grip) keep_place(i, x - gap.gradient * gap.value);
            marks[i] = grip ? -(obstacle + 1) : obstacle + 1;
        }
        rebuild(nullptr);
    }

    /// Lets go of what is pulled, and of places that friction does not hold. True when something changed.
    bool release() {
        bool changed = false;
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            if (marks[i] == 0) continue;
            const Vec3 normal = way_of(i);
            const Vec3 t = turn * traction_of(i);
            const double press = dot(t, normal);
            if (press < -self.settings_.stick) {
                marks[i] = 0;
                if (remembers()) input.released[i] = 1;
                changed = true;
            } else if (marks[i] < 0 && norm(t - normal * press) > self.settings_.friction * std::max(press, 0.0) + self.settings_.stick) {
                marks[i] = -marks[i];
                keep_place(i, world(i, u));
                changed = true;
            }
        }
        return changed;
    }

    /// Whether some point in contact is inside all the same.
    bool slid() const {
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            Gap gap;
            if (nearest(world(i, u), gap) >= 0 && gap.value < -kSlid * size) return true;
        }
        return false;
    }

    /// The shape without contact.
    void fall_back() {
        rank.clear();
        sag = 0.0;
        spread_out = false;
        spread();
        std::fill(marks, marks + response.nodes(), 0);
    }

    /// No displacement beyond what small strain can still be stretched to: a body far too soft for its fall would else fill the room.
    void limit() const {
        double most = 0.0;
        for (std::size_t i = 0; i < response.nodes(); ++i) most = std::max(most, norm(local(u, i)));
        if (!(most > kFarthest * size)) return;
        for (std::size_t i = 0; i < response.size(); ++i) u[i] *= kFarthest * size / most;
    }

    /// Last resort where no linear shape fits between obstacles: points still inside are put on the surface. Returns the farthest way, of the body's size.
    double put_out() const {
        double far = 0.0;
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            std::int32_t obstacle = -1;
            const Gap gap = way_out(world(i, u), obstacle);
            if (obstacle < 0 || gap.value >= -kTouching * size) continue;
            const Vec3 move = back * gap.gradient * -gap.value;
            for (std::size_t c = 0; c < d; ++c) u[d * i + c] += move[static_cast<int>(c)];
            far = std::max(far, -gap.value / size);
        }
        return far;
    }

    /// Takes in what the deformed shape pushes through. True when there was something.
    bool take_in() {
        bool changed = false;
        for (std::size_t i = 0; i < response.nodes(); ++i) {
            if (marks[i] != 0) continue;
            const Vec3 x = world(i, u);
            Gap gap;
            const std::int32_t obstacle = find_way(x, gap);
            if (obstacle < 0 || gap.value >= -kTouching * size) continue;
            marks[i] = obstacle + 1;
            if (remembers()) input.released[i] = 0;
            keep_place(i, x - gap.gradient * gap.value);
            changed = true;
        }
        return changed;
    }
};

ContactShape::ContactShape(const FreeResponse& response, const BoundaryShape& shape, const ShapeSettings& settings, std::size_t capacity)
    : response_(response), settings_(settings), capacity_(std::min(capacity, response.size())), normal_(response.nodes()) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const Vec3 n = outward_of(shape, f);
        for (std::size_t k = 0; k < d; ++k) normal_[static_cast<std::size_t>(shape.facets[d * f + k])] += n;
    }
    for (Vec3& n : normal_) n = norm(n) > 0.0 ? n / norm(n) : Vec3{};
}

std::size_t ContactShape::scratch_reals() const { return LowRank::reals_needed(capacity_) + 4 * capacity_ + response_.size() + 3 * response_.nodes(); }

ShapeReport ContactShape::solve(const Input& input, ContactMark* marks, double* places, double* u, double* traction, double* scratch, Prescribed1* items) const noexcept {
    Search search(*this, input, marks, places, u, scratch, items);
    ShapeReport report;
    search.begin();
    report.solved = search.solve();
    // Releasing and taking in can chase each other for ever; in the end nothing is released any more.
    const int most = settings_.passes > 1 ? settings_.passes + kFinalPasses : settings_.passes;
    for (; report.passes < most && report.solved; ++report.passes) {
        if (settings_.stick > 0.0) search.spread();      // a point that slips keeps its new place
        const bool released = settings_.passes > 1 && report.passes < settings_.passes && search.release();      // the paper's "once more" (1) takes in only
        if (!released) {
            search.spread();
            if (!search.take_in()) break;
        }
        search.follow_marks();
        report.solved = search.solve();
    }
    if (report.solved) search.spread();
    // Where obstacles are round or meet, a point that slid is no longer where its equation thinks: new equations at the present shape.
    for (int again = 0; again < kAgain && settings_.passes > 1 && report.solved && search.slid(); ++again, ++report.passes) {
        search.take_in();
        search.rebuild(u);
        report.solved = search.solve();
        if (report.solved) search.spread();
    }
    if (!report.solved) {       // nothing linear fits: the undeformed body, put out
        search.fall_back();
        report.solved = report.fell_back = true;
    }
    if (settings_.passes > 1) {
        search.limit();
        report.moved = search.put_out();
    }
    report.dropped = search.dropped;
    report.contacts = search.rank.count();
    report.rebuilds = search.rank.rebuilds();
    std::fill(traction, traction + response_.size(), 0.0);
    const auto d = static_cast<std::size_t>(response_.dimension());
    for (std::size_t k = 0; k < search.rank.count(); ++k)
        for (std::size_t c = 0; c < d; ++c)
            traction[d * static_cast<std::size_t>(search.rank.item(k).node) + c] += search.tau[k] * search.rank.item(k).direction[static_cast<int>(c)];
    return report;
}

}  // namespace limber
