/* SPDX-License-Identifier: MIT */
/* A farm with a receive posted for each worker: MPI_Waitany says who is next, MPI_Testany now and
   then. */
#include "racy.h"

enum { tasks = 100, most = 16, stop = -1 };

static void farm(void) {
    int results[most];
    MPI_Request requests[most];
    const int workers = racy_ranks - 1;
    int given = 0;
    for (int w = 0; w < workers; w++, given++) {
        MPI_Irecv(&results[w], 1, MPI_INT, w + 1, 0, MPI_COMM_WORLD, &requests[w]);
        MPI_Send(&given, 1, MPI_INT, w + 1, 0, MPI_COMM_WORLD);
    }
    for (int working = workers; working > 0;) {
        int which, flag = 0;
        long polls = 0;
        if (given % 3 == 0)
            for (; !flag; polls++)
                MPI_Testany(workers, requests, &which, &flag, MPI_STATUS_IGNORE);
        else
            MPI_Waitany(workers, requests, &which, MPI_STATUS_IGNORE);
        racy_note(polls * 100 + which);
        racy_note(results[which]);
        int task = given < tasks ? given++ : stop;
        working -= task == stop;
        if (task != stop)
            MPI_Irecv(&results[which], 1, MPI_INT, which + 1, 0, MPI_COMM_WORLD, &requests[which]);
        MPI_Send(&task, 1, MPI_INT, which + 1, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    int result = racy_rank;
    if (racy_rank == 0) {
        farm();
        return racy_end();
    }
    for (;;) {
        int task;
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        racy_note(task);
        if (task == stop)
            return racy_end();
        racy_pause();
        result = result * 3 + task;
        MPI_Pcontrol(2, (task * racy_rank) % 6);
        MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}
