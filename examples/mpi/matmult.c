// SPDX-License-Identifier: MIT
//
// The product of two matrices of small random integers: matmult N. Rank 0 deals the rows of the
// first one, all get the second one, and rank 0 collects the rows of the product. It checks them by
// a vector: (A B) x = A (B x).
#include "example.h"

// Rows [0, rows) of c = a b.
static void multiply(const int64_t *a, const int64_t *b, int64_t *c, int rows, int n) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[(int64_t)i * n + j] += a[(int64_t)i * n + k] * b[(int64_t)k * n + j];
}

static int64_t *times_vector(const int64_t *a, const int64_t *x, int n) {
    int64_t *y = memory((size_t)n, sizeof *y);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += a[(int64_t)i * n + j] * x[j];
    return y;
}

static int is_product(const int64_t *a, const int64_t *b, const int64_t *c, int n) {
    int64_t *x = memory((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = (int64_t)(random_number((uint64_t)i) % 1000);
    int64_t *bx = times_vector(b, x, n);
    int64_t *abx = times_vector(a, bx, n);
    int64_t *cx = times_vector(c, x, n);
    int is_equal = 1;
    for (int i = 0; i < n; i++)
        is_equal = is_equal && abx[i] == cx[i];
    free(x);
    free(bx);
    free(abx);
    free(cx);
    return is_equal;
}

static int64_t *random_matrix(int n, uint64_t seed) {
    int64_t *made = memory((size_t)n * (size_t)n, sizeof *made);
    for (int64_t i = 0; i < (int64_t)n * n; i++)
        made[i] = (int64_t)(random_number((seed << 32) + (uint64_t)i) % 19) - 9;
    return made;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    int n = number_argument(argc, argv, 1, 4000);
    int rank = rank_of_world();
    int ranks = ranks_of_world();
    size_t all = (size_t)n * (size_t)n;

    // How many numbers each rank gets, and where they begin.
    int *counts = memory((size_t)ranks, sizeof *counts);
    int *begins = memory((size_t)ranks, sizeof *begins);
    for (int r = 0; r < ranks; r++) {
        begins[r] = part_begin(n, r, ranks) * n;
        counts[r] = part_begin(n, r + 1, ranks) * n - begins[r];
    }
    int64_t *a = rank == 0 ? random_matrix(n, 1) : NULL;
    int64_t *b = rank == 0 ? random_matrix(n, 2) : memory(all, sizeof *b);
    int64_t *c = rank == 0 ? memory(all, sizeof *c) : NULL;
    int64_t *own_a = memory((size_t)counts[rank], sizeof *own_a);
    int64_t *own_c = memory((size_t)counts[rank], sizeof *own_c);

    MPI_Scatterv(a, counts, begins, MPI_INT64_T, own_a, counts[rank], MPI_INT64_T, 0,
                 MPI_COMM_WORLD);
    MPI_Bcast(b, (int)all, MPI_INT64_T, 0, MPI_COMM_WORLD);
    multiply(own_a, b, own_c, counts[rank] / n, n);
    MPI_Gatherv(own_c, counts[rank], MPI_INT64_T, c, counts, begins, MPI_INT64_T, 0,
                MPI_COMM_WORLD);

    int is_right = 1;
    if (rank == 0) {
        int64_t diagonal = 0;
        for (int i = 0; i < n; i++)
            diagonal += c[(int64_t)i * n + i];
        is_right = is_product(a, b, c, n);
        printf("the sum of the diagonal is %" PRId64 "%s\n", diagonal,
               is_right ? "" : ", but the product is wrong");
    }
    free(a);
    free(b);
    free(c);
    free(own_a);
    free(own_c);
    free(counts);
    free(begins);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
