/* SPDX-License-Identifier: MIT */
/* Matched probes and cancelled receives: who is probed, how many polls it takes, and whether a
   receive could still be cancelled. */
#include "racy.h"

enum { rounds = 24 };

/* True if it was; else it has got a message. */
static int is_cancelled(MPI_Request *request, const int *value) {
    int flag;
    MPI_Status status;
    MPI_Cancel(request);
    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &flag);
    racy_note(flag ? -1 : status.MPI_SOURCE * 100 + *value);
    return flag;
}

static int take(int round) {
    int value = 0, flag = 0;
    long turns = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    switch (round % 3) {
    case 0:
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        break;
    case 1:
        for (; !flag; turns++)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
        break;
    default:
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        racy_pause();
        return !is_cancelled(&request, &value);
    }
    racy_pause();
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    racy_note(turns * 10000 + status.MPI_SOURCE * 100 + value);
    return 1;
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    const int messages = rounds * (racy_ranks - 1);
    for (int round = 0; racy_rank != 0 && round < rounds; round++) {
        MPI_Pcontrol(2, (racy_rank * round) % 4);
        racy_pause();
        MPI_Send(&round, 1, MPI_INT, 0, racy_rank, MPI_COMM_WORLD);
    }
    for (int taken = 0, round = 0; racy_rank == 0 && taken < messages; round++)
        taken += take(round);
    if (racy_rank == 0) { /* nothing is left for it */
        int value = 0;
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        is_cancelled(&request, &value);
    }
    return racy_end();
}
