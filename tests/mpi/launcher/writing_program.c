/* SPDX-License-Identifier: MIT */
/* Writes between messages. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int receives(int rank) {
    for (int i = 0; i < 1000; ++i) {
        int x = i;
        if (rank == 0)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}

/* Rank 0 is in a line until rank 1 has written more than fits on the way. */
static int exchange(int rank) {
    static char text[3000000];
    memset(text, 'b', sizeof(text));
    if (rank == 0) {
        fputs("a", stdout);
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        fwrite(text, 1, sizeof(text), stdout);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    puts("");
    return MPI_Finalize();
}

int main(int count, char **words) {
    int rank = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return strcmp(words[1], "receive") == 0 ? receives(rank) : exchange(rank);
}
