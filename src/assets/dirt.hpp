// Single ways to spoil triangles, each driven by its own random numbers.
#pragma once

#include "geometry/triangles.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace limber {

/// Numbers that are the same with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : twister_(seed) {}
    /// From low to below high.
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(twister_()) / 4294967296.0);
    }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(between(0.0, static_cast<double>(count))); }
    bool coin() { return (twister_() & 1u) != 0; }
    Vec3 direction();

private:
    std::mt19937 twister_;
};

// Each returns what it did, in words.
std::string make_holes(Triangles& triangles, Dice& dice);    ///< 1 to 3, each 2 to 10 % of the diagonal across
std::string flip_faces(Triangles& triangles, Dice& dice);    ///< 5 to 20 %, scattered or side by side
std::string double_faces(Triangles& triangles, Dice& dice);  ///< 5 to 100 %, some the other way round
std::string add_noise(Triangles& triangles, Dice& dice);     ///< 5 to 30 % of the mean edge
std::string open_gaps(Triangles& triangles, Dice& dice);     ///< cut by planes and drawn apart, or every face shrunk
std::string make_soup(Triangles& triangles, Dice& dice);     ///< no shared vertices, any order
/// A turned, moved and perhaps smaller copy is added; `copy` is what was added.
std::string overlap_copy(Triangles& triangles, Triangles& copy, Dice& dice);

}  // namespace limber
