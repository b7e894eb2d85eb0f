/* SPDX-License-Identifier: MIT */
/* Workers race: the master prints who won, by receives, probes, polls and choices. Each worker is
   late by a random time. The argument "leak FILE" leaves one of each; "late" leaves messages, which
   come late; "session" leaves that; "slow" lets rank 1 compute; "file NAME" lets the ranks race for
   the shared pointer of a file instead, and prints who wrote; "never" lets rank 0 poll for a
   message that comes and one that never does. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rounds = 12, most = 16 };

static void race(int rank, int ranks, int round) {
    int numbers[most];
    MPI_Request requests[most];
    MPI_Status status;
    int flag = 0;
    int turns = 0;
    int index;
    if (rank != 0) {
        usleep((useconds_t)(rand() % 3000));
        MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        return;
    }
    switch (round % 4) {
    case 0:
        for (int i = 1; i < ranks; i++) {
            MPI_Recv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            printf("%d ", status.MPI_SOURCE);
        }
        break;
    case 1:
        for (int i = 1; i < ranks; i++) {
            for (flag = 0; !flag; turns++)
                MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &status);
            MPI_Recv(numbers, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD, &status);
            printf("%d/%d ", status.MPI_SOURCE, turns);
        }
        break;
    default:
        for (int i = 1; i < ranks; i++)
            MPI_Irecv(&numbers[i], 1, MPI_INT, i, round, MPI_COMM_WORLD, &requests[i - 1]);
        for (int i = 1; i < ranks; i++) {
            if (round % 4 == 2)
                MPI_Waitany(ranks - 1, requests, &index, &status);
            else
                for (flag = 0; !flag; turns++)
                    MPI_Testany(ranks - 1, requests, &index, &flag, &status);
            printf("%d/%d ", index, turns);
        }
    }
}

static void race_in_file(const char *name, int rank, int ranks) {
    MPI_File file;
    int writers[rounds * most];
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int round = 0; round < rounds; round++) {
        usleep((useconds_t)(rand() % 1000));
        MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 0, writers, rounds * ranks, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < rounds * ranks; i++)
        printf("%d ", writers[i]);
    MPI_File_close(&file);
}

static void poll_for_two(int rank) {
    int numbers[2];
    MPI_Request requests[2];
    int flag = 0;
    int index = 0;
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 200, MPI_COMM_WORLD);
    if (rank != 0)
        return;
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&numbers[i], 1, MPI_INT, 1, 200 + i, MPI_COMM_WORLD, &requests[i]);
    while (!flag)
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
    printf("%d", index);
    MPI_Cancel(&requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void take_any(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)in, (void)out, (void)count, (void)type;
}

static void forgive(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
}

/* Nothing of this is left. */
static void free_what_is_under_way(void) {
    static int number;
    static int received;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Irecv(&received, 1, MPI_INT, 0, 0, copy, &request);
    MPI_Request_free(&request);
    MPI_Send(&number, 1, MPI_INT, 0, 0, copy);
    MPI_Comm_free(&copy);
}

static void leave_things(const char *name) {
    static char buffer[100];
    static int number;
    static int received;
    char port[MPI_MAX_PORT_NAME];
    MPI_Request request;
    MPI_Message message;
    MPI_Group group;
    MPI_Op operator;
    MPI_Errhandler handler;
    int key;
    MPI_Comm copy;
    MPI_Datatype type;
    MPI_Win window;
    MPI_File file;
    MPI_Info info;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_dup(MPI_INT, &type);
    MPI_Win_create(&number, sizeof(number), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Info_create(&info);
    MPI_Buffer_attach(buffer, sizeof(buffer));
    MPI_Recv_init(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Mprobe(0, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Op_create(take_any, 1, &operator);
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Comm_create_errhandler(forgive, &handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    free_what_is_under_way();
}

/* Rank 0 has ended its part long before. Rank 2's messages are the first, and rank 1 has one for
   itself. */
static void leave_messages(int rank) {
    MPI_Comm copy;
    int number = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        return;
    usleep((useconds_t)(200000 + rand() % 3000));
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 2, 200, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 0, 300 + rank, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 400 + rank, copy);
    if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 1, 200, MPI_COMM_WORLD);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 500, MPI_COMM_SELF);
}

int main(int argc, char **argv) {
    int rank;
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    srand((unsigned)getpid());
    if (argc > 2 && strcmp(argv[1], "file") == 0)
        race_in_file(argv[2], rank, ranks);
    else if (argc > 1 && strcmp(argv[1], "never") == 0)
        poll_for_two(rank);
    else
        for (int round = 0; round < rounds; round++)
            race(rank, ranks, round);
    if (argc > 1 && strcmp(argv[1], "slow") == 0) {
        int number = 0;
        if (rank == 1)
            sleep(4);
        if (rank != 0)
            MPI_Send(&number, 1, MPI_INT, 0, 100, MPI_COMM_WORLD);
        for (int i = 1; rank == 0 && i < ranks; i++)
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (argc > 2 && strcmp(argv[1], "leak") == 0)
        leave_things(argv[2]);
    if (argc > 1 && strcmp(argv[1], "late") == 0)
        leave_messages(rank);
    if (argc > 1 && strcmp(argv[1], "session") == 0) {
        MPI_Session session;
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    }
    if (rank == 0)
        printf("\n");
    MPI_Finalize();
    return 0;
}
