// SPDX-License-Identifier: MIT
//
// Heat in a square plate whose upper edge is at 1 and whose other edges are at 0: heat N STEPS.
// Each rank has some rows, and a copy of its neighbours' next ones, which they exchange in every
// step. Every hundredth step all agree whether the plate still changes.
#include "example.h"

#include <math.h>
#include <string.h>

struct plate {
    int width; // of a row, with both edges
    int rows;  // of this rank, without the two copies
    double *now;
    double *next;
};

static double *row(double *of, const struct plate *plate, int i) {
    return of + (size_t)i * (size_t)plate->width;
}

// Rows 0 and rows + 1 are the neighbours', or an edge of the plate.
static void exchange(struct plate *plate, int rank, int ranks) {
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(row(plate->now, plate, 1), plate->width, MPI_DOUBLE, up, 0,
                 row(plate->now, plate, plate->rows + 1), plate->width, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(plate->now, plate, plate->rows), plate->width, MPI_DOUBLE, down, 1,
                 row(plate->now, plate, 0), plate->width, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

// One step of Jacobi's iteration; the greatest change.
static double step(struct plate *plate) {
    double greatest = 0;
    for (int i = 1; i <= plate->rows; i++) {
        const double *above = row(plate->now, plate, i - 1);
        const double *here = row(plate->now, plate, i);
        const double *below = row(plate->now, plate, i + 1);
        double *next = row(plate->next, plate, i);
        for (int j = 1; j + 1 < plate->width; j++) {
            next[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
            greatest = fmax(greatest, fabs(next[j] - here[j]));
        }
    }
    double *swapped = plate->now;
    plate->now = plate->next;
    plate->next = swapped;
    return greatest;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    int n = number_argument(argc, argv, 1, 10000);
    int steps = number_argument(argc, argv, 2, 1000000000);
    int rank = rank_of_world();
    int ranks = ranks_of_world();
    if (n < ranks)
        refuse(argv[0], "each rank needs a row");

    int first = part_begin(n, rank, ranks);
    struct plate plate = {n + 2, part_begin(n, rank + 1, ranks) - first, NULL, NULL};
    size_t cells = (size_t)plate.width * (size_t)(plate.rows + 2);
    plate.now = memory(cells, sizeof *plate.now);
    plate.next = memory(cells, sizeof *plate.next);
    for (int j = 0; rank == 0 && j < plate.width; j++)
        plate.now[j] = plate.next[j] = 1;

    int done = 0;
    double change = 1;
    while (done < steps && change > 1e-12) {
        exchange(&plate, rank, ranks);
        change = step(&plate);
        // The greatest of the changes is the same in whichever order they are compared.
        if (++done % 100 == 0)
            MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        else
            change = 1;
    }

    // The rank that has the middle sends it to rank 0.
    double middle = 0;
    int at = n / 2 - first;
    if (at >= 0 && at < plate.rows)
        middle = row(plate.now, &plate, at + 1)[n / 2 + 1];
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &middle, &middle, 1, MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    if (rank == 0)
        printf("the middle is at %.17g after %d steps\n", middle, done);
    free(plate.now);
    free(plate.next);
    MPI_Finalize();
    return 0;
}
