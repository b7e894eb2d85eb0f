/* SPDX-License-Identifier: MIT */
/* Locks of windows race: tickets by MPI_Fetch_and_op, a word that one rank wins by
   MPI_Compare_and_swap, a log that ranks write in the order of an exclusive lock, and a loop that
   polls with a get and a flush. */
#include "racy.h"

enum { rounds = 10, ticket = 0, won = 1, length = 2, first_entry = 3, words = 400 };

static MPI_Win window;

static long add(int where, long number) {
    long before;
    MPI_Fetch_and_op(&number, &before, MPI_LONG, 0, where, MPI_SUM, window);
    MPI_Win_flush(0, window);
    return before;
}

int main(int argc, char **argv) {
    long *memory;
    racy_begin(&argc, &argv);
    MPI_Win_allocate(words * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    for (int i = 0; i < words; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        long mine = racy_rank + 1, nobody = 0, winner, entries, turns = 0;
        racy_pause();
        MPI_Pcontrol(2, (racy_rank * round) % 5);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        racy_note(add(ticket, 1));
        MPI_Compare_and_swap(&mine, &nobody, &winner, MPI_LONG, 0, won, window);
        MPI_Win_unlock(0, window);
        racy_note(winner);

        racy_pause();
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&entries, 1, MPI_LONG, 0, length, 1, MPI_LONG, window);
        MPI_Win_flush(0, window);
        MPI_Put(&mine, 1, MPI_LONG, 0, first_entry + entries, 1, MPI_LONG, window);
        entries++;
        MPI_Put(&entries, 1, MPI_LONG, 0, length, 1, MPI_LONG, window);
        racy_pause();
        MPI_Win_unlock(0, window);
        racy_note(entries);

        /* Until all have written in this round. */
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        for (entries = 0; entries < (round + 1) * racy_ranks; turns++) {
            MPI_Get(&entries, 1, MPI_LONG, 0, length, 1, MPI_LONG, window);
            MPI_Win_flush(0, window);
        }
        MPI_Win_unlock(0, window);
        racy_note(turns);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; racy_rank == 0 && i < rounds * racy_ranks; i++)
        racy_note(memory[first_entry + i]);
    MPI_Win_free(&window);
    return racy_end();
}
