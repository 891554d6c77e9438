#include "linalg/sparse.hpp"

#include "core/assert.hpp"

#include <algorithm>

namespace limber {

namespace {

// The transposed block of each block in a row, rows visited in ascending order: then every row's entries are met one
// after the other.
class Mirror {
public:
    explicit Mirror(const BlockCsr& a) : a_(a), next_(a.starts.begin(), a.starts.end() - 1) {}
    void go_to(std::size_t row) {
        for (; row_ < row + 1; ++row_) {
            at_.clear();
            for (std::int32_t e = a_.starts[row_]; e < a_.starts[row_ + 1]; ++e) {
                const auto other = static_cast<std::size_t>(a_.columns[static_cast<std::size_t>(e)]);
                std::int32_t& i = next_[other];
                while (i < a_.starts[other + 1] &&
                       a_.columns[static_cast<std::size_t>(i)] < static_cast<std::int32_t>(row_)) {
                    ++i;
                }
                const bool there = i < a_.starts[other + 1] &&
                                   a_.columns[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(row_);
                at_.push_back(there ? i : -1);
            }
        }
    }
    /// Entry (i, j) of the block opposite entry e of the row gone to, 0 where there is none.
    double value(std::size_t e, std::size_t i, std::size_t j) const {
        const auto block = static_cast<std::size_t>(a_.block);
        const std::int32_t there = at_[e - static_cast<std::size_t>(a_.starts[row_ - 1])];
        return there < 0 ? 0.0 : a_.values[(static_cast<std::size_t>(there) * block + i) * block + j];
    }

private:
    const BlockCsr& a_;
    std::vector<std::int32_t> next_, at_;
    std::size_t row_ = 0;
};

}  // namespace

// Assembly rounds (i, j) and (j, i) differently, on regular grids to an exact zero on one side only: both halves are
// made equal here, so that what is dropped on one side is dropped on the other.
Csr compress(const BlockCsr& a, std::span<const std::int32_t> keep) {
    const std::size_t block = static_cast<std::size_t>(a.block);
    std::vector<std::int32_t> renumbered(a.size(), -1);
    for (std::size_t i = 0; i < keep.size(); ++i) {
        LIMBER_ASSERT(keep[i] >= 0 && static_cast<std::size_t>(keep[i]) < a.size() &&
                      (i == 0 || keep[i - 1] < keep[i]));
        renumbered[static_cast<std::size_t>(keep[i])] = static_cast<std::int32_t>(i);
    }
    Csr out;
    out.starts.reserve(keep.size() + 1);
    out.columns.reserve(a.values.size());
    out.values.reserve(a.values.size());
    Mirror mirror(a);
    for (const std::int32_t scalar : keep) {
        const std::size_t row = static_cast<std::size_t>(scalar) / block,
                          in_row = static_cast<std::size_t>(scalar) % block;
        mirror.go_to(row);
        for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]);
             ++e) {
            for (std::size_t j = 0; j < block; ++j) {
                const auto other = static_cast<std::size_t>(a.columns[e]);
                const std::int32_t column = renumbered[other * block + j];
                if (column < 0) continue;
                const double value = 0.5 * (a.values[(e * block + in_row) * block + j] + mirror.value(e, j, in_row));
                if (value == 0.0) continue;
                out.columns.push_back(column);
                out.values.push_back(value);
            }
        }
        out.starts.push_back(static_cast<std::int64_t>(out.columns.size()));
    }
    return out;
}

Csr add(double s_a, const Csr& a, double s_b, const Csr& b) {
    LIMBER_ASSERT(a.rows() == b.rows());
    Csr out;
    out.starts.reserve(a.rows() + 1);
    out.columns.reserve(a.columns.size());
    out.values.reserve(a.columns.size());
    const auto put = [&out](std::int32_t column, double value) {
        out.columns.push_back(column);
        out.values.push_back(value);
    };
    for (std::size_t r = 0; r < a.rows(); ++r) {
        std::size_t i = static_cast<std::size_t>(a.starts[r]), j = static_cast<std::size_t>(b.starts[r]);
        const std::size_t i_end = static_cast<std::size_t>(a.starts[r + 1]),
                          j_end = static_cast<std::size_t>(b.starts[r + 1]);
        while (i < i_end || j < j_end) {
            if (j == j_end || (i < i_end && a.columns[i] < b.columns[j])) {
                put(a.columns[i], s_a * a.values[i]);
                ++i;
            } else if (i == i_end || b.columns[j] < a.columns[i]) {
                put(b.columns[j], s_b * b.values[j]);
                ++j;
            } else {
                put(a.columns[i], s_a * a.values[i] + s_b * b.values[j]);
                ++i;
                ++j;
            }
        }
        out.starts.push_back(static_cast<std::int64_t>(out.columns.size()));
    }
    return out;
}

TripleCsr as_triples(const Csr& a) {
    TripleCsr out;
    if (a.rows() % 3 != 0) return {};
    out.columns.reserve(a.columns.size() / 3);
    out.values.reserve(a.columns.size() / 3);
    for (std::size_t r = 0; r < a.rows(); r += 3) {
        const auto first = static_cast<std::size_t>(a.starts[r]),
                   width = static_cast<std::size_t>(a.starts[r + 1]) - first;
        for (std::size_t i = 1; i < 3; ++i)
            if (static_cast<std::size_t>(a.starts[r + i + 1] - a.starts[r + i]) != width) return {};
        for (std::size_t e = first; e < first + width; ++e) {
            if (a.columns[e] % 3 != 0) return {};
            for (std::size_t i = 1; i < 3; ++i) {
                if (a.columns[e + i * width] != a.columns[e] + static_cast<std::int32_t>(i) ||
                    a.values[e + i * width] != a.values[e]) {
                    return {};
                }
            }
            out.columns.push_back(a.columns[e] / 3);
            out.values.push_back(a.values[e]);
        }
        out.starts.push_back(static_cast<std::int32_t>(out.columns.size()));
    }
    return out;
}

BlockCsr as_blocks(const Csr& a) {
    BlockCsr out;
    if (a.rows() % 3 != 0) return {};
    std::vector<std::int32_t> entry_of(a.rows() / 3, -1);  // of a block of the present row
    for (std::size_t r = 0; r < a.rows(); r += 3) {
        const auto before = static_cast<std::ptrdiff_t>(out.columns.size());
        const auto begin = static_cast<std::size_t>(a.starts[r]), end = static_cast<std::size_t>(a.starts[r + 3]);
        for (std::size_t e = begin; e < end; ++e) {
            if (std::int32_t& p = entry_of[static_cast<std::size_t>(a.columns[e] / 3)]; p < 0) {
                p = 0;
                out.columns.push_back(a.columns[e] / 3);
            }
        }
        std::sort(out.columns.begin() + before, out.columns.end());
        for (std::size_t i = static_cast<std::size_t>(before); i < out.columns.size(); ++i)
            entry_of[static_cast<std::size_t>(out.columns[i])] = static_cast<std::int32_t>(i);
        out.values.resize(9 * out.columns.size(), 0.0);
        for (std::size_t i = 0; i < 3; ++i) {
            for (auto e = static_cast<std::size_t>(a.starts[r + i]); e < static_cast<std::size_t>(a.starts[r + i + 1]);
                 ++e) {
                out.values[9 * static_cast<std::size_t>(entry_of[static_cast<std::size_t>(a.columns[e] / 3)]) + 3 * i +
                           static_cast<std::size_t>(a.columns[e] % 3)] = a.values[e];
            }
        }
        for (std::size_t i = static_cast<std::size_t>(before); i < out.columns.size(); ++i)
            entry_of[static_cast<std::size_t>(out.columns[i])] = -1;
        out.starts.push_back(static_cast<std::int32_t>(out.columns.size()));
    }
    // Stored zeros do not count: as_single() leaves them out, and what is read back has to choose the same form.
    const auto entries = a.values.size() - static_cast<std::size_t>(std::count(a.values.begin(), a.values.end(), 0.0));
    return 3 * out.values.size() > 4 * entries ? BlockCsr{} : out;
}

Csr as_single(const BlockCsr& a) {
    const auto block = static_cast<std::size_t>(a.block);
    Csr out;
    for (std::size_t r = 0; r < a.size(); ++r) {
        for (auto e = static_cast<std::size_t>(a.starts[r / block]);
             e < static_cast<std::size_t>(a.starts[r / block + 1]); ++e) {
            for (std::size_t j = 0; j < block; ++j) {
                const double value = a.values[(e * block + r % block) * block + j];
                if (value == 0.0) continue;
                out.columns.push_back(a.columns[e] * a.block + static_cast<std::int32_t>(j));
                out.values.push_back(value);
            }
        }
        out.starts.push_back(static_cast<std::int64_t>(out.columns.size()));
    }
    return out;
}

Csr diagonal(std::span<const double> values) {
    Csr out;
    out.values.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
        out.columns.push_back(static_cast<std::int32_t>(i));
        out.starts.push_back(static_cast<std::int64_t>(i + 1));
    }
    return out;
}

}  // namespace limber
