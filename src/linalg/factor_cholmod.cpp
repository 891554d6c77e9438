// CHOLMOD as the engine: it computes the same factor (our permutation, so the same columns), which is then copied into
// our supernodes. Its own supernodes may be cut differently.
#include "linalg/factor.hpp"

#include "core/assert.hpp"

#include <limber/error.hpp>

#ifdef LIMBER_WITH_CHOLMOD
#include <cholmod.h>

#include <memory>
#include <new>

extern "C" void openblas_set_num_threads(int);

namespace limber {
namespace {

// Frees what CHOLMOD made, in the right order, also when we throw.
struct Session {
    cholmod_common common;
    cholmod_sparse* matrix = nullptr;
    cholmod_factor* factor = nullptr;
    Session() {
        // With more threads the bits of the factor depend on how many there are.
        openblas_set_num_threads(1);
        cholmod_l_start(&common);
        common.print = 0;
        common.supernodal = CHOLMOD_SUPERNODAL;
        common.nmethods = 1;
        common.method[0].ordering = CHOLMOD_GIVEN;
        common.postorder = 0;  // ours is one already
        common.quick_return_if_not_posdef = 1;
    }
    ~Session() {
        cholmod_l_free_factor(&factor, &common);
        cholmod_l_free_sparse(&matrix, &common);
        cholmod_l_finish(&common);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    void check() const {
        if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
        LIMBER_ASSERT(common.status >= 0);
    }
};

using Long = SuiteSparse_long;

// The lower half, column by column; our rows are sorted and symmetric, so row r is column r.
cholmod_sparse* lower_half(const Csr& a, cholmod_common* common) {
    std::size_t entries = 0;
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            if (static_cast<std::size_t>(a.columns[e]) >= r) ++entries;
    }
    cholmod_sparse* m = cholmod_l_allocate_sparse(a.rows(), a.rows(), entries, 1, 1, -1, CHOLMOD_REAL, common);
    if (m == nullptr) throw std::bad_alloc();
    Long* starts = static_cast<Long*>(m->p);
    Long* index = static_cast<Long*>(m->i);
    double* values = static_cast<double*>(m->x);
    std::size_t at = 0;
    for (std::size_t r = 0; r < a.rows(); ++r) {
        starts[r] = static_cast<Long>(at);
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
             ++e) {
            if (static_cast<std::size_t>(a.columns[e]) >= r) {
                index[at] = a.columns[e];
                values[at++] = a.values[e];
            }
        }
    }
    starts[a.rows()] = static_cast<Long>(at);
    return m;
}

void copy_factor(const cholmod_factor& l, const Symbolic& s, const FactorSink& sink) {
    const Long* super = static_cast<const Long*>(l.super);
    const Long* row_starts = static_cast<const Long*>(l.pi);
    const Long* value_starts = static_cast<const Long*>(l.px);
    const Long* index = static_cast<const Long*>(l.s);
    const double* values = static_cast<const double*>(l.x);
    std::vector<std::int64_t> local(s.size(), -1);
    std::vector<double> front;
    std::size_t theirs = 0;
    for (std::size_t k = 0; k < s.supernodes(); ++k) {
        const std::size_t width = s.width(k), height = width + s.rows_below(k);
        front.assign(width * height, 0.0);
        for (std::size_t j = 0; j < width; ++j)
            local[static_cast<std::size_t>(s.first[k]) + j] = static_cast<std::int64_t>(j);
        for (std::size_t i = 0; i + width < height; ++i) {
            local[static_cast<std::size_t>(s.rows[static_cast<std::size_t>(s.row_starts[k]) + i])] =
                static_cast<std::int64_t>(width + i);
        }
        for (std::int32_t j = s.first[k]; j < s.first[k + 1]; ++j) {
            while (super[theirs + 1] <= j) ++theirs;
            double* column = front.data() + static_cast<std::size_t>(j - s.first[k]) * height;
            const Long rows = row_starts[theirs + 1] - row_starts[theirs];
            const double* from = values + value_starts[theirs] + (j - super[theirs]) * rows;
            for (Long i = j - super[theirs]; i < rows; ++i) {
                if (from[i] == 0.0) continue;  // their padding
                const std::int64_t to = local[static_cast<std::size_t>(index[row_starts[theirs] + i])];
                LIMBER_ASSERT(to >= 0);
                column[to] = from[i];
            }
        }
        for (std::size_t i = 0; i + width < height; ++i)
            local[static_cast<std::size_t>(s.rows[static_cast<std::size_t>(s.row_starts[k]) + i])] = -1;
        sink(k, front.data());
    }
}

}  // namespace

std::int64_t factor_cholmod(const Csr& a, const Symbolic& symbolic, const FactorSink& sink, Progress& progress) {
    if (progress.stop_requested()) throw_interrupted();
    progress.update(0.0, "factoring");
    if (a.rows() == 0) return -1;
    Session c;
    c.matrix = lower_half(a, &c.common);
    std::vector<Long> order(symbolic.permutation.begin(), symbolic.permutation.end());
    c.factor = cholmod_l_analyze_p(c.matrix, order.data(), nullptr, 0, &c.common);
    c.check();
    cholmod_l_factorize(c.matrix, c.factor, &c.common);
    c.check();
    if (c.common.status == CHOLMOD_NOT_POSDEF) return static_cast<std::int64_t>(c.factor->minor);
    copy_factor(*c.factor, symbolic, sink);
    if (progress.stop_requested()) throw_interrupted();
    return -1;
}

}  // namespace limber

#else

namespace limber {
std::int64_t factor_cholmod(const Csr&, const Symbolic&, const FactorSink&, Progress&) {
    throw Error(Fault::unsupported, {}, "this build has no CHOLMOD");
}
}  // namespace limber

#endif
