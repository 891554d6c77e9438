// A Cholesky factor laid out for solving: one contiguous array that a forward and a backward sweep each read exactly once.
#pragma once

#include "kernels/panel.hpp"
#include "linalg/aligned.hpp"
#include "linalg/factor.hpp"

#include <limber/bytes.hpp>

#include <vector>

namespace limber {

class PackedFactor {
public:
    PackedFactor() = default;
    /// Computes the factor of `a`, each supernode packed as it is finished. Throws what factor_into() throws.
    PackedFactor(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress);

    std::size_t size() const { return permutation_.size(); }
    /// x (caller's numbering) = A^-1 b; scratch holds size() doubles. Never allocates.
    void solve(const double* b, double* x, double* scratch) const noexcept;
    /// The same for `count` <= kBundle columns of length size() each, one after the other; the factor is read once for all of them.
    /// scratch holds kBundle * size() doubles on a 32-byte boundary.
    void solve_bundle(const double* b, double* x, std::size_t count, double* scratch) const noexcept;

    std::size_t value_count() const { return values_.size(); }
    std::size_t bytes() const;
    void save(ByteWriter& out) const;
    static PackedFactor load(ByteReader& in);

private:
    struct Panel {
        std::int32_t first, width, rows;    // first unknown, columns, rows below
        std::size_t index, values;          // where its row list and its entries begin
    };
    // The panels follow from the supernodes alone; returns the number of values.
    std::size_t lay_out(const std::vector<std::int32_t>& first, const std::vector<std::int64_t>& row_starts, const std::vector<std::int32_t>& rows);
    template <std::size_t N>
    void solve_some(const double* b, double* x, std::size_t count, double* scratch, PanelFunction forward, PanelFunction backward) const noexcept;
    // x = L^-T L^-1 x in place, `columns` numbers per unknown
    void sweep(PanelFunction forward, PanelFunction backward, std::size_t columns, double* x) const noexcept;

    std::vector<std::int32_t> permutation_;     // permuted -> caller's numbering
    std::vector<std::int32_t> first_{0};        // supernodes + 1
    std::vector<std::int32_t> index_;           // per supernode: its own unknowns, then its rows below
    std::vector<std::int64_t> index_starts_{0};
    std::vector<Panel> panels_;
    AlignedArray values_;
};

}  // namespace limber
