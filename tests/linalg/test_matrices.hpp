// Matrices for tests and benchmarks: boxes of linear tetrahedra, chains, grids, random ones.
#pragma once

#include "linalg/sparse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace limber::testing {

/// splitmix64 mapped to (-1, 1): the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double operator()() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
    }

private:
    std::uint64_t state_;
};

inline std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> v(n);
    for (double& x : v) x = random();
    return v;
}

using Entries = std::map<std::pair<std::int32_t, std::int32_t>, double>;

inline Csr from_entries(std::size_t n, const Entries& entries) {
    Csr a;
    a.starts.assign(n + 1, 0);
    for (const auto& [at, value] : entries) {
        a.columns.push_back(at.second);
        a.values.push_back(value);
        ++a.starts[static_cast<std::size_t>(at.first) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) a.starts[i + 1] += a.starts[i];
    return a;
}

/// Symmetric, about `per_row` random off-diagonal entries per row, diagonally dominant by `margin`.
inline Csr random_spd(std::size_t n, int per_row, std::uint64_t seed, double margin = 0.1) {
    Random random(seed);
    Entries entries;
    std::vector<double> sums(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < per_row; ++k) {
            const std::size_t j = static_cast<std::size_t>((random() + 1.0) * 0.5 * static_cast<double>(n)) % n;
            if (i == j) continue;
            const double value = random();
            entries[{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)}] = value;
            entries[{static_cast<std::int32_t>(j), static_cast<std::int32_t>(i)}] = value;
        }
    }
    for (const auto& [at, value] : entries) sums[static_cast<std::size_t>(at.first)] += value < 0 ? -value : value;
    for (std::size_t i = 0; i < n; ++i)
        entries[{static_cast<std::int32_t>(i), static_cast<std::int32_t>(i)}] = sums[i] + margin;
    return from_entries(n, entries);
}

/// Springs of stiffness 1 between n unit masses in a row; `fixed` ties both ends to walls.
inline Csr chain(std::size_t n, bool fixed) {
    Entries entries;
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::int32_t>(i);
        const bool end = i == 0 || i + 1 == n;
        entries[{at, at}] = (end && !fixed) ? (n == 1 ? 0.0 : 1.0) : 2.0;
        if (i + 1 < n) entries[{at, at + 1}] = entries[{at + 1, at}] = -1.0;
    }
    return from_entries(n, entries);
}

/// A box of nx x ny x nz cubes, six linear tetrahedra each: stiffness (E = 1e5, nu = 0.3) and lumped mass (density
/// 1000).
struct TetBox {
    std::array<std::size_t, 3> cells{};
    std::vector<std::array<double, 3>> vertices;
    BlockCsr stiffness;
    std::vector<double> mass;             ///< per unknown
    std::vector<std::int32_t> held_free;  ///< unknowns left when the x = 0 face is held
    std::size_t tets = 0;
};

namespace detail {
using Vec = std::array<double, 3>;
inline Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec cross(const Vec& a, const Vec& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

using Blocks = std::vector<std::map<std::int32_t, std::array<double, 9>>>;

inline void add_tet(TetBox& box, Blocks& rows, const std::array<std::int32_t, 4>& t) {
    const double young = 1e5, nu = 0.3, density = 1000.0;
    const double lambda = young * nu / ((1 + nu) * (1 - 2 * nu)), mu = young / (2 * (1 + nu));
    const auto point = [&](int i) { return box.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])]; };
    const Vec a = minus(point(1), point(0)), b = minus(point(2), point(0)), c = minus(point(3), point(0));
    const double six = dot(a, cross(b, c)), volume = (six < 0 ? -six : six) / 6.0;
    std::array<Vec, 4> g{};
    const std::array<Vec, 3> cofactors{cross(b, c), cross(c, a), cross(a, b)};
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
            g[k + 1][i] = cofactors[k][i] / six;
            g[0][i] -= g[k + 1][i];
        }
    }
    for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t i = 0; i < 3; ++i) box.mass[3 * static_cast<std::size_t>(t[p]) + i] += density * volume / 4.0;
        for (std::size_t q = 0; q < 4; ++q) {
            std::array<double, 9>& k = rows[static_cast<std::size_t>(t[p])][t[q]];
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    k[3 * i + j] += volume * (lambda * g[p][i] * g[q][j] + mu * g[p][j] * g[q][i] +
                                              (i == j ? mu * dot(g[p], g[q]) : 0.0));
                }
            }
        }
    }
}
}  // namespace detail

inline TetBox tet_box(std::size_t nx, std::size_t ny, std::size_t nz, std::array<double, 3> size = {1.0, 1.0, 1.0}) {
    TetBox box;
    box.cells = {nx, ny, nz};
    const auto id = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<std::int32_t>((k * (ny + 1) + j) * (nx + 1) + i);
    };
    for (std::size_t k = 0; k <= nz; ++k) {
        for (std::size_t j = 0; j <= ny; ++j) {
            for (std::size_t i = 0; i <= nx; ++i) {
                box.vertices.push_back({size[0] * static_cast<double>(i) / static_cast<double>(nx),
                                        size[1] * static_cast<double>(j) / static_cast<double>(ny),
                                        size[2] * static_cast<double>(k) / static_cast<double>(nz)});
            }
        }
    }
    box.mass.assign(3 * box.vertices.size(), 0.0);
    detail::Blocks rows(box.vertices.size());
    const std::array<std::array<std::size_t, 3>, 6> paths{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    for (std::size_t k = 0; k < nz; ++k) {
        for (std::size_t j = 0; j < ny; ++j) {
            for (std::size_t i = 0; i < nx; ++i) {
                for (const auto& path : paths) {
                    std::array<std::size_t, 3> at{i, j, k};
                    std::array<std::int32_t, 4> tet{id(i, j, k), 0, 0, 0};
                    for (std::size_t step = 0; step < 3; ++step) {
                        ++at[path[step]];
                        tet[step + 1] = id(at[0], at[1], at[2]);
                    }
                    detail::add_tet(box, rows, tet);
                    ++box.tets;
                }
            }
        }
    }
    for (const auto& row : rows) {
        for (const auto& [column, value] : row) {
            box.stiffness.columns.push_back(column);
            box.stiffness.values.insert(box.stiffness.values.end(), value.begin(), value.end());
        }
        box.stiffness.starts.push_back(static_cast<std::int32_t>(box.stiffness.columns.size()));
    }
    for (std::size_t v = 0; v < box.vertices.size(); ++v) {
        if (box.vertices[v][0] > 0.0)
            for (std::size_t c = 0; c < 3; ++c) box.held_free.push_back(static_cast<std::int32_t>(3 * v + c));
    }
    return box;
}

inline std::vector<std::int32_t> all_unknowns(const BlockCsr& a) {
    std::vector<std::int32_t> all(a.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    return all;
}

/// M + s K of the box with its x = 0 face held: an implicit step's matrix.
inline Csr implicit_system(const TetBox& box, double s) {
    std::vector<double> mass;
    for (const std::int32_t i : box.held_free) mass.push_back(box.mass[static_cast<std::size_t>(i)]);
    return add(s, compress(box.stiffness, box.held_free), 1.0, diagonal(mass));
}

/// |b - a x| / |b|
inline double residual(const Csr& a, const std::vector<double>& b, const std::vector<double>& x) {
    std::vector<double> r(b.size());
    multiply(a, x.data(), r.data());
    double top = 0.0, bottom = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        top += (b[i] - r[i]) * (b[i] - r[i]);
        bottom += b[i] * b[i];
    }
    return std::sqrt(top / bottom);
}

}  // namespace limber::testing
