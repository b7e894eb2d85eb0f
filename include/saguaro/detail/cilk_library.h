/* SPDX-License-Identifier: MIT */
/*
 * The functions behind the headers that come with cilkc: <cilk/cilk_api.h> and <cilk/cilkscale.h>
 * of Cilk Plus and OpenCilk (sg_c_), <cilk.h> and <cilk-lib.cilkh> of MIT Cilk 5.4 (sg_mit_).
 * Programs use those headers. For programs that declare the functions of <cilk/cilk_api.h>
 * themselves, the library has them by their own names.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* __cilkrts_set_param; returns its codes. Starts the workers anew if they run because of it. */
int sg_c_set_parameter(const char *name, const char *value);

/* Starts the workers, if they do not run. */
void sg_c_start(void);

/* Whether they run. */
int sg_c_is_started(void);

/* How many run, or would run. */
unsigned sg_c_workers(void);

/* From now on strands of C++ have pedigrees; a static initialiser of each file that asks for them
 * calls it. */
void sg_c_use_pedigrees(void);

/* The calling strand's rank, and the list of the numbers before it: a __cilkrts_pedigree. Null
 * without pedigrees. */
const void *sg_c_pedigree(unsigned long *rank);

/* The strand's next event has the next rank. */
void sg_c_bump_rank(void);

/* Random numbers, each a hash of the seed and of the calling strand's pedigree, and an event of the
 * strand. The seed may be set while no strand asks for numbers. */
void sg_c_seed_numbers(unsigned long seed);
unsigned long sg_c_number(void);

/* wsp_dump; nanoseconds. Any thread. */
void sg_c_print_work(const char *tag, long long work, long long span, long long burdened_span);

/* What Cilk_init gives and Cilk_terminate takes. */
typedef struct sg_mit_context sg_mit_context;

/* Takes the runtime's options off the command line, up to the first argument that is no option, or
 * to a `--`, and starts the workers. `*argc` and `argv` then have the program's own arguments,
 * argv[0] first, null last. --help and --version print and end the program with status 0; a bad
 * value ends it with a line and status 2.
 *
 * Several contexts may exist at once. They share one set of workers, with the first one's options.
 * Any thread that is no worker may call it. */
sg_mit_context *sg_mit_init(int *argc, char **argv);

/* Ends a context: prints what its --stats asked for; the last one ends the workers. */
void sg_mit_terminate(sg_mit_context *context);

/* The `main` of a program with `cilk int main` calls this. It does what sg_mit_init does, runs
 * program(argc, argv) on a worker, ends the context, and returns the program's result. */
int sg_mit_start(int argc, char **argv, int (*program)(int argc, char **argv));

/* Cilk_exit: ends the program from any of its strands, and prints what --stats asked for. */
void sg_mit_exit(int status) __attribute__((noreturn));

/* Cilk_die: prints a message, as printf does, on stderr, and ends the program with status 1. */
void sg_mit_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Waits until the lock at `lock` looks free: spins, then offers the processor to others. */
void sg_mit_wait_for_lock(volatile int *lock);

/* Nanoseconds since some point in the past. */
long long sg_mit_wall_time(void);

/* Cilk_rand and Cilk_srand by their own names: old programs declare them themselves. */
int Cilk_rand(void);
void Cilk_srand(unsigned int seed);

#ifdef __cplusplus
}
#endif
