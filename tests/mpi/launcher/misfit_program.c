/* SPDX-License-Identifier: MIT */
/* Makes one collective call at each rank, which the arguments say: misfit_program COMM CALL...,
 * where the last CALL is that of all further ranks too. A call is NAME[,COUNT[,TYPE[,OPERATOR OR
 * ROOT]]]. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static MPI_Comm on = MPI_COMM_WORLD;

/* Two halves of the ranks, even and odd ones. */
static void make_communicator(const char *kind) {
    if (strcmp(kind, "dup") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &on);
    if (strcmp(kind, "named") == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &on);
        MPI_Comm_set_name(on, "grid");
    }
    if (strcmp(kind, "inter") == 0) {
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &on);
    }
    if (strcmp(kind, "returns") == 0)
        MPI_Comm_set_errhandler(on, MPI_ERRORS_RETURN);
}

static MPI_Datatype type_of(const char *name) {
    if (strcmp(name, "float") == 0)
        return MPI_FLOAT;
    if (strcmp(name, "double") == 0)
        return MPI_DOUBLE;
    if (strcmp(name, "ints") == 0) { /* two at a time */
        MPI_Datatype made;
        MPI_Type_contiguous(2, MPI_INT, &made);
        MPI_Type_commit(&made);
        return made;
    }
    return MPI_INT;
}

static MPI_Op operator_of(const char *name) {
    return strcmp(name, "prod") == 0 ? MPI_PROD : strcmp(name, "max") == 0 ? MPI_MAX : MPI_SUM;
}

static int call(char *text) {
    static double in[4096], out[4096];
    char *parts[4] = {"", "1", "int", "0"};
    int n = 0;
    for (char *at = strtok(text, ","); at != NULL && n < 4; at = strtok(NULL, ","))
        parts[n++] = at;
    const char *const name = parts[0];
    const int count = atoi(parts[1]);
    const MPI_Datatype type = type_of(parts[2]);
    const MPI_Op op = operator_of(parts[3]);
    int root = strcmp(parts[3], "root") == 0   ? MPI_ROOT
               : strcmp(parts[3], "null") == 0 ? MPI_PROC_NULL
                                               : atoi(parts[3]);
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    if (strcmp(name, "barrier") == 0)
        error = MPI_Barrier(on);
    else if (strcmp(name, "world_barrier") == 0)
        error = MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(name, "bcast") == 0)
        error = MPI_Bcast(in, count, type, root, on);
    else if (strcmp(name, "bcasts") == 0) /* the second with the same root for all */
        error = MPI_Bcast(in, count, type, root, on) || MPI_Bcast(in, count, type, 0, on);
    else if (strcmp(name, "reduce") == 0)
        error = MPI_Reduce(in, out, count, type, op, 0, on);
    else if (strcmp(name, "reduce_to") == 0)
        error = MPI_Reduce(in, out, count, type, MPI_SUM, root, on);
    else if (strcmp(name, "allreduce") == 0)
        error = MPI_Allreduce(in, out, count, type, op, on);
    else if (strcmp(name, "scan") == 0)
        error = MPI_Scan(in, out, count, type, op, on);
    else if (strcmp(name, "gather") == 0)
        error = MPI_Gather(in, count, type, out, count, type, root, on);
    else if (strcmp(name, "scatter") == 0)
        error = MPI_Scatter(in, count, type, out, count, type, root, on);
    else if (strcmp(name, "allgather") == 0)
        error = MPI_Allgather(in, count, type, out, count, type, on);
    else if (strcmp(name, "alltoall") == 0)
        error = MPI_Alltoall(in, count, type, out, count, type, on);
    else if (strcmp(name, "dup") == 0) {
        MPI_Comm made;
        error = MPI_Comm_dup(on, &made);
    } else if (strcmp(name, "ibarrier") == 0)
        error = MPI_Ibarrier(on, &request);
    else if (strcmp(name, "ibcast") == 0)
        error = MPI_Ibcast(in, count, type, root, on, &request);
    else if (strcmp(name, "iallreduce") == 0)
        error = MPI_Iallreduce(in, out, count, type, op, on, &request);
    else if (strcmp(name, "iallgather") == 0)
        error = MPI_Iallgather(in, count, type, out, count, type, on, &request);
    else if (strcmp(name, "recv") == 0)
        error = MPI_Recv(in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (strcmp(name, "nothing") != 0)
        return -1;
    if (request != MPI_REQUEST_NULL)
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return error;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    make_communicator(argv[1]);
    const int error = call(argv[2 + rank < argc ? 2 + rank : argc - 1]);
    int class = 0;
    if (error > 0)
        MPI_Error_class(error, &class);
    if (strcmp(argv[1], "returns") == 0)
        printf("%d: %s\n", rank,
               class == MPI_SUCCESS        ? "success"
               : class == MPI_ERR_TRUNCATE ? "truncated"
               : class == MPI_ERR_OTHER    ? "other"
                                           : "?");
    MPI_Finalize();
    return 0;
}
