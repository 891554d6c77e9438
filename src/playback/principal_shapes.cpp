#include "playback/principal_shapes.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber {

namespace {
using Field = std::vector<Vec3>;
constexpr std::size_t kBasisFrames = 200, kBlock = 8192;

double product(const Field& a, const Field& b) {
    std::vector<double> part((a.size() + kBlock - 1) / kBlock);
    parallel_blocks(a.size(), kBlock, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
        double sum = 0.0;
        for (std::size_t i = begin; i < end; ++i) sum += dot(a[i], b[i]);
        part[block] = sum;
    });
    return std::accumulate(part.begin(), part.end(), 0.0);
}

double largest_of(const std::vector<Field>& frames) {
    double most = 0.0;
    for (const Field& f : frames)
        for (const Vec3& u : f) most = std::max(most, norm2(u));
    return std::sqrt(most);
}

/// The power of two that brings the largest component near 1: displacements of 1e200 m, or of 1e-200, have squares of
/// their own.
double near_one(const std::vector<Field>& frames) {
    double most = 0.0;
    for (const Field& f : frames)
        for (const Vec3& u : f) most = std::max({most, std::abs(u.x), std::abs(u.y), std::abs(u.z)});
    return most > 0.0 ? std::ldexp(1.0, -std::clamp(std::ilogb(most), -1000, 1000)) : 1.0;
}

/// Symmetric matrix, row by row.
struct Symmetric {
    std::size_t n;
    std::vector<double> a;
    double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
};

/// Cyclic Jacobi: plain, accurate in the small eigenvalues too, and fast enough for 200 frames. Vectors are rows of the
/// result.
std::vector<double> diagonalise(Symmetric& m) {
    std::vector<double> rows(m.n * m.n, 0.0);
    for (std::size_t i = 0; i < m.n; ++i) rows[i * m.n + i] = 1.0;
    double trace = 0.0;
    for (std::size_t i = 0; i < m.n; ++i) trace += std::abs(m(i, i));
    for (int sweep = 0; sweep < 30; ++sweep) {
        double off = 0.0;
        for (std::size_t p = 0; p < m.n; ++p) {
            for (std::size_t q = p + 1; q < m.n; ++q) {
                off = std::max(off, std::abs(m(p, q)));
                if (std::abs(m(p, q)) <= 1e-16 * trace) continue;
                const double theta = (m(q, q) - m(p, p)) / (2.0 * m(p, q));
                const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0)),
                             c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
                for (std::size_t k = 0; k < m.n; ++k) {
                    const double kp = m(k, p), kq = m(k, q);
                    m(k, p) = c * kp - s * kq;
                    m(k, q) = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < m.n; ++k) {
                    const double pk = m(p, k), qk = m(q, k);
                    m(p, k) = c * pk - s * qk;
                    m(q, k) = s * pk + c * qk;
                    const double vp = rows[p * m.n + k], vq = rows[q * m.n + k];
                    rows[p * m.n + k] = c * vp - s * vq;
                    rows[q * m.n + k] = s * vp + c * vq;
                }
            }
        }
        if (off <= 1e-15 * trace) break;
    }
    return rows;
}

/// Orthonormal fields, strongest first.
std::vector<Field> directions(const std::vector<Field>& frames, std::size_t most, double largest) {
    std::vector<std::size_t> chosen;
    const std::size_t n = std::min(frames.size(), kBasisFrames);
    for (std::size_t i = 0; i < n; ++i) chosen.push_back(n > 1 ? i * (frames.size() - 1) / (n - 1) : 0);
    Symmetric gram{n, std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) gram(i, j) = gram(j, i) = product(frames[chosen[i]], frames[chosen[j]]);
    const std::vector<double> rows = diagonalise(gram);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gram(a, a) > gram(b, b); });

    std::vector<Field> out;
    for (std::size_t k = 0; k < n && out.size() < most; ++k) {
        Field d(frames[0].size());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t v = 0; v < d.size(); ++v) d[v] += rows[order[k] * n + i] * frames[chosen[i]][v];
        for (const Field& earlier :
             out) {  // the Gram matrix squares the rounding: weak ones need to be made orthogonal again
            const double along = product(earlier, d);
            for (std::size_t v = 0; v < d.size(); ++v) d[v] -= along * earlier[v];
        }
        const double length = std::sqrt(product(d, d));
        if (!(length > 1e-9 * largest)) break;
        for (Vec3& u : d) u *= 1.0 / length;
        out.push_back(std::move(d));
    }
    return out;
}
}  // namespace

PrincipalShapes principal_shapes(std::vector<Field> frames, std::size_t most, double tolerance) {
    PrincipalShapes out;
    out.weights.resize(frames.size());
    if (frames.empty() || frames[0].empty()) return out;
    const double scale_all = near_one(frames);
    for (Field& f : frames)
        for (Vec3& u : f) u *= scale_all;
    out.worst = out.largest = largest_of(frames);
    for (Field& direction : directions(frames, most, out.largest)) {
        if (out.worst <= tolerance * out.largest) break;
        std::vector<double> along;
        double scale = 0.0;
        for (Field& f : frames) {  // what is left of each frame
            along.push_back(product(direction, f));
            scale = std::max(scale, std::abs(along.back()));
            for (std::size_t v = 0; v < f.size(); ++v) f[v] -= along.back() * direction[v];
        }
        if (scale == 0.0) continue;
        for (std::size_t f = 0; f < frames.size(); ++f) out.weights[f].push_back(along[f] / scale);
        for (Vec3& u : direction) u *= scale / scale_all;
        out.shapes.push_back(std::move(direction));
        out.worst = largest_of(frames);
    }
    double sum = 0.0;
    for (const Field& f : frames) sum += product(f, f);
    out.rms = std::sqrt(sum / static_cast<double>(frames.size() * frames[0].size())) / scale_all;
    out.worst /= scale_all;
    out.largest /= scale_all;
    return out;
}

}  // namespace limber
