#include "geometry/harmonic.hpp"

#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kTolerance = 1e-10;  // of the right-hand side: far below what decides to whom a cell belongs
constexpr int kMostRounds = 5000;

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

HarmonicField::HarmonicField(const Mesh& mesh, std::vector<char> known) : known_(std::move(known)) {
    std::vector<std::pair<std::int32_t, std::int32_t>> edges;
    edges.reserve(12 * mesh.cell_count());
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (const auto& e : kTetEdges) {
            const std::int32_t a = mesh.cell(c)[e[0]], b = mesh.cell(c)[e[1]];
            edges.emplace_back(a, b);
            edges.emplace_back(b, a);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    start_.assign(mesh.vertices.size() + 1, 0);
    for (const auto& [a, b] : edges) {
        ++start_[static_cast<std::size_t>(a) + 1];
        neighbour_.push_back(b);
    }
    for (std::size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
}

/// The number of neighbours times the value, less theirs; only among unknown vertices.
void HarmonicField::apply(const std::vector<double>& x, std::vector<double>& out) const {
    for (std::size_t v = 0; v < known_.size(); ++v) {
        if (known_[v]) {
            out[v] = 0.0;
            continue;
        }
        double sum = static_cast<double>(start_[v + 1] - start_[v]) * x[v];
        for (std::size_t i = start_[v]; i < start_[v + 1]; ++i)
            sum -= x[static_cast<std::size_t>(neighbour_[i])];  // x is 0 where known
        out[v] = sum;
    }
}

/// Conjugate gradients, scaled by the diagonal.
std::vector<double> HarmonicField::extend(std::span<const double> values) const {
    const std::size_t n = known_.size();
    std::vector<double> x(n, 0.0), r(n, 0.0), z(n, 0.0), p(n, 0.0), ap(n, 0.0);
    double low = 0.0, high = 0.0;
    bool any = false;
    for (std::size_t v = 0; v < n; ++v) {
        if (known_[v]) {
            low = any ? std::min(low, values[v]) : values[v];
            high = any ? std::max(high, values[v]) : values[v];
            any = true;
            continue;
        }
        for (std::size_t i = start_[v]; i < start_[v + 1]; ++i) {
            const auto w = static_cast<std::size_t>(neighbour_[i]);
            if (known_[w]) r[v] += values[w];
        }
    }
    const auto precondition = [&] {
        for (std::size_t v = 0; v < n; ++v) z[v] = r[v] / std::max(1.0, static_cast<double>(start_[v + 1] - start_[v]));
    };
    precondition();
    p = z;
    double rz = product(r, z);
    const double enough = kTolerance * kTolerance * rz;
    for (int round = 0; round < kMostRounds && rz > enough; ++round) {
        apply(p, ap);
        const double step = rz / product(p, ap);
        for (std::size_t v = 0; v < n; ++v) {
            x[v] += step * p[v];
            r[v] -= step * ap[v];
        }
        precondition();
        const double next = product(r, z);
        for (std::size_t v = 0; v < n; ++v) p[v] = z[v] + next / rz * p[v];
        rz = next;
    }
    for (std::size_t v = 0; v < n; ++v) x[v] = known_[v] ? values[v] : std::clamp(x[v], std::min(low, 0.0), high);
    return x;
}

}  // namespace limber
