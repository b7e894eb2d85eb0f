/* SPDX-License-Identifier: MIT */
/* Another MPI library, as the launcher finds it: its name and PMPI_Init matter. Each rank is
   alone, and stays for STAY seconds. */
#include <stdlib.h>
#include <unistd.h>

char ompi_mpi_comm_world[512] = {1};
const char *const name_in_messages = "MPI_Init_thread";

int PMPI_Init(int *count, char ***words) {
    return count != 0 && words == 0;
}
int MPI_Init(int *count, char ***words) {
    return PMPI_Init(count, words);
}
int MPI_Comm_rank(int on, int *rank) {
    *rank = 0;
    return on == 0;
}
int MPI_Comm_size(int on, int *size) {
    *size = 1;
    return on == 0;
}
int MPI_Finalize(void) {
    const char *const seconds = getenv("STAY");
    if (seconds != NULL)
        sleep((unsigned)atoi(seconds));
    return 0;
}
