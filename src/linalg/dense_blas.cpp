#include "linalg/dense_blas.hpp"

#ifdef LIMBER_WITH_OPENBLAS
#include <cblas.h>

extern "C" void openblas_set_num_threads(int);
extern "C" void dpotrf_(const char* half, const int* n, double* a, const int* ld, int* info);
extern "C" void dgetrf_(const int* m, const int* n, double* a, const int* ld, int* pivots, int* info);

namespace limber {
namespace {
int number(std::size_t n) { return static_cast<int>(n); }
}  // namespace

std::ptrdiff_t dense_cholesky(double* a, std::size_t n, std::size_t ld) {
    openblas_set_num_threads(1);
    const int size = number(n), stride = number(ld);
    int info = 0;
    dpotrf_("L", &size, a, &stride, &info);
    return info - 1;
}

void dense_solve_right(const double* l, std::size_t n, std::size_t ld_l, double* b, std::size_t m, std::size_t ld_b) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, number(m), number(n), 1.0, l,
                number(ld_l), b, number(ld_b));
}

void dense_minus_square(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, number(n), number(k), -1.0, a, number(ld_a), 0.0, c,
                number(ld_c));
}

void dense_dots(const double* a, std::size_t n, std::size_t k, const double* b, std::size_t m, double* c) {
    openblas_set_num_threads(1);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, number(k), number(m), number(n), 1.0, a, number(n), b,
                number(n), 0.0, c, number(k));
}

void dense_subtract(const double* a, std::size_t n, std::size_t k, const double* c, std::size_t m, double* b) {
    openblas_set_num_threads(1);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, number(n), number(m), number(k), -1.0, a, number(n), c,
                number(k), 1.0, b, number(n));
}

void dense_one_thread() { openblas_set_num_threads(1); }

void dense_lu_panel(double* a, std::size_t m, std::size_t n, std::size_t ld, std::int32_t* pivots) {
    const int rows = number(m), columns = number(n), stride = number(ld);
    int info = 0;
    dgetrf_(&rows, &columns, a, &stride, pivots, &info);
    for (std::size_t k = 0; k < n; ++k) --pivots[k];
}

void dense_solve_left(const double* t, std::size_t n, std::size_t ld_t, Triangle triangle, bool transposed, double* b,
                      std::size_t m, std::size_t ld_b) {
    const CBLAS_UPLO half = triangle == Triangle::upper ? CblasUpper : CblasLower;
    const CBLAS_DIAG diagonal = triangle == Triangle::upper ? CblasNonUnit : CblasUnit;
    const CBLAS_TRANSPOSE turn = transposed ? CblasTrans : CblasNoTrans;
    if (m == 1) {
        cblas_dtrsv(CblasColMajor, half, turn, diagonal, number(n), t, number(ld_t), b, 1);
    } else {
        cblas_dtrsm(CblasColMajor, CblasLeft, half, turn, diagonal, number(n), number(m), 1.0, t, number(ld_t), b,
                    number(ld_b));
    }
}

void dense_times(const double* a, std::size_t n, std::size_t m, std::size_t ld, const double* x, double* y) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, number(n), number(m), 1.0, a, number(ld), x, 1, 0.0, y, 1);
}

void dense_solve_right_upper(const double* u, std::size_t n, std::size_t ld_u, double* b, std::size_t m,
                             std::size_t ld_b) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, number(m), number(n), 1.0, u,
                number(ld_u), b, number(ld_b));
}

void dense_subtract(const double* a, std::size_t ld_a, const double* c, std::size_t ld_c, double* b, std::size_t ld_b,
                    std::size_t n, std::size_t k, std::size_t m) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, number(n), number(m), number(k), -1.0, a, number(ld_a), c,
                number(ld_c), 1.0, b, number(ld_b));
}

}  // namespace limber

#else

#include <Eigen/Core>

namespace limber {
namespace {
Eigen::Index number(std::size_t n) { return static_cast<Eigen::Index>(n); }
}  // namespace

void dense_dots(const double* a, std::size_t n, std::size_t k, const double* b, std::size_t m, double* c) {
    using Eigen::MatrixXd;
    Eigen::Map<MatrixXd>(c, number(k), number(m)).noalias() = Eigen::Map<const MatrixXd>(a, number(n), number(k))
                                                                  .transpose() *
                                                              Eigen::Map<const MatrixXd>(b, number(n), number(m));
}

void dense_subtract(const double* a, std::size_t n, std::size_t k, const double* c, std::size_t m, double* b) {
    using Eigen::MatrixXd;
    Eigen::Map<MatrixXd>(b, number(n), number(m)).noalias() -= Eigen::Map<const MatrixXd>(a, number(n), number(k)) *
                                                               Eigen::Map<const MatrixXd>(c, number(k), number(m));
}

void dense_one_thread() {}

namespace {
using Strided = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstStrided = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
Strided strided(double* a, std::size_t n, std::size_t m, std::size_t ld) {
    return {a, number(n), number(m), Eigen::OuterStride<>(number(ld))};
}
ConstStrided strided(const double* a, std::size_t n, std::size_t m, std::size_t ld) {
    return {a, number(n), number(m), Eigen::OuterStride<>(number(ld))};
}

template <unsigned Mode, class B>
void solve_triangle(const ConstStrided& t, bool transposed, B&& b) {
    if (transposed)
        t.triangularView<Mode>().transpose().solveInPlace(b);
    else
        t.triangularView<Mode>().solveInPlace(b);
}

template <class B>
void solve_triangle(const ConstStrided& t, Triangle triangle, bool transposed, B&& b) {
    if (triangle == Triangle::upper)
        solve_triangle<Eigen::Upper>(t, transposed, b);
    else
        solve_triangle<Eigen::UnitLower>(t, transposed, b);
}

void eliminate_column(double* a, std::size_t m, std::int32_t* pivot) {
    Eigen::Map<Eigen::VectorXd> column(a, number(m));
    Eigen::Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    *pivot = static_cast<std::int32_t>(largest);
    std::swap(column[0], column[largest]);
    if (column[0] != 0.0) column.tail(number(m) - 1) /= column[0];
}
}  // namespace

void dense_lu_panel(double* a, std::size_t m, std::size_t n, std::size_t ld, std::int32_t* pivots) {
    if (n == 1) return eliminate_column(a, m, pivots);
    const std::size_t left = n / 2, right = n - left;  // halves, so that almost all work is in products
    double* const upper = a + left * ld;
    dense_lu_panel(a, m, left, ld, pivots);
    for (std::size_t k = 0; k < left; ++k)
        strided(upper, m, right, ld).row(number(k)).swap(strided(upper, m, right, ld).row(pivots[k]));
    dense_solve_left(a, left, ld, Triangle::unit_lower, false, upper, right, ld);
    dense_subtract(a + left, ld, upper, ld, upper + left, ld, m - left, left, right);
    dense_lu_panel(upper + left, m - left, right, ld, pivots + left);
    for (std::size_t k = left; k < n; ++k) {
        pivots[k] += static_cast<std::int32_t>(left);
        strided(a, m, left, ld).row(number(k)).swap(strided(a, m, left, ld).row(pivots[k]));
    }
}

void dense_solve_left(const double* t, std::size_t n, std::size_t ld_t, Triangle triangle, bool transposed, double* b,
                      std::size_t m, std::size_t ld_b) {
    if (m == 1)
        solve_triangle(strided(t, n, n, ld_t), triangle, transposed, Eigen::Map<Eigen::VectorXd>(b, number(n)));
    else
        solve_triangle(strided(t, n, n, ld_t), triangle, transposed, strided(b, n, m, ld_b));
}

void dense_times(const double* a, std::size_t n, std::size_t m, std::size_t ld, const double* x, double* y) {
    Eigen::Map<Eigen::VectorXd>(y, number(n)).noalias() = strided(a, n, m, ld) *
                                                          Eigen::Map<const Eigen::VectorXd>(x, number(m));
}

void dense_solve_right_upper(const double* u, std::size_t n, std::size_t ld_u, double* b, std::size_t m,
                             std::size_t ld_b) {
    auto whole = strided(b, m, n, ld_b);
    strided(u, n, n, ld_u).triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(whole);
}

void dense_subtract(const double* a, std::size_t ld_a, const double* c, std::size_t ld_c, double* b, std::size_t ld_b,
                    std::size_t n, std::size_t k, std::size_t m) {
    strided(b, n, m, ld_b).noalias() -= strided(a, n, k, ld_a) * strided(c, k, m, ld_c);
}

}  // namespace limber

#endif
