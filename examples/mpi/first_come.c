/* SPDX-License-Identifier: MIT */
/* A master hands out jobs to the worker that answers first, and adds up the answers as they come.
   Floating numbers round, so the last bits of the sum tell in which order that was: by most MPI
   libraries another one in each run, by Saguaro's the same in all.

   Usage: first_come [JOBS]   1000 if nothing is said; at least two ranks */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { answer_tag = 1, job_tag = 2, none_left = -1 };

/* A part of the series of 1/k^2, of a length that differs from job to job. */
static double do_job(int job) {
    const int length = 1000 + job * 7919 % 5003;
    double sum = 0;
    for (int k = 1; k <= length; k++) {
        const double x = job + 1 + (double)k / length;
        sum += 1 / (x * x * length);
    }
    return sum;
}

static double hand_out(int jobs, int workers) {
    double sum = 0;
    int next = 0;
    for (int worker = 1; worker <= workers; worker++) {
        const int job = next < jobs ? next++ : none_left;
        MPI_Send(&job, 1, MPI_INT, worker, job_tag, MPI_COMM_WORLD);
    }
    for (int done = 0; done < jobs; done++) {
        double answer;
        MPI_Status from;
        MPI_Recv(&answer, 1, MPI_DOUBLE, MPI_ANY_SOURCE, answer_tag, MPI_COMM_WORLD, &from);
        sum += answer;
        const int job = next < jobs ? next++ : none_left;
        MPI_Send(&job, 1, MPI_INT, from.MPI_SOURCE, job_tag, MPI_COMM_WORLD);
    }
    return sum;
}

static void work(void) {
    for (;;) {
        int job;
        MPI_Recv(&job, 1, MPI_INT, 0, job_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (job == none_left)
            return;
        const double answer = do_job(job);
        MPI_Send(&answer, 1, MPI_DOUBLE, 0, answer_tag, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank;
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int jobs = argc > 1 ? atoi(argv[1]) : 1000;
    if (ranks < 2 || jobs < 1) {
        fprintf(stderr, "first_come: it takes two ranks or more, and a number of jobs from 1\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0)
        printf("sum %a\n", hand_out(jobs, ranks - 1));
    else
        work();
    MPI_Finalize();
    return 0;
}
