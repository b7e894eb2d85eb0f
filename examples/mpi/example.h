// SPDX-License-Identifier: MIT
// What the examples share: arguments, memory, random numbers, and parts of a whole.
#ifndef MPI_EXAMPLE_H
#define MPI_EXAMPLE_H

#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline int rank_of_world(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int ranks_of_world(void) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

// Ends all ranks with one line, which the first rank says.
_Noreturn static inline void refuse(const char *program, const char *what) {
    if (rank_of_world() == 0)
        fprintf(stderr, "%s: %s\n", program, what);
    MPI_Finalize();
    exit(2);
}

// The program's argument `at`, a whole number from 1 to `most`.
static inline int number_argument(int argc, char *argv[], int at, int most) {
    char *end = NULL;
    long value = at < argc ? strtol(argv[at], &end, 10) : 0;
    if (at >= argc || end == argv[at] || *end != '\0' || value < 1 || value > most) {
        char line[100];
        snprintf(line, sizeof line, "argument %d has to be a whole number from 1 to %d", at, most);
        refuse(argv[0], line);
    }
    return (int)value;
}

// Zeros.
static inline void *memory(size_t count, size_t size) {
    void *made = calloc(count > 0 ? count : 1, size);
    if (made == NULL) {
        fprintf(stderr, "rank %d: no memory\n", rank_of_world());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return made;
}

// Of n things the ranks have parts that differ by one at most; rank r's part begins here, and ends
// where that of rank r + 1 begins.
static inline int part_begin(int n, int rank, int ranks) {
    return (int)((int64_t)n * rank / ranks);
}

// The i-th of a sequence of random numbers, without the ones before it: so any part of the
// sequence can be made by any rank.
static inline uint64_t random_number(uint64_t i) {
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
