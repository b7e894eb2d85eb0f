/* SPDX-License-Identifier: MIT */
/* Command line, interruptions, digest and report of the racy programs. */
#define _GNU_SOURCE
#include "racy.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    shown = 24,              /* outcomes that are printed; all of them are in the digest */
    most_interruptions = 300 /* else many ranks on one processor do little but sleep */
};

int racy_rank;
int racy_ranks;

static int is_disturbed;
static uint64_t chance;
static long most_between; /* microseconds from one interruption to the next */
static long most_asleep;

static MPI_T_pvar_session counters;
static MPI_T_pvar_handle clock_counter; /* the library's clock, since the begin */

static uint64_t digest = 14695981039346656037u; /* FNV-1a */
static long outcomes;
static long first_outcomes[shown];

/* splitmix64 */
static uint64_t next_number(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

unsigned racy_number(uint64_t *state, unsigned below) {
    return (unsigned)(next_number(state) % below);
}

static void sleep_for(long microseconds) {
    const struct timespec length = {0, microseconds * 1000};
    nanosleep(&length, NULL);
}

static void move_to_some_processor(void) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    int left = (int)racy_number(&chance, (unsigned)CPU_COUNT(&all));
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && left-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            sched_setaffinity(0, sizeof all, &all);
            return;
        }
}

static void set_timer(void) {
    const struct itimerval once = {{0, 0}, {0, 1 + racy_number(&chance, (unsigned)most_between)}};
    setitimer(ITIMER_REAL, &once, NULL);
}

static void on_timer(int number) {
    static int interruptions;
    const int interrupted_errno = errno;
    (void)number;
    if (racy_number(&chance, 4) == 0)
        move_to_some_processor();
    sleep_for((long)racy_number(&chance, (unsigned)most_asleep));
    if (++interruptions < most_interruptions)
        set_timer();
    errno = interrupted_errno;
}

static void start_clock(void) {
    int level, index, count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_get_index("saguaro_clock", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_session_create(&counters);
    MPI_T_pvar_handle_alloc(counters, index, NULL, &clock_counter, &count);
    MPI_T_pvar_start(counters, clock_counter);
}

void racy_begin(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    start_clock();
    MPI_Comm_rank(MPI_COMM_WORLD, &racy_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &racy_ranks);
    const char *const told = getenv("RACY_SEED");
    const uint64_t seed = told != NULL ? strtoull(told, NULL, 10) : 0;
    if (seed == 0)
        return;
    chance = seed * 1000003 + (uint64_t)racy_rank;
    next_number(&chance);
    is_disturbed = 1;
    most_between = 100L << racy_number(&chance, 6);
    most_asleep = 20L << racy_number(&chance, 6);
    if (racy_number(&chance, 4) == 0)
        setpriority(PRIO_PROCESS, 0, (int)racy_number(&chance, 20));
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    set_timer();
}

void racy_pause(void) {
    if (!is_disturbed)
        return;
    /* Not `chance`, which the handler of the timer changes. */
    static uint64_t own;
    if (own == 0)
        own = chance ^ 1;
    switch (racy_number(&own, 6)) {
    case 0:
        sleep_for((long)racy_number(&own, 300));
        break;
    case 1:
        sched_yield();
        break;
    case 2:
        for (volatile unsigned i = racy_number(&own, 50000); i != 0; i--)
            ;
        break;
    default:
        break;
    }
}

void racy_note(long outcome) {
    if (outcomes < shown)
        first_outcomes[outcomes] = outcome;
    outcomes++;
    for (unsigned byte = 0; byte < sizeof outcome; byte++)
        digest = (digest ^ ((uint64_t)outcome >> (8 * byte) & 255)) * 1099511628211u;
}

int racy_end(void) {
    unsigned long long clock = 0;
    MPI_T_pvar_read(counters, clock_counter, &clock);
    printf("rank %d: clock %llu, %ld outcomes, digest %016llx:", racy_rank, clock, outcomes,
           (unsigned long long)digest);
    for (long i = 0; i < outcomes && i < shown; i++)
        printf(" %ld", first_outcomes[i]);
    printf("\n");
    MPI_T_pvar_session_free(&counters);
    MPI_T_finalize();
    return MPI_Finalize();
}
