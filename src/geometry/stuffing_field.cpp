#include "geometry/stuffing_field.hpp"

#include "core/parallel.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <chrono>

namespace limber {
namespace {

// A point nearer to a crossing than this share of the edge moves onto it. Larger shares leave better cut tetrahedra and
// worse moved ones; over random sides and crossings these gave the largest smallest angle (10.7 degrees). Labelle &
// Shewchuk have 0.24999 and 0.41189.
constexpr double kNearLong = 0.25, kNearShort = 0.38;
constexpr int kHalvings = 10;
constexpr std::size_t kBlock = 512, kSmallBlock = 16;

double near_share(int direction) { return direction < BccLattice::kLong ? kNearLong : kNearShort; }

void check_stop(const Progress& progress) {
    if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while filling the shape");
}

/// Runs in chunks so that a person who waits sees it move and can stop it.
template <class F>
void in_chunks(std::size_t count, double low, double high, Progress& progress, const char* what, F&& f) {
    // One question may take a microsecond or, among slivers, milliseconds: chunks grow while they take less than a
    // tenth of a second.
    std::size_t chunk = kSmallBlock;
    for (std::size_t begin = 0; begin < count;) {
        check_stop(progress);
        progress.update(low + (high - low) * static_cast<double>(begin) / static_cast<double>(count), what);
        const std::size_t n = std::min(chunk, count - begin);
        const auto start = std::chrono::steady_clock::now();
        parallel_blocks(n, std::min(kBlock, std::max(kSmallBlock, n / 16)),
                        [&](std::size_t, std::size_t from, std::size_t to) {
                            for (std::size_t i = from; i < to; ++i) f(begin + i);
                        });
        begin += n;
        if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100))
            chunk = std::min(2 * chunk, 64 * kBlock);
        else if (chunk > kSmallBlock)
            chunk /= 2;
    }
}

}  // namespace

StuffingField::StuffingField(const BccLattice& lattice, const InsideTest& inside, Progress& progress)
    : lattice_(lattice) {
    find_sides(inside, progress);
    find_crossings(inside, progress);
    warp();
}

void StuffingField::find_sides(const InsideTest& inside, Progress& progress) {
    side_.assign(static_cast<std::size_t>(lattice_.size()), -1);
    in_chunks(side_.size(), 0.0, 0.4, progress, "asking what is inside", [&](std::size_t i) {
        if (inside(lattice_.position(static_cast<std::int32_t>(i)))) side_[i] = 1;
    });
}

void StuffingField::find_crossings(const InsideTest& inside, Progress& progress) {
    slot_.assign(side_.size(), -1);
    for (std::int32_t id = 0; id < lattice_.size(); ++id) {
        if (side(id) < 0) continue;
        for (int d = 0; d < BccLattice::kDirections; ++d) {
            const std::int32_t other = lattice_.neighbour(id, d);
            if (other < 0 || side(other) > 0) continue;
            slot_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(edge_points_.size());
            edge_points_.push_back(id);
            break;
        }
    }
    share_.assign(edge_points_.size() * BccLattice::kDirections, -1.0);
    in_chunks(share_.size(), 0.4, 0.9, progress, "finding the boundary", [&](std::size_t k) {
        const std::int32_t id = edge_points_[k / BccLattice::kDirections];
        const std::int32_t other = lattice_.neighbour(id, static_cast<int>(k % BccLattice::kDirections));
        if (other < 0 || side(other) > 0) return;
        const Vec3 from = lattice_.position(id), to = lattice_.position(other);
        double low = 0.0, high = 1.0;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (low + high);
            (inside(from + middle * (to - from)) ? low : high) = middle;
        }
        share_[k] = 0.5 * (low + high);
    });
}

std::size_t StuffingField::crossing_number(std::int32_t in, std::int32_t out) const {
    const auto slot = static_cast<std::size_t>(slot_[static_cast<std::size_t>(in)]);
    return slot * BccLattice::kDirections +
           static_cast<std::size_t>(BccLattice::direction(lattice_.half(in), lattice_.half(out)));
}

Vec3 StuffingField::crossing(std::int32_t in, std::int32_t out) const {
    const Vec3 from = lattice_.position(in), to = lattice_.position(out);
    return from + share_[crossing_number(in, out)] * (to - from);
}

/// The crossing that is nearest to the point, among those too near.
bool StuffingField::nearest_crossing(std::int32_t id, Vec3& at) const {
    double best = lattice_.length(0);
    bool found = false;
    for (int d = 0; d < BccLattice::kDirections; ++d) {
        const std::int32_t other = lattice_.neighbour(id, d);
        if (other < 0 || side(other) != -side(id)) continue;
        const bool in = side(id) > 0;
        const double share = share_[in ? crossing_number(id, other) : crossing_number(other, id)];
        const double own = in ? share : 1.0 - share;
        if (own >= near_share(d) || own * lattice_.length(d) >= best) continue;
        best = own * lattice_.length(d);
        at = in ? crossing(id, other) : crossing(other, id);
        found = true;
    }
    return found;
}

// In order of number, each point seeing those moved before it: a moved point is on the boundary, and its edges have no
// crossing.
void StuffingField::warp() {
    moved_.assign(side_.size(), -1);
    for (std::int32_t id = 0; id < lattice_.size(); ++id) {
        Vec3 at;
        if (!nearest_crossing(id, at)) continue;
        side_[static_cast<std::size_t>(id)] = 0;
        moved_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(moved_to_.size());
        moved_to_.push_back(at);
    }
}

Vec3 StuffingField::position(std::int32_t id) const {
    const std::int32_t m = moved_[static_cast<std::size_t>(id)];
    return m >= 0 ? moved_to_[static_cast<std::size_t>(m)] : lattice_.position(id);
}

}  // namespace limber
