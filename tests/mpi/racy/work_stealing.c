/* SPDX-License-Identifier: MIT */
/* Rank 0 begins with all work; ranks that have none ask others at random, and each looks between
   two pieces of work who asks. Who has done a piece tells rank 0, which ends all. */
#include "racy.h"

enum { pieces = 60, ask, gift, done, over };

static int work;
static int is_asking;
static int done_by_all;

/* True when all is over. */
static int handle(const MPI_Status *status) {
    const int from = status->MPI_SOURCE;
    int number;
    MPI_Recv(&number, 1, MPI_INT, from, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    racy_note(from * 10 + status->MPI_TAG - pieces);
    switch (status->MPI_TAG) {
    case ask:
        number = work / 2;
        work -= number;
        MPI_Send(&number, 1, MPI_INT, from, gift, MPI_COMM_WORLD);
        return 0;
    case gift:
        is_asking = 0;
        work += number;
        return 0;
    case done:
        done_by_all++;
        return 0;
    default:
        return 1;
    }
}

static void work_on_one(void) {
    int number = 0;
    racy_pause();
    work--;
    if (racy_rank == 0)
        done_by_all++;
    else
        MPI_Send(&number, 1, MPI_INT, 0, done, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    uint64_t state = (uint64_t)racy_rank;
    int is_over = 0;
    int number = 0;
    work = racy_rank == 0 ? pieces : 0;
    while (!is_over) {
        MPI_Status status;
        int flag;
        if (work > 0) {
            work_on_one();
        } else if (!is_asking) {
            int victim = (racy_rank + 1 + (int)racy_number(&state, (unsigned)racy_ranks - 1));
            MPI_Send(&number, 1, MPI_INT, victim % racy_ranks, ask, MPI_COMM_WORLD);
            is_asking = 1;
        }
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        if (flag)
            is_over = handle(&status);
        if (racy_rank == 0 && done_by_all == pieces) {
            for (int r = 1; r < racy_ranks; r++)
                MPI_Send(&number, 1, MPI_INT, r, over, MPI_COMM_WORLD);
            is_over = 1;
        }
    }
    /* Who still asks gets nothing; whoever has been asked has answered, or never will. */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int flag = 1; flag;) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            racy_note(-status.MPI_SOURCE * 10 - (status.MPI_TAG - pieces));
            MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
    }
    return racy_end();
}
