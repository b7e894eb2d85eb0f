// SPDX-License-Identifier: MIT
//
// Sorts random numbers that lie at all ranks: samplesort N. Each rank sorts its part, and takes a
// few samples of it. The samples of all decide which numbers go to which rank; each rank merges
// what it gets.
#include "example.h"

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(uint64_t *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, by_value);
}

// ranks - 1 numbers that cut what all ranks have into parts of about one size.
static uint64_t *splitters(const uint64_t *sorted, int count, int ranks) {
    uint64_t *samples = memory((size_t)ranks * (size_t)ranks, sizeof *samples);
    uint64_t *own = memory((size_t)ranks, sizeof *own);
    for (int i = 0; i < ranks; i++)
        own[i] = count > 0 ? sorted[part_begin(count, i, ranks)] : 0;
    MPI_Allgather(own, ranks, MPI_UINT64_T, samples, ranks, MPI_UINT64_T, MPI_COMM_WORLD);
    sort(samples, ranks * ranks);
    for (int i = 1; i < ranks; i++)
        own[i - 1] = samples[i * ranks];
    free(samples);
    return own;
}

// Sends each number to the rank whose part it belongs to. What this rank gets, and how many.
static uint64_t *exchange(const uint64_t *sorted, int count, const uint64_t *splitter, int ranks,
                          int *got) {
    int *counts = memory(4 * (size_t)ranks, sizeof *counts);
    int *begins = counts + ranks;
    int *counts_in = begins + ranks;
    int *begins_in = counts_in + ranks;
    for (int i = 0, to = 0; i < count; i++) {
        while (to + 1 < ranks && sorted[i] >= splitter[to])
            to++;
        counts[to]++;
    }
    MPI_Alltoall(counts, 1, MPI_INT, counts_in, 1, MPI_INT, MPI_COMM_WORLD);
    *got = 0;
    for (int r = 0; r < ranks; r++) {
        begins[r] = r > 0 ? begins[r - 1] + counts[r - 1] : 0;
        begins_in[r] = *got;
        *got += counts_in[r];
    }
    uint64_t *received = memory((size_t)*got, sizeof *received);
    MPI_Alltoallv(sorted, counts, begins, MPI_UINT64_T, received, counts_in, begins_in,
                  MPI_UINT64_T, MPI_COMM_WORLD);
    free(counts);
    return received;
}

// The numbers of all ranks: how many, their sum, the least and the greatest one, and the middle
// one; and whether each is not less than the one before it.
struct summary {
    int64_t count;
    uint64_t sum;
    int is_sorted;
    uint64_t middle;
};

static struct summary summarize(const uint64_t *part, int count) {
    int64_t before = 0;
    int64_t own = count;
    MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank_of_world() == 0)
        before = 0;
    struct summary all = {count, 0, 1, 0};
    MPI_Allreduce(MPI_IN_PLACE, &all.count, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    // The greatest number of the ranks before this one.
    uint64_t last = count > 0 ? part[count - 1] : 0;
    uint64_t least = 0;
    MPI_Exscan(&last, &least, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (rank_of_world() == 0)
        least = 0;
    for (int i = 0; i < count; i++) {
        all.is_sorted = all.is_sorted && part[i] >= least;
        least = part[i];
        all.sum += part[i];
        if (before + i == all.count / 2)
            all.middle = part[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &all.sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &all.middle, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &all.is_sorted, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    int n = number_argument(argc, argv, 1, 100000000);
    int rank = rank_of_world();
    int ranks = ranks_of_world();
    int first = part_begin(n, rank, ranks);
    int count = part_begin(n, rank + 1, ranks) - first;
    uint64_t *numbers = memory((size_t)count, sizeof *numbers);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i] = random_number((uint64_t)(first + i));
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);

    sort(numbers, count);
    uint64_t *splitter = splitters(numbers, count, ranks);
    int got;
    uint64_t *part = exchange(numbers, count, splitter, ranks, &got);
    sort(part, got);

    struct summary all = summarize(part, got);
    int is_right = all.is_sorted && all.count == n && all.sum == sum;
    if (rank == 0)
        printf("%d numbers, the middle one is %" PRIu64 "%s\n", n, all.middle,
               is_right ? "" : ", but they are not sorted");
    free(numbers);
    free(splitter);
    free(part);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
