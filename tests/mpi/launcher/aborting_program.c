/* SPDX-License-Identifier: MIT */
/* A thread of rank 0 waits for its turn at the names of services, which rank 1 never lets it have.
   Another thread ends the job. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *look_up(void *unused) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Lookup_name("nothing", MPI_INFO_NULL, port);
    return unused;
}

int main(int argc, char **argv) {
    int level = 0;
    int rank = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        for (;;)
            pause();
    /* Its clock is ahead of the other's from here on. */
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &level, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    pthread_create(&thread, NULL, look_up, NULL);
    usleep(100000);
    MPI_Abort(MPI_COMM_WORLD, 7);
}
