/* SPDX-License-Identifier: MIT */
/* MPI_Waitsome and MPI_Testsome: how many, which, and in which order. */
#include "racy.h"

enum { rounds = 15, most = 16 };

static void take(int round) {
    int values[most], indices[most];
    MPI_Request requests[most];
    const int others = racy_ranks - 1;
    for (int r = 0; r < others; r++)
        MPI_Irecv(&values[r], 1, MPI_INT, round % 2 == 0 ? r + 1 : MPI_ANY_SOURCE, round,
                  MPI_COMM_WORLD, &requests[r]);
    for (int left = others; left > 0;) {
        int some;
        MPI_Status statuses[most];
        if (round % 3 == 0)
            MPI_Testsome(others, requests, &some, indices, statuses);
        else
            MPI_Waitsome(others, requests, &some, indices, statuses);
        racy_note(some);
        for (int i = 0; i < some; i++)
            racy_note(indices[i] * 100 + statuses[i].MPI_SOURCE);
        left -= some;
        racy_pause();
    }
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    for (int round = 0; round < rounds; round++) {
        int go = round;
        if (racy_rank == 0) {
            take(round);
            for (int r = 1; r < racy_ranks; r += 2)
                MPI_Send(&go, 1, MPI_INT, r, 100, MPI_COMM_WORLD);
        } else {
            MPI_Pcontrol(2, (racy_rank * round) % 5);
            racy_pause();
            MPI_Send(&racy_rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
            if (racy_rank % 2 == 1)
                MPI_Recv(&go, 1, MPI_INT, 0, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return racy_end();
}
