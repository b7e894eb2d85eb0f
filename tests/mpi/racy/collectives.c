/* SPDX-License-Identifier: MIT */
/* Collectives beside wildcards: the sparse exchange of Hoefler, Siebert and Lumsdaine (2010), in
   which nobody knows how many messages come. Synchronous sends, a probe of any source, and a
   barrier that does not block, begun when the own sends are through. */
#include "racy.h"

enum { rounds = 10, most = 16 };

static void exchange(int round, uint64_t *state) {
    int sent[most], value;
    MPI_Request requests[most], barrier = MPI_REQUEST_NULL;
    const int messages = (int)racy_number(state, 4);
    for (int i = 0; i < messages; i++) {
        sent[i] = racy_rank * 100 + i;
        MPI_Issend(&sent[i], 1, MPI_INT, (int)racy_number(state, (unsigned)racy_ranks), round,
                   MPI_COMM_WORLD, &requests[i]);
    }
    long turns = 0;
    for (int is_over = 0; !is_over; turns++) {
        int flag;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD, &status);
            racy_note(turns * 10000 + value);
        }
        racy_pause();
        if (barrier != MPI_REQUEST_NULL) {
            MPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(messages, requests, &flag, MPI_STATUSES_IGNORE);
            if (flag)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
    }
    racy_note(turns);
}

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    uint64_t state = (uint64_t)racy_rank + 77;
    for (int round = 0; round < rounds; round++) {
        int sum = 0, early = 0;
        MPI_Request wild = MPI_REQUEST_NULL;
        /* A receive of any source is open while a collective blocks. */
        if (racy_rank == round % racy_ranks)
            MPI_Irecv(&early, 1, MPI_INT, MPI_ANY_SOURCE, 1000 + round, MPI_COMM_WORLD, &wild);
        else
            MPI_Send(&racy_rank, 1, MPI_INT, round % racy_ranks, 1000 + round, MPI_COMM_WORLD);
        MPI_Allreduce(&racy_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Wait(&wild, MPI_STATUS_IGNORE);
        racy_note(early * 100 + sum);
        for (int r = 0; racy_rank == round % racy_ranks && r < racy_ranks - 2; r++) {
            MPI_Recv(&early, 1, MPI_INT, MPI_ANY_SOURCE, 1000 + round, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            racy_note(early);
        }
        exchange(round, &state);
    }
    return racy_end();
}
