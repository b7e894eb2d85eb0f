/* SPDX-License-Identifier: MIT */
/* Ranks whose outcomes depend on an order, for transport_test.py: what each sees is printed by rank
   0. The argument says what else: "window", "file", "spawn", "name" are refused across machines;
   "rest" lets them rest for ever, "stay" also if a signal asks them to end; "pour" sends long
   messages meanwhile; "mine" prints the ranks of the own machine; "sum" prints a sum that depends
   on its order, and "variable" the value of SUM; "flood" sends more than a host keeps; "codes" and
   "code" end with an exit code behind MPI_Finalize: all ranks but not at once, or rank 0 before all
   others; so does the last rank behind all others with "last". With "abort" rank 1 ends the job
   with 0, and the others rest. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_seen = 4000, rounds = 6, large = 300000 };

static int rank, ranks;
static char seen[most_seen]; /* what this rank has seen */

static void note(const char *what, long value) {
    const size_t used = strlen(seen);
    snprintf(seen + used, most_seen - used, " %s%ld", what, value);
}

static void dawdle(void) {
    usleep((useconds_t)(rand() % 2000));
}

/* Every rank is a client of every other: an answer goes to whoever has asked first. */
static void serve_each_other(int round) {
    int asked = 0, answered = 0, got;
    MPI_Request requests[64];
    for (int i = 0; i < ranks; i++)
        if (i != rank) {
            dawdle();
            MPI_Isend(&rank, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[asked++]);
        }
    MPI_Waitall(asked, requests, MPI_STATUSES_IGNORE);
    for (answered = 0; answered < 2 * asked; answered++) {
        MPI_Status status;
        if (round % 2 == 0) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        } else {
            int flag = 0;
            long turns = 0;
            for (; !flag; turns++)
                MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
            note("t", turns);
            MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        }
        note(status.MPI_TAG == 1 ? "q" : "a", status.MPI_SOURCE);
        if (status.MPI_TAG == 1) {
            dawdle();
            MPI_Send(&answered, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
    }
}

/* Synchronous sends that are tested, to a receiver that takes them from anybody. */
static void match_late(void) {
    int got = 0, flag = 0;
    long turns = 0;
    MPI_Request request;
    if (rank == 0) {
        for (int i = 1; i < ranks; i++) {
            MPI_Status status;
            dawdle();
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
            note("s", status.MPI_SOURCE);
        }
        return;
    }
    MPI_Issend(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    for (; !flag; turns++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    note("m", turns);
}

/* Synchronous messages of a later clock come before receives for them are cancelled. */
static void take_back(void) {
    int got[64], flag = 0;
    long turns = 0;
    MPI_Request requests[64];
    MPI_Status status;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 1; i < ranks; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, i, 7, MPI_COMM_WORLD, &requests[i]);
        for (int i = 1; i < ranks; i++) {
            dawdle(); /* reads the messages */
            MPI_Iprobe(i, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            if (i % 2 != 0)
                MPI_Cancel(&requests[i]);
        }
        for (int i = 1; i < ranks; i++) {
            if (i % 2 == 0) /* which its sender sends behind the match */
                MPI_Recv(&got[0], 1, MPI_INT, i, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&requests[i], &status);
            MPI_Test_cancelled(&status, &flag);
            note("c", flag);
            if (flag)
                MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
            note("u", status.MPI_SOURCE);
        }
        return;
    }
    MPI_Pcontrol(2, 300 + rank % 3 * 40);
    if (rank % 2 == 0) {
        MPI_Ssend(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
        return;
    }
    MPI_Issend(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[0]);
    for (flag = 0; !flag; turns++)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    note("m", turns);
}

/* The ring of synchronous sends needs somebody who receives first. */
static void ring(void) {
    int got;
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    if (rank % 2 == 0)
        MPI_Ssend(&rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2 != 0)
        MPI_Ssend(&rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
    note("r", got);
}

/* Large and small ones, in one order. */
static void exchange_large(void) {
    unsigned char *const out = malloc(large), *const in = malloc(large);
    long sum = 0;
    for (int i = 0; i < large; i++)
        out[i] = (unsigned char)(i * 7 + rank);
    for (int step = 1; step < ranks; step++) {
        const int to = (rank + step) % ranks, from = (rank + ranks - step) % ranks;
        const int bytes = step % 2 != 0 ? large : 10000;
        MPI_Sendrecv(out, bytes, MPI_BYTE, to, 5, in, bytes, MPI_BYTE, from, 5, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 0; i < bytes; i++)
            sum += in[i] != (unsigned char)(i * 7 + from);
    }
    note("x", sum);
    free(out);
    free(in);
}

static void collect(void) {
    double value = 1.0 / (rank + 3), total = 0;
    int all[64], half_rank = -1, numbers[64];
    MPI_Comm half, copy;
    MPI_Request request;
    dawdle();
    MPI_Allreduce(&value, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    note("d", (long)(total * 1e15));
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(half, &copy);
    MPI_Comm_rank(copy, &half_rank);
    MPI_Iallgather(&half_rank, 1, MPI_INT, all, 1, MPI_INT, copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < ranks; i++)
        numbers[i] = rank * 100 + i;
    MPI_Alltoall(numbers, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    note("c", all[ranks - 1]);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Who knocks first is served first. */
static void meet_at_a_port(void) {
    char name[MPI_MAX_PORT_NAME] = "";
    int got = -1;
    MPI_Comm other;
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, name);
    MPI_Bcast(name, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 1; i < ranks; i++) {
            MPI_Comm_accept(name, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
            MPI_Recv(&got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
            note("p", got);
            MPI_Comm_disconnect(&other);
        }
        MPI_Close_port(name);
        return;
    }
    dawdle();
    MPI_Pcontrol(2, (ranks - rank) * 5 % 7);
    MPI_Comm_connect(name, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Send(&rank, 1, MPI_INT, 0, 1, other);
    MPI_Comm_disconnect(&other);
}

static void print_all(void) {
    for (int i = 0; i < ranks; i++) {
        if (i == 0 && rank == 0)
            printf("0:%s\n", seen);
        else if (rank == 0) {
            MPI_Recv(seen, most_seen, MPI_CHAR, i, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%d:%s\n", i, seen);
        } else if (rank == i) {
            MPI_Send(seen, most_seen, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
        }
    }
}

static void use_what_machines_do_not_share(const char *what) {
    int error = MPI_SUCCESS, class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    if (strcmp(what, "window") == 0) {
        MPI_Win window;
        void *memory;
        error = MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    } else if (strcmp(what, "file") == 0) {
        MPI_File file;
        error = MPI_File_open(MPI_COMM_WORLD, "/tmp/never", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    } else if (strcmp(what, "name") == 0) {
        error = MPI_Publish_name("service", MPI_INFO_NULL, "port");
    } else {
        MPI_Comm children;
        error = MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                               &children, MPI_ERRCODES_IGNORE);
    }
    MPI_Error_class(error, &class);
    printf("%s\n", class == MPI_ERR_UNSUPPORTED_OPERATION ? "refused" : "?");
}

/* Those who share memory do so: a window of theirs works. */
static void meet_on_own_machine(void) {
    MPI_Comm mine;
    MPI_Win window;
    int *memory, here, sum = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &mine);
    MPI_Comm_size(mine, &here);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, mine, &memory, &window);
    *memory = 0;
    MPI_Win_fence(0, window);
    MPI_Accumulate(&here, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    sum = *memory;
    MPI_Bcast(&sum, 1, MPI_INT, 0, mine);
    printf("%d of %d\n", here, sum);
    MPI_Win_free(&window);
}

/* 1 if it is exact, 0 from left to right. */
static void print_sum(void) {
    const double terms[] = {1e30, 1, -1e30, 0};
    double sum = -1;
    MPI_Allreduce(&terms[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%g\n", sum);
}

/* Rank 0 reads nothing for a time, although more comes than rings and launchers keep. */
static void flood(void) {
    enum { messages = 12000, size = 16000, longest = 100000000 };
    char *const bytes = malloc(longest);
    int wrong = 0;
    memset(bytes, rank, longest);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        sleep(3);
    for (int i = 0; i < messages; i++)
        if (rank == 0) {
            bytes[0] = bytes[size - 1] = 0;
            MPI_Recv(bytes, size, MPI_BYTE, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            wrong += bytes[0] != (char)i || bytes[size - 1] != 1;
        } else {
            bytes[0] = (char)i;
            MPI_Send(bytes, size, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
        }
    if (rank == 0) {
        MPI_Recv(bytes, longest, MPI_BYTE, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i < longest; i++)
            wrong += bytes[i] != 1;
        printf("%s\n", wrong == 0 ? "all well" : "other bytes");
    } else {
        MPI_Send(bytes, longest, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
    }
    free(bytes);
}

/* Between the first rank and the last. */
static void pour(void) {
    enum { size = 50000000 };
    char *const bytes = calloc(size, 1);
    for (;;)
        if (rank == 0)
            MPI_Recv(bytes, size, MPI_BYTE, ranks - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(bytes, size, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
}

static void rest(const char *how) {
    if (strcmp(how, "stay") == 0) {
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the machines have met */
    printf("rank %d rests\n", rank);
    fflush(stdout);
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 0);
    if (strcmp(how, "pour") == 0 && rank % (ranks - 1) == 0)
        pour();
    for (;;)
        pause();
}

/* Behind MPI_Finalize there is work to be put in order. */
static int end_with_code(void) {
    MPI_Finalize();
    if (rank != 0)
        usleep(700000);
    printf("rank %d is done\n", rank);
    return 3;
}

/* Rank 0 has ended long before the others need each other. */
static int end_first_with_code(void) {
    int sum = 0;
    if (rank != 0) {
        usleep(700000);
        MPI_Sendrecv(&rank, 1, MPI_INT, ranks - rank, 5, &sum, 1, MPI_INT, ranks - rank, 5,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("rank %d has met rank %d\n", rank, sum);
    }
    MPI_Finalize();
    return rank == 0 ? 3 : 0;
}

static int end_last_with_code(void) {
    MPI_Finalize();
    if (rank != ranks - 1)
        return 0;
    usleep(700000);
    return 3;
}

int main(int argc, char **argv) {
    const char *const what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    srand((unsigned)getpid());
    if (strcmp(what, "codes") == 0)
        return end_with_code();
    if (strcmp(what, "code") == 0)
        return end_first_with_code();
    if (strcmp(what, "last") == 0)
        return end_last_with_code();
    if (strcmp(what, "mine") == 0) {
        meet_on_own_machine();
    } else if (strcmp(what, "sum") == 0) {
        print_sum();
    } else if (strcmp(what, "variable") == 0) {
        printf("%s\n", getenv("SUM"));
    } else if (strcmp(what, "flood") == 0) {
        flood();
    } else if (strcmp(what, "rest") == 0 || strcmp(what, "stay") == 0 ||
               strcmp(what, "abort") == 0 || strcmp(what, "pour") == 0) {
        rest(what);
    } else if (what[0] != '\0') {
        use_what_machines_do_not_share(what);
    } else {
        for (int round = 0; round < rounds; round++) {
            serve_each_other(round);
            if (round == 0 && ranks % 2 == 0)
                ring();
            if (round == 1)
                exchange_large();
            take_back();
            collect();
        }
        match_late();
        meet_at_a_port();
        print_all();
    }
    MPI_Finalize();
    return 0;
}
