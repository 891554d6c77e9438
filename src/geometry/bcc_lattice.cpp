#include "geometry/bcc_lattice.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <cstdlib>

namespace limber {
namespace {

constexpr double kMostPoints = 134217728.0;

BccLattice::Half offset(int direction) {
    BccLattice::Half d{};
    if (direction < BccLattice::kLong) {
        d[static_cast<std::size_t>(direction / 2)] = direction % 2 == 0 ? 2 : -2;
        return d;
    }
    const int bits = direction - BccLattice::kLong;
    for (std::size_t a = 0; a < 3; ++a) d[a] = (bits >> a) & 1 ? 1 : -1;
    return d;
}

}  // namespace

BccLattice::BccLattice(const Box3& box, double cell_size) : cell_size_(cell_size) {
    double points = 2.0;
    for (int a = 0; a < 3; ++a) {
        const double cells = std::ceil(box.size()[a] / cell_size) + 3.0;
        points *= cells + 1.0;
        if (!(points < kMostPoints)) {
            throw Error(Fault::bad_usage, InputLocation{"cell size", 0, {}},
                        text(cell_size, " m for a shape of ", box.diagonal(), " m: more than 1e8 lattice points"),
                        "larger or fewer cells");
        }
        cells_[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(cells);
        low_[a] = 0.5 * (box.low[a] + box.high[a] - cells * cell_size);
    }
    red_count_ = (cells_[0] + 1) * (cells_[1] + 1) * (cells_[2] + 1);
    black_count_ = cells_[0] * cells_[1] * cells_[2];
}

BccLattice::Half BccLattice::half(std::int32_t id) const {
    const bool red = id < red_count_;
    const std::int32_t i = red ? id : id - red_count_, odd = red ? 0 : 1;
    const std::int32_t nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd;
    return {2 * (i % nx) + odd, 2 * (i / nx % ny) + odd, 2 * (i / nx / ny) + odd};
}

std::int32_t BccLattice::id(const Half& half) const {
    const std::int32_t odd = half[0] & 1;
    for (std::size_t a = 0; a < 3; ++a)
        if (half[a] < 0 || half[a] > 2 * cells_[a]) return -1;
    const std::int32_t nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd;
    return (half[0] / 2) + nx * ((half[1] / 2) + ny * (half[2] / 2)) + (odd ? red_count_ : 0);
}

Vec3 BccLattice::position(std::int32_t id) const {
    const Half h = half(id);
    return low_ +
           0.5 * cell_size_ * Vec3{static_cast<double>(h[0]), static_cast<double>(h[1]), static_cast<double>(h[2])};
}

std::int32_t BccLattice::neighbour(std::int32_t id, int direction) const {
    const Half h = half(id), d = offset(direction);
    return this->id({h[0] + d[0], h[1] + d[1], h[2] + d[2]});
}

int BccLattice::direction(const Half& from, const Half& to) {
    int bits = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::int32_t d = to[a] - from[a];
        if (std::abs(d) == 2) return static_cast<int>(2 * a) + (d > 0 ? 0 : 1);
        if (d > 0) bits |= 1 << a;
    }
    return kLong + bits;
}

}  // namespace limber
