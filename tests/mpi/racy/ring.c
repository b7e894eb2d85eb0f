/* SPDX-License-Identifier: MIT */
/* Tokens of all ranks travel around a ring, whose members receive from any source. A token jumps as
   far as the one before it says, so each order of arrival gives another journey. */
#include "racy.h"

enum { hops = 12 };

struct token {
    int owner;
    int left;
    int path;
};

int main(int argc, char **argv) {
    racy_begin(&argc, &argv);
    struct token mine = {racy_rank, hops, racy_rank + 1};
    int jump = 1;
    int ended = 0; /* of all tokens: who ends one tells all */
    MPI_Send(&mine, 3, MPI_INT, (racy_rank + 1) % racy_ranks, 0, MPI_COMM_WORLD);
    while (ended < racy_ranks) {
        struct token t;
        MPI_Status status;
        MPI_Recv(&t, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        racy_note(status.MPI_SOURCE * 10 + status.MPI_TAG);
        if (status.MPI_TAG == 1) {
            ended++;
            continue;
        }
        racy_note(t.owner);
        t.path = (t.path * 31 + racy_rank) % 1000003;
        racy_pause();
        const int far = jump;
        jump = 1 + t.path % 3;
        if (--t.left > 0) {
            MPI_Send(&t, 3, MPI_INT, (racy_rank + far) % racy_ranks, 0, MPI_COMM_WORLD);
            continue;
        }
        racy_note(t.path);
        ended++;
        for (int r = 0; r < racy_ranks; r++)
            if (r != racy_rank)
                MPI_Send(&t, 3, MPI_INT, r, 1, MPI_COMM_WORLD);
    }
    return racy_end();
}
