// LowRank: prescribed displacements on top of a FreeResponse, one in or out at a time.
//
// Prescribing u along a direction p at a node makes the traction along p there unknown: a swap of columns of H and G,
// and by the Sherman-Morrison-Woodbury formula all that is left to solve is the small system  M tau = d  with  M_ab =
// p_a . C(node_a, node_b) p_b. Its inverse is kept: a swap costs O(s^2), a solve O(s^2) with one refinement,
// displacements of all n nodes O(s n); building it anew O(s^3). Beyond kIncremental equations a factor of M pays more
// than its inverse: then a swap only changes M, and the next solve factors it, O(s^3 / 3). Works on memory of the
// caller, so that it can live in a Workspace.
#pragma once

#include "bem/free_response.hpp"

#include <cstdint>

namespace limber {

struct PrescribedDirection {
    std::int32_t node = 0;
    Vec3 direction;  ///< unit
    friend bool operator==(const PrescribedDirection&, const PrescribedDirection&) = default;
};

class LowRank {
public:
    static std::size_t reals_needed(std::size_t capacity) {
        return 2 * capacity * capacity + (9 + kMaxExtra) * capacity + 4;
    }
    static constexpr std::size_t kMaxExtra = 6;
    /// Up to here one item at a time updates the inverse; beyond, or after many at once, M is factored.
    static constexpr std::size_t kIncremental = 128;
    static constexpr std::size_t kMany = 32;  ///< from here to begin at once is cheaper

    /// `memory`: reals_needed(capacity) numbers; `items`: capacity of them. Both are scratch, but when they are as the
    /// last LowRank of this response left them, what it factored may serve again (begin_bulk). `reuse_partly`: even in
    /// part, after which rounding depends on what that was; otherwise only where no bit can tell.
    LowRank(const FreeResponse& response, std::size_t capacity, double* memory, PrescribedDirection* items,
            bool reuse_partly = false);

    std::size_t count() const { return count_; }
    std::size_t capacity() const { return capacity_; }
    const PrescribedDirection& item(std::size_t i) const { return items_[i]; }

    void clear() noexcept;
    /// False, and nothing changed: the capacity is used up, or the direction is already determined by the others.
    bool insert(const PrescribedDirection& item) noexcept;
    /// The last item takes its place.
    void remove(std::size_t index) noexcept;
    /// As clear(), but until then items are only noted and M is factored when it is to be solved: for many at once.
    /// Nothing is refused but what is beyond the capacity. As many of the first items as are the last factor's, in its
    /// order, need not be factored again: those that may go soon had better come late.
    void begin_bulk() noexcept;
    bool inverted() const { return inverted_; }  ///< one item at a time updates it

    /// tractions along each item's direction [Pa] so that item i is displaced by target[i] [m]; refined against M
    /// itself. False: M cannot be solved to 1e-6 even when its inverse is built anew. `tau` has count() entries.
    bool solve(const double* target, double* tau) noexcept;

    /// The same with `extra` amplitudes of given fields as unknowns, each paid for by one more equation:
    ///     M tau + F a = target,   W tau = sum       (F: count x extra, W: extra x count; both column by column with
    ///     `count` rows)
    bool solve(const double* target, const double* field, const double* weight, const double* sum, std::size_t extra,
               double* tau, double* amplitude) noexcept;

    /// u += the displacement that these tractions cause.
    void add_displacement(const double* tau, double* u) const noexcept;
    /// That of one node.
    Vec3 displacement_at(std::size_t node, const double* tau) const noexcept;

    /// The small system as it stands, to start from it again (import_small) on other memory.
    void export_small(std::vector<double>& out);
    void import_small(const std::vector<double>& from, const std::vector<PrescribedDirection>& items) noexcept;

    int rebuilds() const { return rebuilds_; }  ///< how often the inverse was built anew because it had lost digits
    double growth() const noexcept;             ///< |M| |M^-1| in the largest-row-sum norm: its condition

private:
    double& m(std::size_t i, std::size_t j) const { return matrix_[j * capacity_ + i]; }
    double& inv(std::size_t i, std::size_t j) const { return inverse_[j * capacity_ + i]; }
    double entry(const PrescribedDirection& u, const PrescribedDirection& t) const noexcept;
    void times(const double* matrix, const double* x, double* y) const noexcept;
    bool rebuild(bool exchange = false) noexcept;
    /// Entries of M that are not there yet.
    void build() noexcept;
    /// Columns [j, last) of M, all of one node, and rows [i, end).
    void fill_columns(std::size_t j, std::size_t last, std::size_t i, std::size_t end) noexcept;
    /// Moves what M already has to where the items are now, from `first` on: reading the response here and there is
    /// what costs. `fresh` (per item, 1 = it was not there) is for the rest. False when items have moved back, and
    /// nothing is done.
    bool move_entries(std::size_t first, double* fresh) noexcept;
    bool is_listed(std::size_t at, const PrescribedDirection& item) const noexcept;
    void list_items() noexcept;
    void swap_items(std::size_t a, std::size_t b) noexcept;
    double refine(const double* target, double* tau) noexcept;
    /// x = M^-1 b by what is at hand: the inverse or the factor.
    void apply_inverse(const double* b, double* x) const noexcept;

    const FreeResponse& response_;
    std::size_t capacity_, count_ = 0;
    double *matrix_, *inverse_, *row_, *column_, *work_, *residual_, *fields_;
    PrescribedDirection* items_;
    std::int32_t* pivots_;
    std::size_t built_ = 0;      ///< items whose entries of M are there
    std::size_t known_ = 0;      ///< of the first items the factor without exchanges is there
    bool exchanged_ = false;     ///< the factor is one with exchanges
    bool reuse_partly_;          ///< what is known may be continued
    double *owner_, *factored_;  ///< in memory: whose factor is there, and of how many items; 0 = none
    double* whole_;              ///< in memory: of how many items, if they were factored all at once; 0 = not so
    double *entered_,
        *listed_;  ///< in memory: of how many items M is there since begin_bulk(), and which (node and direction)
    bool inverted_ = true;  ///< inverse_ is for the inverse, else for the factor
    bool ready_ = true;     ///< and it is that of M as it stands
    int rebuilds_ = 0;
};

}  // namespace limber
