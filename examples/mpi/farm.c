// SPDX-License-Identifier: MIT
//
// A master and workers: farm LIMIT. The master deals ranges of numbers to whoever is idle, and asks
// for the number with the longest Collatz sequence. It takes answers from any source. With most MPI
// libraries another worker gets the next range in every run; here the last line is always the same.
#include "example.h"

enum { range = 1000, work_tag = 1, answer_tag = 2 };

// Of a range: where it begins; and then the number with the most steps.
struct longest {
    int64_t number;
    int64_t steps;
};

static int64_t collatz_steps(int64_t number) {
    int64_t steps = 0;
    for (; number != 1; steps++)
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    return steps;
}

// Of the numbers from `first` on, up to the limit. *all: the steps of all of them.
static struct longest longest_in(int64_t first, int64_t limit, int64_t *all) {
    struct longest found = {0, -1};
    *all = 0;
    for (int64_t i = first; i < first + range && i <= limit; i++) {
        int64_t steps = collatz_steps(i);
        *all += steps;
        if (steps > found.steps)
            found = (struct longest){i, steps};
    }
    return found;
}

static void keep_longer(struct longest *best, struct longest other) {
    if (other.steps > best->steps || (other.steps == best->steps && other.number < best->number))
        *best = other;
}

// A range that begins at 0 tells a worker to stop.
static void work(int64_t limit) {
    for (;;) {
        int64_t first;
        MPI_Recv(&first, 1, MPI_INT64_T, 0, work_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 0)
            return;
        int64_t steps;
        struct longest found = longest_in(first, limit, &steps);
        // How long this took differs from run to run. How many steps it was does not: by these the
        // library decides whose answer comes first.
        MPI_Pcontrol(2, (int)(steps / 100));
        MPI_Send(&found, 2, MPI_INT64_T, 0, answer_tag, MPI_COMM_WORLD);
    }
}

static struct longest deal(int64_t limit, int workers, int *answers) {
    struct longest best = {0, -1};
    int64_t next = 1;
    int busy = 0;
    for (int worker = 1; worker <= workers; worker++) {
        int64_t first = next <= limit ? next : 0;
        next += range;
        busy += first != 0;
        MPI_Send(&first, 1, MPI_INT64_T, worker, work_tag, MPI_COMM_WORLD);
    }
    while (busy > 0) {
        struct longest answer;
        MPI_Status status;
        MPI_Recv(&answer, 2, MPI_INT64_T, MPI_ANY_SOURCE, answer_tag, MPI_COMM_WORLD, &status);
        keep_longer(&best, answer);
        answers[status.MPI_SOURCE]++;
        int64_t first = next <= limit ? next : 0;
        next += range;
        busy -= first == 0;
        MPI_Send(&first, 1, MPI_INT64_T, status.MPI_SOURCE, work_tag, MPI_COMM_WORLD);
    }
    return best;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    int64_t limit = number_argument(argc, argv, 1, 100000000);
    int ranks = ranks_of_world();
    if (rank_of_world() != 0) {
        work(limit);
    } else {
        int *answers = memory((size_t)ranks, sizeof *answers);
        struct longest best = {0, -1};
        if (ranks > 1)
            best = deal(limit, ranks - 1, answers);
        int64_t steps;
        for (int64_t first = 1; ranks == 1 && first <= limit; first += range, answers[0]++)
            keep_longer(&best, longest_in(first, limit, &steps));
        printf("%" PRId64 " takes %" PRId64 " steps\n", best.number, best.steps);
        printf("ranges of each rank:");
        for (int r = 0; r < ranks; r++)
            printf(" %d", answers[r]);
        printf("\n");
        free(answers);
    }
    MPI_Finalize();
    return 0;
}
