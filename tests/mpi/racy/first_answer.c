/* SPDX-License-Identifier: MIT */
/* The first answer wins: rank 0 asks all, goes on with the first answer, and reads the others when
   the next question is out. What it asks next depends on who won. */
#include "racy.h"

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    const int others = racy_ranks - 1;
    int question = 1;
    for (int round = 0; round < 20; round++) {
        MPI_Status status;
        int answer;
        if (racy_rank != 0) {
            MPI_Recv(&question, 1, MPI_INT, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            /* Some think longer: one probe is one tick. */
            for (int i = (question * racy_rank) % 7; i > 0; i--) {
                int flag;
                MPI_Iprobe(0, 999, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            }
            racy_pause();
            answer = question * 31 + racy_rank;
            MPI_Send(&answer, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
            continue;
        }
        for (int r = 1; r <= others; r++)
            MPI_Send(&question, 1, MPI_INT, r, round, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
        racy_note(status.MPI_SOURCE);
        question = answer % 1000 + 1;
        for (int late = 0; round > 0 && late < others - 1; late++) {
            MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, round - 1, MPI_COMM_WORLD, &status);
            racy_note(100 + status.MPI_SOURCE);
        }
    }
    for (int late = 0; racy_rank == 0 && late < others - 1; late++) {
        MPI_Status status;
        int answer;
        MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 19, MPI_COMM_WORLD, &status);
        racy_note(200 + status.MPI_SOURCE);
    }
    return racy_end();
}
