// SPDX-License-Identifier: MIT
// The base cases: OpenBLAS on one tile, on the thread that calls. Matrices are stored by columns;
// `ld_` is the distance from a column to the next one.
#pragma once

#include <cblas.h>

#include <cstddef>
#include <stdexcept>

// OpenBLAS has LAPACK's functions as well; its header for them is another Debian package.
extern "C" void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

namespace saguaro::numa_examples {

/// The threads of a runtime call BLAS, which must not start threads of its own beside them. Once,
/// before the first call.
inline void one_thread_for_blas() {
    openblas_set_num_threads(1);
}

/// BLAS counts in ints.
inline int blas_int(std::size_t n) {
    return static_cast<int>(n);
}

/// c = a * b + keep * c, all of n x n without gaps.
inline void multiply(double *c, const double *a, const double *b, std::size_t n, double keep) {
    const int side = blas_int(n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, a, side, b, side,
                keep, c, side);
}

/// c -= a * b', where c is m x n, a is m x k and b is n x k.
inline void subtract_product(double *c, std::size_t ld_c, const double *a, std::size_t ld_a,
                             const double *b, std::size_t ld_b, std::size_t m, std::size_t n,
                             std::size_t k) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, blas_int(m), blas_int(n), blas_int(k), -1,
                a, blas_int(ld_a), b, blas_int(ld_b), 1, c, blas_int(ld_c));
}

/// The lower triangle of c -= a * a', where c is n x n and a is n x k.
inline void subtract_square(double *c, std::size_t ld_c, const double *a, std::size_t ld_a,
                            std::size_t n, std::size_t k) {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, blas_int(n), blas_int(k), -1, a,
                blas_int(ld_a), 1, c, blas_int(ld_c));
}

/// b = b * inverse of l', where b is m x n and l lower triangular.
inline void divide(double *b, std::size_t ld_b, const double *l, std::size_t ld_l, std::size_t m,
                   std::size_t n) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, blas_int(m),
                blas_int(n), 1, l, blas_int(ld_l), b, blas_int(ld_b));
}

/// A matrix without a Cholesky factor.
struct not_positive_definite : std::domain_error {
    not_positive_definite() : domain_error("the matrix is not positive definite") {}
};

/// The lower triangle of the n x n matrix a becomes its Cholesky factor.
inline void factor(double *a, std::size_t ld_a, std::size_t n) {
    const int side = blas_int(n);
    const int ld = blas_int(ld_a);
    int info = 0;
    dpotrf_("L", &side, a, &ld, &info);
    if (info != 0)
        throw not_positive_definite();
}

} // namespace saguaro::numa_examples
