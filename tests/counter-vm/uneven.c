/* SPDX-License-Identifier: MIT */
/*
 * A master hands out jobs, each to the worker whose answer it takes first. A job takes worker 1
 * fifteen times the work that it takes worker 2. Then the master polls for a last answer.
 *
 * The lines of the master that begin with `result` are what must be the same in each run. Another
 * one says how many answers of worker 2 it took while worker 1 still computed its first one, and
 * one whether the next descriptor and mapping are where they would have been at the begin.
 *
 * With the argument `threads` it asks for several threads. With `ahead` worker 2 declares as much
 * work again as it does, so its answers are ahead of the clock of worker 1, and the master has to
 * wait until that has computed as long.
 *
 * All sleep here and there for a time that differs from run to run.
 */
#define _DEFAULT_SOURCE /* usleep */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { jobs = 32, slow_turns = 6000000, fast_turns = 400000 };

/* So many turns of five instructions or so. */
static double compute(int turns) {
    volatile double sum = 0;
    for (int i = 1; i <= turns; i++)
        sum = sum + 1.0 / i;
    return sum;
}

static void sleep_a_little(void) {
    usleep((unsigned)(long long)(MPI_Wtime() * 1e9) & 1023);
}

static int next_descriptor(void) {
    const int next = open("/", O_RDONLY);
    close(next);
    return next;
}

static void *next_mapping(void) {
    const size_t bytes = 1 << 20;
    void *const next = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(next, bytes);
    return next;
}

static void be_master(void) {
    const int descriptor = next_descriptor();
    void *const mapping = next_mapping();
    int next, given[3] = {0, 0, 0}, turns = 0, has_come = 0, early = 0;
    double sum = 0, answer[2], taken[jobs], end_of_first = 0;
    char *kept[jobs + 2];
    MPI_Status status;
    printf("result: answers of");
    for (int i = 0; i < jobs; i++) {
        MPI_Recv(answer, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        const int from = status.MPI_SOURCE;
        kept[i] = malloc(100 + 50 * (size_t)(i % 7));
        taken[i] = MPI_Wtime();
        if (from == 1 && given[1] == 0)
            end_of_first = answer[1];
        sum = sum / 3 + answer[0];
        given[from]++;
        printf(" %d", from);
        next = i + 2 < jobs;
        MPI_Send(&next, 1, MPI_INT, from, 0, MPI_COMM_WORLD);
        sleep_a_little();
    }
    for (int i = 0; i < jobs; i++) {
        free(kept[i]);
        early += taken[i] < end_of_first;
    }
    printf("\nresult: worker 1 has given %d, worker 2 %d, sum %a\n", given[1], given[2], sum);
    MPI_Request last;
    MPI_Irecv(answer, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &last);
    for (; !has_come; turns++)
        MPI_Test(&last, &has_come, &status);
    MPI_Recv(answer, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("result: worker %d has come after %d polls\n", status.MPI_SOURCE, turns);
    printf("early: %d\n", early);
    printf("moved: %d %d\n", next_descriptor() - descriptor, next_mapping() != mapping);
}

static void be_worker(int turns, int declared) {
    int goes_on = 1;
    double answer[2];
    while (goes_on) {
        MPI_Pcontrol(2, declared);
        answer[0] = compute(turns);
        answer[1] = MPI_Wtime();
        sleep_a_little();
        MPI_Send(answer, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&goes_on, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    answer[0] = compute(turns);
    MPI_Send(answer, 2, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char *argv[]) {
    int rank, level;
    const char *const how = argc > 1 ? argv[1] : "";
    MPI_Init_thread(&argc, &argv,
                    strcmp(how, "threads") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED,
                    &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        be_master();
    else if (rank == 1)
        be_worker(slow_turns, 0);
    else
        be_worker(fast_turns, strcmp(how, "ahead") == 0 ? 3000 : 0);
    MPI_Finalize();
    return 0;
}
