/* SPDX-License-Identifier: MIT */
/* Rank 0 gives tasks to whoever asks; a worker that has got a long task says so to the clock. */
#include "racy.h"

enum { tasks = 120, stop = -1 };

static void master(void) {
    int given = 0;
    int result;
    MPI_Status status;
    for (int working = racy_ranks - 1; working > 0;) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        racy_note(status.MPI_SOURCE * 1000 + status.MPI_TAG);
        racy_note(result);
        int task = given < tasks ? given++ : stop;
        working -= task == stop;
        racy_pause();
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
}

static void worker(void) {
    int result = 0;
    uint64_t state = 5;
    for (int done = 0;; done++) {
        int task;
        MPI_Sendrecv(&result, 1, MPI_INT, 0, done, &task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (task == stop)
            return;
        racy_note(task);
        state += (uint64_t)task;
        MPI_Pcontrol(2, (int)racy_number(&state, 9));
        racy_pause();
        result = result * 7 + task;
    }
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    if (racy_rank == 0)
        master();
    else
        worker();
    return racy_end();
}
