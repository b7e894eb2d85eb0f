/* SPDX-License-Identifier: MIT */
/* Loops that poll by MPI_Iprobe, MPI_Test, MPI_Testall and MPI_Request_get_status, which note how
   many turns they make. */
#include "racy.h"

enum { rounds = 12, most = 16 };

static void poll_for_all(int round) {
    int values[most];
    MPI_Request requests[most];
    MPI_Status status;
    int flag = 0;
    long turns = 0;
    const int others = racy_ranks - 1;
    switch (round % 4) {
    case 0:
        for (int left = others; left > 0; turns++) {
            MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &status);
            if (!flag)
                continue;
            MPI_Recv(values, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD, &status);
            racy_note(turns * 100 + status.MPI_SOURCE);
            left--;
        }
        return;
    case 1:
        for (int left = others; left > 0; left--) {
            MPI_Irecv(values, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, requests);
            for (flag = 0; !flag; turns++)
                MPI_Test(requests, &flag, &status);
            racy_note(turns * 100 + status.MPI_SOURCE);
        }
        return;
    default:
        for (int r = 0; r < others; r++)
            MPI_Irecv(&values[r], 1, MPI_INT, r + 1, round, MPI_COMM_WORLD, &requests[r]);
        for (flag = 0; round % 4 == 3 && !flag; turns++)
            MPI_Request_get_status(requests[others - 1], &flag, &status);
        for (flag = 0; !flag; turns++)
            MPI_Testall(others, requests, &flag, MPI_STATUSES_IGNORE);
        racy_note(turns);
    }
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    for (int round = 0; round < rounds; round++) {
        if (racy_rank == 0) {
            poll_for_all(round);
        } else {
            int flag;
            for (int i = (round * racy_rank) % 5; i > 0; i--)
                MPI_Iprobe(0, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            racy_pause();
            MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        }
    }
    return racy_end();
}
