#include "linalg/block6_factor.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// The triangle of a 6x6 block in double (a handful of operations beside the block products), inverted, as columns of
// eight floats; and its transpose.
int invert_triangle(float* block, float* transposed) noexcept {
    double l[6][6] = {}, inverse[6][6] = {};
    int replaced = 0;
    for (std::size_t j = 0; j < 6; ++j) {
        const double own = static_cast<double>(block[8 * j + j]);
        double pivot = own;
        for (std::size_t k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
        if (!(pivot > 1e-6 * own) || !std::isfinite(pivot)) {
            pivot = own > 0.0 && std::isfinite(own) ? own : 1.0;
            ++replaced;
        }
        l[j][j] = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < 6; ++i) {
            double s = static_cast<double>(block[8 * j + i]);
            for (std::size_t k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
            l[i][j] = s / l[j][j];
        }
    }
    for (std::size_t j = 0; j < 6; ++j) {
        inverse[j][j] = 1.0 / l[j][j];
        for (std::size_t i = j + 1; i < 6; ++i) {
            double s = 0.0;
            for (std::size_t k = j; k < i; ++k) s -= l[i][k] * inverse[k][j];
            inverse[i][j] = s / l[i][i];
        }
    }
    for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t i = 0; i < 8; ++i) {
            block[8 * j + i] = i < 6 ? static_cast<float>(inverse[i][j]) : 0.0f;
            transposed[8 * j + i] = i < 6 ? static_cast<float>(inverse[j][i]) : 0.0f;
        }
    }
    return replaced;
}

}  // namespace

Block6Factor::Block6Factor(const Graph& graph) {
    const std::size_t n = graph.nodes();
    std::vector<std::vector<std::int32_t>> below(n), children(n), left(n);
    for (std::size_t j = 0; j < n; ++j) {
        auto& column = below[j];
        const auto self = static_cast<std::int32_t>(j);
        for (std::int32_t e = graph.starts[j]; e < graph.starts[j + 1]; ++e)
            if (const std::int32_t i = graph.neighbours[static_cast<std::size_t>(e)]; i > self) column.push_back(i);
        for (const std::int32_t child : children[j]) {
            for (const std::int32_t i : below[static_cast<std::size_t>(child)])
                if (i > self) column.push_back(i);
        }
        std::sort(column.begin(), column.end());
        column.erase(std::unique(column.begin(), column.end()), column.end());
        if (!column.empty()) children[static_cast<std::size_t>(column.front())].push_back(self);
        diagonal_.push_back(starts_.back());
        rows_.push_back(self);
        for (const std::int32_t i : column) {
            left[static_cast<std::size_t>(i)].push_back(self);
            rows_.push_back(i);
        }
        starts_.push_back(static_cast<std::int32_t>(rows_.size()));
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::int32_t k : left[i]) {
            left_columns_.push_back(k);
            left_blocks_.push_back(slot(static_cast<std::int32_t>(i), k));
        }
        left_starts_.push_back(static_cast<std::int32_t>(left_columns_.size()));
    }
}

double Block6Factor::products() const {
    double sum = 0.0;
    for (std::size_t j = 0; j < nodes(); ++j) {
        const auto below = static_cast<double>(starts_[j + 1] - starts_[j] - 1);
        sum += below * (below + 3.0) / 2.0 + 4.0;
    }
    return sum;
}

std::int32_t Block6Factor::slot(std::int32_t row, std::int32_t column) const {
    const auto begin = rows_.begin() + starts_[static_cast<std::size_t>(column)],
               end = rows_.begin() + starts_[static_cast<std::size_t>(column) + 1];
    const auto at = std::lower_bound(begin, end, row);
    return at != end && *at == row ? static_cast<std::int32_t>(at - rows_.begin()) : -1;
}

// Column by column, each gathering what the columns left of it do to it: its own blocks then stay in the cache.
int Block6Factor::factor(const FloatKernels& kernels, float* values, std::int32_t* map) const noexcept {
    constexpr std::size_t kAtOnce = 64;
    std::int32_t to[kAtOnce];
    int replaced = 0;
    for (std::size_t j = 0; j < nodes(); ++j) {
        for (std::int32_t b = starts_[j]; b < starts_[j + 1]; ++b) map[rows_[static_cast<std::size_t>(b)]] = b;
        for (std::int32_t l = left_starts_[j]; l < left_starts_[j + 1]; ++l) {
            const std::int32_t first = left_blocks_[static_cast<std::size_t>(l)];
            const std::int32_t end = starts_[static_cast<std::size_t>(left_columns_[static_cast<std::size_t>(l)]) + 1];
            for (std::int32_t b = first; b < end;) {
                const std::size_t count = std::min(kAtOnce, static_cast<std::size_t>(end - b));
                for (std::size_t i = 0; i < count; ++i) to[i] = map[rows_[static_cast<std::size_t>(b) + i]];
                kernels.subtract6(values, to, values + kBlock6 * static_cast<std::size_t>(b),
                                  values + kBlock6 * static_cast<std::size_t>(first), count);
                b += static_cast<std::int32_t>(count);
            }
        }
        float* diagonal = values + kBlock6 * static_cast<std::size_t>(starts_[j]);
        replaced += invert_triangle(diagonal, values + kBlock6 * (blocks() + j));
        kernels.times6(diagonal + kBlock6, diagonal, static_cast<std::size_t>(starts_[j + 1] - starts_[j]) - 1);
    }
    return replaced;
}

void Block6Factor::solve(const FloatKernels& kernels, const float* values, float* x) const noexcept {
    const auto column = [&](std::size_t j, auto&& sweep) {
        const auto first = static_cast<std::size_t>(starts_[j]);
        sweep(values + kBlock6 * first, rows_.data() + first + 1, static_cast<std::size_t>(starts_[j + 1]) - first - 1,
              x + 8 * j);
    };
    for (std::size_t j = 0; j < nodes(); ++j) {
        column(j, [&](const float* diagonal, const std::int32_t* rows, std::size_t count, float* own) {
            kernels.forward6(diagonal, diagonal + kBlock6, rows, count, own, x);
        });
    }
    for (std::size_t j = nodes(); j-- > 0;) {
        column(j, [&](const float* diagonal, const std::int32_t* rows, std::size_t count, float* own) {
            kernels.backward6(values + kBlock6 * (blocks() + j), diagonal + kBlock6, rows, count, x, own);
        });
    }
}

std::size_t Block6Factor::bytes() const {
    return sizeof(std::int32_t) * (starts_.size() + rows_.size() + diagonal_.size() + left_starts_.size() +
                                   left_columns_.size() + left_blocks_.size());
}

}  // namespace limber
