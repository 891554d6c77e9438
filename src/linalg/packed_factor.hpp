// A Cholesky factor laid out for solving: one contiguous array that a forward and a backward sweep each read exactly
// once.
#pragma once

#include "kernels/panel.hpp"
#include "kernels/panel_float.hpp"
#include "linalg/aligned.hpp"
#include "linalg/factor.hpp"

#include <limber/bytes.hpp>

#include <vector>

namespace limber {

/// Subtrees of the elimination tree that are swept independently of each other, and the supernodes above them (the
/// top). They follow from the supernodes alone, never from how many threads there are: that is why any number of
/// threads gives the same bits.
struct SweepParts {
    struct Range {
        std::size_t begin, end;  ///< panels
    };
    std::vector<Range> parts;          ///< one subtree each
    std::vector<Range> top;            ///< what is left, in order
    std::vector<std::int32_t> shared;  ///< the top's unknowns, ascending
};

/// T is double, or float: half the memory, and seven digits (linalg/float_cholesky.cpp refines them).
template <class T>
class PackedFactorOf {
public:
    PackedFactorOf() = default;
    /// Computes the factor of `a` divided by `scale`, each supernode packed as it is finished. Throws what
    /// factor_into() throws.
    PackedFactorOf(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress, double scale = 1.0);
    /// Other numbers in the same pattern, into the same place: a third less time for small ones, since no memory is
    /// taken.
    void factor_again(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress,
                      double scale = 1.0);

    std::size_t size() const { return permutation_.size(); }
    /// Of a solve: every part has its own copy of the top's unknowns.
    std::size_t scratch_size() const { return size() + sweep_.parts.size() * sweep_.shared.size(); }
    /// x (caller's numbering) = A^-1 b; scratch holds scratch_size() numbers. Never allocates. Runs over thread_count()
    /// threads.
    void solve(const double* b, double* x, T* scratch) const noexcept;
    /// The same for `count` <= kBundle columns of length size() each, one after the other; the factor is read once for
    /// all of them. scratch holds kBundle * scratch_size() doubles on a 32-byte boundary. Only for double.
    void solve_bundle(const double* b, double* x, std::size_t count, T* scratch) const noexcept;

    std::size_t value_count() const { return values_.size(); }
    std::size_t part_count() const { return sweep_.parts.size(); }
    std::size_t bytes() const;
    void save(ByteWriter& out) const;
    static PackedFactorOf load(ByteReader& in);

private:
    using Args = PanelArgsOf<T>;
    using Function = void (*)(const Args&) noexcept;
    struct Panel {
        std::int32_t first, width, rows;  // first unknown, columns, rows below
        std::size_t index, values;        // where its row list and its entries begin
    };
    // The panels follow from the supernodes alone; returns the number of values.
    std::size_t lay_out(const std::vector<std::int32_t>& first, const std::vector<std::int64_t>& row_starts,
                        const std::vector<std::int32_t>& rows);
    void find_parts();
    template <std::size_t N>
    void solve_some(const double* b, double* x, std::size_t count, T* scratch, Function forward,
                    Function backward) const noexcept;
    // x = L^-T L^-1 x in place, `columns` numbers per unknown
    void sweep(Function forward, Function backward, std::size_t columns, T* x) const noexcept;

    std::vector<std::int32_t> permutation_;  // permuted -> caller's numbering
    std::vector<std::int32_t> first_{0};     // supernodes + 1
    // Per supernode: its own unknowns, then its rows below (in parts: the top's as their copies).
    std::vector<std::int32_t> index_;
    std::vector<std::int64_t> index_starts_{0};
    std::vector<Panel> panels_;
    std::vector<std::size_t> panel_starts_{0};  // supernodes + 1
    SweepParts sweep_;
    AlignedArrayOf<T> values_;
};

using PackedFactor = PackedFactorOf<double>;
using PackedFactorFloat = PackedFactorOf<float>;

}  // namespace limber
