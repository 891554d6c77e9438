#include "geometry/solid_torn.hpp"

#include "core/joined.hpp"
#include "geometry/tet_neighbours.hpp"
#include "geometry/triangles.hpp"

#include <limber/error.hpp>

#include <array>
#include <cmath>
#include <unordered_map>

namespace limber {
namespace {

constexpr double kStepsPerCell = 3.0;
constexpr std::size_t kLooksPerStop = 4096;  // points between two questions whether to stop

using Point = std::array<std::int32_t, 3>;  // of a grid

struct PointHash {
    std::size_t operator()(const Point& p) const {
        std::uint64_t h = 0;
        for (const std::int32_t i : p) h = (h ^ static_cast<std::uint32_t>(i)) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(h ^ (h >> 29));
    }
};

/// Grows the parts through the shape's inside and joins those that meet.
class Walk {
public:
    /// Stays in `box`.
    Walk(const InsideTest& inside, const Box3& box, double step, std::size_t parts, const Progress& progress)
        : inside_(inside), box_(box), origin_(box.low), step_(step), joined_(parts), progress_(progress) {}

    void start(const Vec3& at, std::int32_t part) {
        Point p{};
        for (int a = 0; a < 3; ++a) {
            p[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(std::lround((at[a] - origin_[a]) / step_));
        }
        reach(p, part, nullptr);
    }

    void run() {
        while (!open_.empty()) {
            const auto [point, part] = open_.back();
            open_.pop_back();
            for (std::size_t a = 0; a < 3; ++a) {
                for (const std::int32_t way : {-1, 1}) {
                    Point next = point;
                    next[a] += way;
                    reach(next, part, &point);
                }
            }
        }
    }

    Joined& joined() { return joined_; }

private:
    Vec3 position(const Point& p) const {
        return {origin_.x + step_ * p[0], origin_.y + step_ * p[1], origin_.z + step_ * p[2]};
    }

    bool is_inside(const Vec3& at) {
        if (++looks_ % kLooksPerStop == 0 && progress_.stop_requested()) {
            throw Error(Fault::interrupted, {}, "interrupted while looking for torn parts");
        }
        for (int a = 0; a < 3; ++a) {
            if (at[a] < box_.low[a] || at[a] > box_.high[a]) return false;
        }
        return inside_(at);
    }

    /// The middle of a step is asked too: gaps narrower than a step part what they part.
    bool is_open(const Point* from, const Point& to) {
        return from == nullptr || is_inside((position(*from) + position(to)) * 0.5);
    }

    void reach(const Point& p, std::int32_t part, const Point* from) {
        const auto [it, fresh] = owner_.try_emplace(p, part);
        if (!fresh) {
            const std::int32_t other = it->second;
            const bool strangers = other >= 0 && joined_.root(other) != joined_.root(part);
            if (strangers && is_open(from, p)) joined_.join(other, part);
            return;
        }
        if (!is_inside(position(p)))
            it->second = -1;
        else if (!is_open(from, p))
            owner_.erase(it);
        else
            open_.emplace_back(p, part);
    }

    const InsideTest& inside_;
    Box3 box_;
    Vec3 origin_;
    double step_;
    Joined joined_;
    const Progress& progress_;
    std::unordered_map<Point, std::int32_t, PointHash>
        owner_;  ///< -1: outside. Only looked up, so that its order means nothing
    std::vector<std::pair<Point, std::int32_t>> open_;
    std::size_t looks_ = 0;
};

Vec3 middle_of(const Mesh& mesh, std::size_t c) {
    Vec3 sum;
    for (int k = 0; k < 4; ++k) sum += mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])];
    return sum * 0.25;
}

}  // namespace

std::vector<std::int32_t> face_parts(const Mesh& mesh, std::int32_t& count) {
    Joined joined(mesh.cell_count());
    const auto neighbours = tet_neighbours(mesh);
    for (std::size_t c = 0; c < neighbours.size(); ++c) {
        for (const std::int32_t other : neighbours[c]) {
            if (other >= 0) joined.join(static_cast<std::int32_t>(c), other);
        }
    }
    return joined.groups(count);
}

TornParts torn_parts(const Mesh& mesh, double least, const InsideTest& inside, double cell_size,
                     const Progress& progress) {
    TornParts out;
    std::int32_t count = 0;
    out.part = face_parts(mesh, count);
    out.volume.assign(static_cast<std::size_t>(count), 0.0);
    out.torn.assign(static_cast<std::size_t>(count), 0);
    double total = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const double v = cell_measure(mesh, c);
        out.volume[static_cast<std::size_t>(out.part[c])] += v;
        total += v;
    }
    if (count <= 1) return out;
    Box3 box = box_of(mesh.vertices);
    for (int a = 0; a < 3; ++a) {
        box.low[a] -= cell_size;
        box.high[a] += cell_size;
    }
    Walk walk(inside, box, cell_size / kStepsPerCell, static_cast<std::size_t>(count), progress);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        if (out.volume[static_cast<std::size_t>(out.part[c])] >= least * total)
            walk.start(middle_of(mesh, c), out.part[c]);
    }
    walk.run();
    std::vector<std::int32_t> largest(static_cast<std::size_t>(count), -1);  // of each piece, by its lowest part
    for (std::int32_t p = 0; p < count; ++p) {
        std::int32_t& best = largest[static_cast<std::size_t>(walk.joined().root(p))];
        if (best < 0 || out.volume[static_cast<std::size_t>(p)] > out.volume[static_cast<std::size_t>(best)]) best = p;
    }
    for (std::int32_t p = 0; p < count; ++p) {
        const auto i = static_cast<std::size_t>(p);
        out.torn[i] = out.volume[i] >= least * total && largest[static_cast<std::size_t>(walk.joined().root(p))] != p
                          ? 1
                          : 0;
        if (out.torn[i]) out.share += out.volume[i] / total;
    }
    return out;
}

}  // namespace limber
