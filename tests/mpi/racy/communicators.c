/* SPDX-License-Identifier: MIT */
/* Halves of halves: wildcards on each of the nested communicators and on copies of them, with the
   same tags, and how the next communicator is made depends on who came first. */
#include "racy.h"

static void race_on(MPI_Comm on, int base) {
    int rank, ranks, number;
    MPI_Comm_rank(on, &rank);
    MPI_Comm_size(on, &ranks);
    if (rank != base % ranks) {
        number = racy_rank;
        racy_pause();
        MPI_Send(&number, 1, MPI_INT, base % ranks, 0, on);
        return;
    }
    for (int i = 1; i < ranks; i++) {
        MPI_Status status;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, on, &status);
        racy_note(status.MPI_SOURCE * 100 + number);
    }
}

static int first_on(MPI_Comm on) {
    int rank, ranks, first = 0;
    MPI_Comm_rank(on, &rank);
    MPI_Comm_size(on, &ranks);
    MPI_Pcontrol(2, (racy_rank * 5) % 7);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 1, on);
    for (int i = 1; rank == 0 && i < ranks; i++) {
        int who;
        MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 1, on, MPI_STATUS_IGNORE);
        if (i == 1)
            first = who;
    }
    MPI_Bcast(&first, 1, MPI_INT, 0, on);
    return first;
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    for (int round = 0; round < 4; round++) {
        MPI_Comm on = MPI_COMM_WORLD;
        for (int depth = 0; depth < 3; depth++) {
            MPI_Comm copy, part;
            int rank, ranks;
            MPI_Comm_size(on, &ranks);
            MPI_Comm_rank(on, &rank);
            const int first = first_on(on);
            racy_note(first);
            MPI_Comm_dup(on, &copy);
            race_on(copy, round);
            race_on(on, round + 1);
            MPI_Comm_split(on, (rank + first) % 2, racy_ranks - rank, &part);
            MPI_Comm_free(&copy);
            if (on != MPI_COMM_WORLD)
                MPI_Comm_free(&on);
            on = part;
        }
        MPI_Comm_free(&on);
    }
    return racy_end();
}
