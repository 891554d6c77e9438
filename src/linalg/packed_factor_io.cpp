// Saving a packed factor and reading it back. A reader believes nothing: every index is checked before it is used.
#include "linalg/packed_factor.hpp"

#include "core/text.hpp"
#include "kernels/panel.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace limber {
namespace {

// So that a flipped bit in a number, which no bounds check can see, is noticed too.
class Checksum {
public:
    template <class T>
    void add(std::span<const T> values) {
        for (const T v : values) {
            if constexpr (sizeof(T) == 8)
                mix(std::bit_cast<std::uint64_t>(v));
            else
                mix(static_cast<std::uint64_t>(std::bit_cast<std::int32_t>(v)));
        }
    }
    std::uint64_t value() const { return h_; }

private:
    void mix(std::uint64_t v) {
        h_ = (h_ ^ v) * 0x9e3779b97f4a7c15u;
        h_ ^= h_ >> 32;
    }
    std::uint64_t h_ = 0xcbf29ce484222325u;
};

template <class T>
std::uint64_t checksum(const std::vector<std::int32_t>& permutation, const std::vector<std::int32_t>& first,
                       const std::vector<std::int32_t>& rows, std::span<const T> values) {
    Checksum sum;
    sum.add<std::int32_t>(permutation);
    sum.add<std::int32_t>(first);
    sum.add<std::int32_t>(rows);
    sum.add<T>(values);
    return sum.value();
}

void check_permutation(const ByteReader& in, const std::vector<std::int32_t>& permutation) {
    std::vector<bool> seen(permutation.size(), false);
    for (const std::int32_t p : permutation) {
        if (p < 0 || static_cast<std::size_t>(p) >= seen.size() || seen[static_cast<std::size_t>(p)]) {
            in.fail(text("unknown ", p, " in the factor's ordering"),
                    text("each of 0 to ", permutation.size(), " (exclusive) once"));
        }
        seen[static_cast<std::size_t>(p)] = true;
    }
}

void check_supernodes(const ByteReader& in, std::size_t n, const std::vector<std::int32_t>& first,
                      const std::vector<std::int64_t>& row_starts, const std::vector<std::int32_t>& rows) {
    if (first.empty() || first.size() != row_starts.size() || first.front() != 0 ||
        static_cast<std::size_t>(first.back()) != n || row_starts.front() != 0 ||
        row_starts.back() != static_cast<std::int64_t>(rows.size())) {
        in.fail("the factor's supernodes do not cover its unknowns");
    }
    for (std::size_t s = 0; s + 1 < first.size(); ++s) {
        if (first[s + 1] <= first[s] || row_starts[s + 1] < row_starts[s] || row_starts[s + 1] > row_starts.back())
            in.fail(text("supernode ", s, " of the factor has no columns or runs backwards"));
    }
    for (std::size_t s = 0; s + 1 < first.size(); ++s) {
        std::int32_t above = first[s + 1] - 1;
        for (std::int64_t i = row_starts[s]; i < row_starts[s + 1]; ++i) {
            const std::int32_t row = rows[static_cast<std::size_t>(i)];
            if (row <= above || static_cast<std::size_t>(row) >= n) {
                in.fail(text("row ", row, " in supernode ", s, " of the factor"),
                        text("ascending rows between ", first[s + 1], " and ", n));
            }
            above = row;
        }
    }
}

}  // namespace

template <class T>
void PackedFactorOf<T>::save(ByteWriter& out) const {
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> row_starts{0};
    for (std::size_t s = 0; s + 1 < first_.size(); ++s) {
        rows.insert(rows.end(), index_.begin() + index_starts_[s] + (first_[s + 1] - first_[s]),
                    index_.begin() + index_starts_[s + 1]);
        row_starts.push_back(static_cast<std::int64_t>(rows.size()));
    }
    for (std::int32_t& row : rows)  // the parts' copies back to what they are copies of
    {
        if (static_cast<std::size_t>(row) >= size())
            row = sweep_.shared[(static_cast<std::size_t>(row) - size()) % sweep_.shared.size()];
    }
    out.ints(permutation_);
    out.ints(first_);
    out.longs(row_starts);
    out.ints(rows);
    const std::span<const T> values(values_.data(), values_.size());
    out.u64(checksum(permutation_, first_, rows, values));
    if constexpr (sizeof(T) == 8) {
        out.reals(values);
    } else {
        std::vector<std::int32_t> bits(values.size());
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = std::bit_cast<std::int32_t>(values[i]);
        out.ints(bits);
    }
}

template <class T>
PackedFactorOf<T> PackedFactorOf<T>::load(ByteReader& in) {
    PackedFactorOf f;
    f.permutation_ = in.ints();
    if (f.permutation_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        in.fail("too many unknowns");
    check_permutation(in, f.permutation_);
    const std::vector<std::int32_t> first = in.ints();
    const std::vector<std::int64_t> row_starts = in.longs();
    const std::vector<std::int32_t> rows = in.ints();
    check_supernodes(in, f.permutation_.size(), first, row_starts, rows);
    const std::size_t count = f.lay_out(first, row_starts, rows);
    const std::uint64_t sum = in.u64();
    std::vector<T> values;
    if constexpr (sizeof(T) == 8)
        values = in.reals();
    else
        for (const std::int32_t bits : in.ints()) values.push_back(std::bit_cast<float>(bits));
    if (values.size() != count) in.fail(text("a factor of ", values.size(), " numbers"), text(count, " numbers"));
    if (checksum<T>(f.permutation_, first, rows, values) != sum)
        in.fail("the factor does not match its checksum: the data is damaged");
    f.values_ = AlignedArrayOf<T>(count);
    std::copy(values.begin(), values.end(), f.values_.data());
    return f;
}

template void PackedFactorOf<double>::save(ByteWriter&) const;
template void PackedFactorOf<float>::save(ByteWriter&) const;
template PackedFactorOf<double> PackedFactorOf<double>::load(ByteReader&);
template PackedFactorOf<float> PackedFactorOf<float>::load(ByteReader&);

}  // namespace limber
