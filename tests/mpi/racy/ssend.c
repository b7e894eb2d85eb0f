/* SPDX-License-Identifier: MIT */
/* Synchronous sends race: for a receive of any source, against standard sends of the same rank, and
   their ends are waited for and polled. */
#include "racy.h"

enum { rounds = 20 };

static void send(int round) {
    int value = round * 10 + racy_rank;
    MPI_Request request;
    int flag = 0;
    long turns = 0;
    racy_pause();
    switch ((round + racy_rank) % 3) {
    case 0:
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Issend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        for (; !flag; turns++)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        racy_note(turns);
        break;
    default:
        MPI_Issend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    for (int round = 0; racy_rank != 0 && round < rounds; round++)
        send(round);
    for (int i = 0; racy_rank == 0 && i < 2 * rounds * (racy_ranks - 1); i++) {
        int value;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        racy_note(value * 2 + status.MPI_TAG);
        racy_pause();
    }
    return racy_end();
}
