#include "linalg/dense_blas.hpp"

#ifdef LIMBER_WITH_CHOLMOD      // brings OpenBLAS
#include <cblas.h>

extern "C" void openblas_set_num_threads(int);
extern "C" void dpotrf_(const char* half, const int* n, double* a, const int* ld, int* info);

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
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, number(m), number(n), 1.0, l, number(ld_l), b, number(ld_b));
}

void dense_minus_square(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, number(n), number(k), -1.0, a, number(ld_a), 0.0, c, number(ld_c));
}

void dense_dots(const double* a, std::size_t n, std::size_t k, const double* b, std::size_t m, double* c) {
    openblas_set_num_threads(1);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, number(k), number(m), number(n), 1.0, a, number(n), b, number(n), 0.0, c, number(k));
}

void dense_subtract(const double* a, std::size_t n, std::size_t k, const double* c, std::size_t m, double* b) {
    openblas_set_num_threads(1);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, number(n), number(m), number(k), -1.0, a, number(n), c, number(k), 1.0, b, number(n));
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
    Eigen::Map<MatrixXd>(c, number(k), number(m)).noalias() =
        Eigen::Map<const MatrixXd>(a, number(n), number(k)).transpose() * Eigen::Map<const MatrixXd>(b, number(n), number(m));
}

void dense_subtract(const double* a, std::size_t n, std::size_t k, const double* c, std::size_t m, double* b) {
    using Eigen::MatrixXd;
    Eigen::Map<MatrixXd>(b, number(n), number(m)).noalias() -=
        Eigen::Map<const MatrixXd>(a, number(n), number(k)) * Eigen::Map<const MatrixXd>(c, number(k), number(m));
}

}  // namespace limber

#endif
