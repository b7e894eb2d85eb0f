/* SPDX-License-Identifier: MIT */
/* Usage: reducing_program float|double|long-double FILE. FILE has a line of hexadecimal numbers for
   each rank, equally many. Rank 0 prints their sums by MPI_Allreduce, and in the next line the sums
   by MPI_Scan of the rank before the last. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 4096, longest_line = most * 64 };

static char line[longest_line];
static float floats[most], float_sums[most];
static double doubles[most], double_sums[most];
static long double longs[most], long_sums[most];

static void print(const char *type, int count) {
    for (int i = 0; i < count; i++)
        printf("%La ", type[0] == 'f'   ? (long double)float_sums[i]
                       : type[0] == 'd' ? (long double)double_sums[i]
                                        : long_sums[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    int rank, ranks, count = 0;
    char *at = line;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *type = argv[1];
    FILE *file = fopen(argv[2], "r");
    for (int r = 0; r <= rank; r++)
        if (file == NULL || fgets(line, longest_line, file) == NULL)
            return 1;
    for (char *next; count < most; at = next, count++) {
        longs[count] = strtold(at, &next);
        if (next == at)
            break;
        doubles[count] = strtod(at, NULL);
        floats[count] = strtof(at, NULL);
    }
    const MPI_Datatype number = type[0] == 'f'   ? MPI_FLOAT
                                : type[0] == 'd' ? MPI_DOUBLE
                                                 : MPI_LONG_DOUBLE;
    const void *mine = type[0] == 'f' ? (void *)floats : type[0] == 'd' ? (void *)doubles : longs;
    void *sums = type[0] == 'f'   ? (void *)float_sums
                 : type[0] == 'd' ? (void *)double_sums
                                  : long_sums;
    MPI_Allreduce(mine, sums, count, number, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        print(type, count);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Scan(mine, sums, count, number, MPI_SUM, MPI_COMM_WORLD);
    if (rank == ranks - 2)
        print(type, count);
    MPI_Finalize();
    return 0;
}
