// The small system's entries, read out of the response: one at a time, or all that changed since the last list.
#include "bem/low_rank.hpp"

#include "core/parallel.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kColumnsPerBlock = 32, kAhead = 12;

}  // namespace

double LowRank::entry(const PrescribedDirection& u, const PrescribedDirection& t) const noexcept {
    const int d = response_.dimension();
    const auto node = static_cast<std::size_t>(u.node), other = static_cast<std::size_t>(t.node);
    double sum = 0.0;
    for (int j = 0; j < d; ++j) {
        if (t.direction[j] == 0.0) continue;
        const double* c = response_.column(other, j) + static_cast<std::size_t>(d) * node;
        double part = 0.0;
        for (int i = 0; i < d; ++i) part += u.direction[i] * c[i];
        sum += t.direction[j] * part;
    }
    return sum;
}

bool LowRank::is_listed(std::size_t at, const PrescribedDirection& item) const noexcept {
    const double* p = listed_ + 4 * at;
    return p[0] == static_cast<double>(item.node) && p[1] == item.direction.x && p[2] == item.direction.y &&
           p[3] == item.direction.z;
}

void LowRank::list_items() noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
        double* p = listed_ + 4 * i;
        p[0] = static_cast<double>(items_[i].node);
        p[1] = items_[i].direction.x;
        p[2] = items_[i].direction.y;
        p[3] = items_[i].direction.z;
    }
    *entered_ = static_cast<double>(count_);
}

bool LowRank::move_entries(std::size_t first, double* fresh) noexcept {
    const auto old = static_cast<std::size_t>(*entered_);
    double* from = work_;
    std::size_t next = first, found = 0;
    for (std::size_t i = first; i < count_; ++i) {
        std::size_t at = next;
        while (at < old && !is_listed(at, items_[i])) ++at;
        fresh[i] = at < old ? 0.0 : 1.0;
        if (at == old) continue;
        if (at < i) return false;
        from[i] = static_cast<double>(at);
        next = at + 1;
        ++found;
    }
    if (2 * found < count_ - first) return false;
    // Places only move forwards, so that nothing is overwritten before it was read.
    for (std::size_t j = 0; j < count_; ++j) {
        if (j >= first && fresh[j] != 0.0) continue;
        const double* source = matrix_ + (j < first ? j : static_cast<std::size_t>(from[j])) * capacity_;
        double* to = matrix_ + j * capacity_;
        for (std::size_t i = 0; j >= first && i < first; ++i) to[i] = source[i];
        for (std::size_t i = first; i < count_; ++i)
            if (fresh[i] == 0.0) to[i] = source[static_cast<std::size_t>(from[i])];
    }
    return true;
}

void LowRank::build() noexcept {
    if (!reuse_partly_ && !inverted_ && (known_ != count_ || *whole_ != static_cast<double>(count_))) known_ = 0;
    reuse_partly_ = true;
    if (built_ >= count_) {
        ready_ = ready_ || (!inverted_ && count_ > 0 && known_ >= count_);
        return;
    }
    const std::size_t first = built_;
    built_ = count_;
    *factored_ = static_cast<double>(known_);
    double* fresh = residual_;
    const bool moved = !inverted_ && move_entries(first, fresh);
    if (!inverted_) list_items();
    // Column by column: what one traction does to all nodes lies together. Blocks write columns of their own.
    // Directions of one node that stand side by side share what is read.
    parallel_blocks(count_, kColumnsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        const auto is_fresh = [&](std::size_t i) { return !moved || (i >= first && fresh[i] != 0.0); };
        for (std::size_t j = begin, last = j; j < end; j = last) {
            const bool whole = j >= first && is_fresh(j);
            const std::size_t stop = std::min({end, j + 3, j < first ? first : end});
            for (last = j + 1;
                 last < stop && items_[last].node == items_[j].node && (j < first || is_fresh(last) == whole);) {
                ++last;
            }
            if (whole || !moved) {
                fill_columns(j, last, whole ? 0 : first, count_);
                continue;
            }
            for (std::size_t i = first, to = i; i < count_; i = to) {
                for (to = i + 1; to < count_ && is_fresh(to) == is_fresh(i);) ++to;
                if (is_fresh(i)) fill_columns(j, last, i, to);
            }
        }
    });
}

void LowRank::fill_columns(std::size_t j, std::size_t last, std::size_t i, std::size_t end) noexcept {
    const auto other = static_cast<std::size_t>(items_[j].node);
    const bool planar = response_.dimension() == 2;
    const double *x = response_.column(other, 0), *y = response_.column(other, 1),
                 *z = planar ? x : response_.column(other, 2);
    const auto row = [&](std::size_t k) {
        return static_cast<std::size_t>(response_.dimension()) * static_cast<std::size_t>(items_[k].node);
    };
    while (i < end) {
        const std::int32_t node = items_[i].node;
        if (i + kAhead < end)  // rows lie far apart: without this each waits for memory
            for (const double* column : {x, y, z}) __builtin_prefetch(column + row(i + kAhead));
        const std::size_t at = row(i);
        const Vec3 by_x{x[at], x[at + 1], planar ? 0.0 : x[at + 2]}, by_y{y[at], y[at + 1], planar ? 0.0 : y[at + 2]},
            by_z{z[at], z[at + 1], planar ? 0.0 : z[at + 2]};
        Vec3 moved[3];
        for (std::size_t q = j; q < last; ++q)
            moved[q - j] = by_x * items_[q].direction.x + by_y * items_[q].direction.y + by_z * items_[q].direction.z;
        for (; i < end && items_[i].node == node; ++i)
            for (std::size_t q = j; q < last; ++q) m(i, q) = dot(items_[i].direction, moved[q - j]);
    }
}

}  // namespace limber
