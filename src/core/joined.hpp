// Joined: numbers gathered into groups, each known by its lowest member (union-find with path halving).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace limber {

class Joined {
public:
    /// 0 to n - 1, each alone.
    explicit Joined(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

    /// The lowest number of i's group.
    std::int32_t root(std::int32_t i) {
        while (parent(i) != i) i = parent(i) = parent(parent(i));
        return i;
    }
    void join(std::int32_t a, std::int32_t b) {
        a = root(a);
        b = root(b);
        parent(std::max(a, b)) = std::min(a, b);
    }

    /// The group of every number, counted from 0 in order of their lowest members.
    std::vector<std::int32_t> groups(std::int32_t& count) {
        std::vector<std::int32_t> out(parent_.size());
        count = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::int32_t r = root(static_cast<std::int32_t>(i));
            out[i] = r == static_cast<std::int32_t>(i) ? count++
                                                       : out[static_cast<std::size_t>(r)];  // the lowest comes first
        }
        return out;
    }

private:
    std::int32_t& parent(std::int32_t i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<std::int32_t> parent_;
};

}  // namespace limber
