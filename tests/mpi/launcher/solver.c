/* SPDX-License-Identifier: MIT */
/* A library that uses MPI, for a program that does not itself. */

int MPI_Init(int *count, char ***words);
int solve(void);

int solve(void) {
    return MPI_Init((int *)0, (char ***)0);
}
