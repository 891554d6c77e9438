#include "methods/bem/contact_search.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kRounds = 16;                                      // from obstacle to obstacle
constexpr double kFarthest = 0.8, kMostSag = 0.5, kSlid = 1e-4;  // of the body's size
constexpr double kShallow = 0.5;    // of the deepest: round bodies touch in half the circle that pierces (Hertz); the
                                    // rest is taken in when it does
constexpr double kFlank = 0.2;      // cosine between outward normal and the way in
constexpr double kTouching = 1e-9;  // of the body's size: deeper than this counts as piercing

}  // namespace

ContactShape::Search::Search(const ContactShape& owner, const Input& in, ContactMark* m, double* p,
                             double* displacement, double* scratch, PrescribedDirection* items)
    : self(owner),
      input(in),
      response(owner.response_),
      d(static_cast<std::size_t>(response.dimension())),
      turn(to_matrix(in.pose.rotation)),
      back(transpose(turn)),
      marks(m),
      touch_points(p),
      u(displacement),
      rank(response, owner.capacity_, scratch, items, in.reuse_partly) {
    double* at = scratch + LowRank::reals_needed(owner.capacity_);
    target = at;
    tau = target + owner.capacity_;
    field = tau + owner.capacity_;
    weight = field + owner.capacity_;
    free_u = weight + owner.capacity_;
    ways = free_u + response.size();
    order = reinterpret_cast<std::int32_t*>(ways + 3 * response.nodes());
    size = std::pow(response.enclosed().measure, 1.0 / static_cast<double>(d));
}

Vec3 ContactShape::Search::world(std::size_t i, const double* displacement) const {
    Vec3 r = response.position(i) - response.enclosed().centroid;
    if (displacement != nullptr)
        for (std::size_t c = 0; c < d; ++c) r[static_cast<int>(c)] += displacement[d * i + c];
    return input.pose.position + turn * r;
}

Gap ContactShape::Search::gap_of(std::size_t obstacle, const Vec3& x) const {
    Gap gap = gap_to(input.obstacles[obstacle], x, planar() && !input.section);
    if (!input.section) return gap;
    const Vec3 across{turn(0, 2), turn(1, 2), turn(2, 2)}, within = gap.gradient - across * dot(gap.gradient, across);
    const double slope = norm(within);
    if (slope < 0.5) return {size, {turn(0, 0), turn(1, 0), turn(2, 0)}, {}};
    return {gap.value / slope, within / slope, {}};
}

Gap ContactShape::Search::way_out(const Vec3& x, std::int32_t& obstacle) const {
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

std::int32_t ContactShape::Search::nearest(const Vec3& x, Gap& gap) const {
    if (!input.section) return nearest_obstacle(input.obstacles, x, planar(), gap);
    std::int32_t best = -1;
    for (std::size_t o = 0; o < input.obstacles.size(); ++o) {
        const Gap g = gap_of(o, x);
        if (best < 0 || g.value < gap.value) {
            best = static_cast<std::int32_t>(o);
            gap = g;
        }
    }
    return best;
}

std::int32_t ContactShape::Search::find_way_out(const Vec3& x, Gap& gap) const {
    std::int32_t obstacle = -1;
    gap = way_out(x, obstacle);
    return obstacle;
}

double ContactShape::Search::asked(std::size_t i, const Vec3& way, const Vec3& to) const {
    Vec3 base;
    if (input.base != nullptr) base = turn * local(input.base, i);
    return dot(way, to - world(i, nullptr) - base);
}

void ContactShape::Search::add(std::size_t i, std::int32_t obstacle, bool grip, const double* at) {
    const Vec3 x = world(i, at);
    Gap gap = gap_of(static_cast<std::size_t>(obstacle), x);
    if (Gap any; input.obstacles.size() > 1 && nearest(x, any) >= 0 && any.value < 0.0) gap = way_out(x, obstacle);
    if (rank.count() + (grip ? d : 1) > rank.capacity()) return;
    const Vec3 onto = x - gap.gradient * gap.value;
    if (grip) {
        if (!add_grip(i, onto, gap.gradient)) return;
    } else {
        target[rank.count()] = asked(i, gap.gradient, onto);
        if (!rank.insert({static_cast<std::int32_t>(i), back * gap.gradient}))
            return;  // its neighbours decide where it is
    }
    marks[i] = grip ? -(obstacle + 1) : obstacle + 1;
    for (int k = 0; k < 3; ++k) ways[3 * i + static_cast<std::size_t>(k)] = gap.gradient[k];
}

// Along the body's own axes, which do not turn with the obstacle's: the small system is then a part of the response as
// it is.
bool ContactShape::Search::add_grip(std::size_t i, const Vec3& onto, const Vec3& normal) {
    const Vec3 touched_at{touch_points[3 * i], touch_points[3 * i + 1], touch_points[3 * i + 2]},
        to = touched_at + normal * dot(normal, onto - touched_at);
    bool any = false;
    for (int c = 0; c < static_cast<int>(d); ++c) {
        Vec3 axis;
        axis[c] = 1.0;
        target[rank.count()] = asked(i, turn * axis, to);
        any = rank.insert({static_cast<std::int32_t>(i), axis}) || any;
    }
    return any;
}

void ContactShape::Search::keep_touch_point(std::size_t i, const Vec3& x) const {
    for (int k = 0; k < 3; ++k) touch_points[3 * i + static_cast<std::size_t>(k)] = x[k];
}

bool ContactShape::Search::solve() {
    const double asked = norm(input.force), most = self.settings_.most_force;
    const double part = most > 0.0 ? std::pow(1.0 + std::pow(asked / most, 4.0), -0.25) : 1.0;
    along = back * input.force * part;
    strength = norm(along);
    sag = 0.0;
    const std::size_t s = rank.count();
    double opposing = 0.0;
    if (strength > 0.0) {
        for (std::size_t k = 0; k < s; ++k) {
            field[k] = dot(rank.item(k).direction, along) / strength;
            weight[k] = dot(response.force(static_cast<std::size_t>(rank.item(k).node), rank.item(k).direction),
                            along) /
                        strength;
            opposing = std::max(opposing, std::abs(field[k]));
        }
    }
    bool ok = s == 0;
    if (!ok && strength > 0.0 && opposing > 0.1) ok = rank.solve(target, field, weight, &strength, 1, tau, &sag);
    if (!ok || std::abs(sag) > kMostSag * size) {  // contact from all sides: nothing to sag along
        sag = 0.0;
        ok = s == 0 || rank.solve(target, tau);
    }
    spread_out = false;
    return ok;
}

void ContactShape::Search::spread() {
    if (spread_out) return;
    spread_out = true;
    const std::size_t n = response.size();
    if (input.base != nullptr)
        std::copy(input.base, input.base + n, u);
    else
        std::fill(u, u + n, 0.0);
    if (rank.count() == 0) return;
    rank.add_displacement(tau, u);
    if (sag == 0.0) return;
    const Vec3 shift = along * (sag / strength);
    for (std::size_t i = 0; i < response.nodes(); ++i)
        for (std::size_t c = 0; c < d; ++c) u[d * i + c] += shift[static_cast<int>(c)];
}

void ContactShape::Search::gather_tractions() {
    std::fill(free_u, free_u + response.size(), 0.0);
    for (std::size_t k = 0; k < rank.count(); ++k) {
        for (std::size_t c = 0; c < d; ++c) {
            free_u[d * static_cast<std::size_t>(rank.item(k).node) + c] += rank.item(k).direction[static_cast<int>(c)] *
                                                                           tau[k];
        }
    }
}

Vec3 ContactShape::Search::present(std::size_t i) const {
    Vec3 r = response.position(i) - response.enclosed().centroid + rank.displacement_at(i, tau);
    if (input.base != nullptr) r += local(input.base, i);
    if (sag != 0.0) r += along * (sag / strength);
    return input.pose.position + turn * r;
}

void ContactShape::Search::set_order() {
    std::int32_t *inside = order, *outside = order + response.nodes();
    Vec3 middle;
    for (std::size_t i = response.nodes(); i-- > 0;) {
        Gap gap;
        const bool in = nearest(world(i, nullptr), gap) >= 0 && gap.value < 0.0;
        if (in) middle += response.position(i);
        *(in ? inside++ : --outside) = static_cast<std::int32_t>(i);
    }
    if (inside == order) return;
    middle = middle / static_cast<double>(inside - order);
    std::sort(order, inside, [&](std::int32_t a, std::int32_t b) {
        const double to_a = norm2(response.position(static_cast<std::size_t>(a)) - middle),
                     to_b = norm2(response.position(static_cast<std::size_t>(b)) - middle);
        return to_a != to_b ? to_a < to_b : a < b;
    });
}

void ContactShape::Search::rebuild(const double* at) {
    std::size_t expected = 0;
    for (std::size_t i = 0; i < response.nodes(); ++i) expected += marks[i] < 0 ? d : (marks[i] > 0 ? 1 : 0);
    if (expected > LowRank::kMany)
        rank.begin_bulk();
    else
        rank.clear();
    for (std::size_t k = 0; k < response.nodes(); ++k) {
        if (const auto i = static_cast<std::size_t>(order[k]); marks[i] != 0) {
            const std::int32_t obstacle = std::abs(marks[i]) - 1;
            const bool grip = marks[i] < 0;
            marks[i] = 0;
            add(i, obstacle, grip, at);
        }
    }
}

void ContactShape::Search::follow_marks() {
    if (!rank.inverted()) return rebuild(nullptr);
    double* held = free_u;  // equations per point
    std::fill(held, held + response.nodes(), 0.0);
    for (std::size_t k = 0; k < rank.count(); ++k) held[rank.item(k).node] += 1.0;
    for (std::size_t i = 0; i < response.nodes(); ++i)
        held[i] = held[i] == (marks[i] < 0 ? static_cast<double>(d) : (marks[i] > 0 ? 1.0 : 0.0)) ? held[i] : 0.0;
    for (std::size_t k = rank.count(); k-- > 0;) {
        if (held[rank.item(k).node] > 0.0) continue;
        const std::size_t last = rank.count() - 1;
        rank.remove(k);
        target[k] = target[last];
    }
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        if (marks[i] != 0 && held[i] == 0.0) {
            const std::int32_t obstacle = std::abs(marks[i]) - 1;
            const bool grip = marks[i] < 0;
            marks[i] = 0;
            add(i, obstacle, grip, nullptr);
        }
    }
}

void ContactShape::Search::begin() {
    set_order();
    const bool can_grip = self.settings_.stick > 0.0;
    const double shallow = kShallow * deepest();
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        const Vec3 x = world(i, input.base);
        Gap gap;
        const std::int32_t obstacle = find_way_out(x, gap);
        // Where all of a thin body is inside, its far side is not what touches; nor are its flanks, until they bulge.
        const double facing = -dot(turn * self.normal_[i], gap.gradient);
        const bool away = facing < -0.3, flank = remembers() && facing < kFlank;
        const bool sticks = input.latched != nullptr && input.latched[i] > 0;
        const bool clear = obstacle < 0 || gap.value >= 0.0;
        // What was let go while it still sticks comes back when it pierces again, not before.
        if (remembers() && ((clear && !sticks) || marks[i] != 0)) input.released[i] = 0;
        if ((clear && !sticks) || (away && !sticks) || (remembers() && input.released[i] != 0)) {
            marks[i] = 0;
            continue;
        }
        const bool known = marks[i] != 0 && std::abs(marks[i]) == obstacle + 1;
        if (!known && !clear && (flank || -gap.value < shallow)) {
            marks[i] = 0;
            continue;
        }
        const bool grip = known ? marks[i] < 0 : can_grip;
        if (!known || !grip) keep_touch_point(i, x - gap.gradient * gap.value);
        marks[i] = grip ? -(obstacle + 1) : obstacle + 1;
    }
    rebuild(nullptr);
}

double ContactShape::Search::deepest() const {
    double depth = 0.0;
    if (!remembers()) return depth;
    for (std::size_t i = 0; i < response.nodes(); ++i)
        if (Gap gap; nearest(world(i, input.base), gap) >= 0) depth = std::max(depth, -gap.value);
    return depth;
}

bool ContactShape::Search::release() {
    bool changed = false;
    gather_tractions();
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        if (marks[i] == 0) continue;
        const Vec3 normal = way_of(i);
        const Vec3 t = turn * local(free_u, i);
        const double press = dot(t, normal);
        if (press < -self.settings_.stick) {
            marks[i] = 0;
            if (remembers()) input.released[i] = 1;
            changed = true;
        } else if (marks[i] < 0 &&
                   norm(t - normal * press) > self.settings_.friction * std::max(press, 0.0) + self.settings_.stick) {
            marks[i] = -marks[i];
            keep_touch_point(i, present(i));
            changed = true;
        }
    }
    return changed;
}

bool ContactShape::Search::slid() const {
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        Gap gap;
        if (nearest(world(i, u), gap) >= 0 && gap.value < -kSlid * size) return true;
    }
    return false;
}

void ContactShape::Search::fall_back() {
    rank.clear();
    sag = 0.0;
    spread_out = false;
    spread();
    std::fill(marks, marks + response.nodes(), 0);
}

void ContactShape::Search::limit() const {
    double most = 0.0;
    for (std::size_t i = 0; i < response.nodes(); ++i) most = std::max(most, norm(local(u, i)));
    if (!(most > kFarthest * size)) return;
    for (std::size_t i = 0; i < response.size(); ++i) u[i] *= kFarthest * size / most;
}

double ContactShape::Search::put_out() const {
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

bool ContactShape::Search::take_in() {
    bool changed = false;
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        if (marks[i] != 0) continue;
        const Vec3 x = world(i, u);
        Gap gap;
        const std::int32_t obstacle = find_way_out(x, gap);
        if (obstacle < 0 || gap.value >= -kTouching * size) continue;
        marks[i] = obstacle + 1;
        if (remembers()) input.released[i] = 0;
        keep_touch_point(i, x - gap.gradient * gap.value);
        changed = true;
    }
    return changed;
}

}  // namespace limber
