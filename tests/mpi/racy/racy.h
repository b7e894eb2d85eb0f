/* SPDX-License-Identifier: MIT */
/* What the racy programs share: disturbances, and the outcomes that must not depend on them. */
#pragma once

#include <mpi.h>
#include <stdint.h>

extern int racy_rank;
extern int racy_ranks;

/* MPI_Init. If RACY_SEED=N is set and not 0, the rank is disturbed at random from then on: a timer
   interrupts it, inside of MPI too, and it sleeps then; it moves between processors; some ranks get
   a low priority. */
void racy_begin(int *argc, char ***argv);

/* Work of random length, if the rank is disturbed. */
void racy_pause(void);

/* An outcome that could race. */
void racy_note(long outcome);

/* Numbers that are the same in each run: 0 to below - 1. */
unsigned racy_number(uint64_t *state, unsigned below);

/* Prints one line of the rank's outcomes, and its clock in the end; MPI_Finalize. */
int racy_end(void);
