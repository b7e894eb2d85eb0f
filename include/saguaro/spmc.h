/* SPDX-License-Identifier: MIT */
/*
 * Memory with one producer and many consumers, for C and C++: spaces and regions.
 *
 * A space is a process of a job. It has a private copy of its parent's memory, and shares nothing
 * with others but regions. A region is a range of pages. One space produces a page: it writes it,
 * and then fixes it, once. Any number of spaces consume the page: they wait until it is fixed, and
 * read it. There is no way to ask whether a page is fixed yet, so a program that communicates
 * through regions alone gives the same result in every run. (Zhang and Ford, Lazy Tree Mapping:
 * Generalizing and Scaling Deterministic Parallelism, APSys 2013.)
 *
 * A producer that has used up a region's pages extends it: it keeps one page free of data, and
 * expands that page to new pages, at other addresses or at the same ones. A consumer expands the
 * same page and finds the same new pages. So a finite range of addresses carries a stream without
 * end. The pages behind it are used again when the producer and all consumers have left them.
 *
 * Whoever breaks a rule ends with one line on stderr and exit code 2; whoever waits for a page that
 * will never come (its producer has ended or has given the page up, or all wait for each other)
 * ends so too. A signal handler that interrupts a wait for a page must return, not siglongjmp out
 * of it. Functions return 0 or an error number (errno.h), and write a line where the arguments are
 * none. Addresses and sizes are whole pages of 4096 bytes, within SPMC_BEGIN and SPMC_END. Each
 * function may be called by any thread of any space. docs/spmc.md tells more.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The addresses that regions may have. spmc_alloc takes those from the begin on where the caller
 * has no wish; a program that has wishes takes them from the upper half. */
#define SPMC_BEGIN 0x200000000000
#define SPMC_END 0x400000000000

#define SPMC_PAGE 4096

/* What a space is called. The root, which is the process that makes the first call, is 0; its
 * children are 1, 2, 3 in the order of their creation. Others have numbers above 2^63, which depend
 * on the parent's and on the order among its children, and on nothing else: the same in each run.
 */
typedef uint64_t spmc_space;

/* ---- Spaces ---- */

/* Begins a space that runs function(argument) in a copy of the caller's memory, at the same
 * addresses, but without its regions; it ends with what the function returns as its exit code (0 to
 * 255), or by exit; an exception or pthread_exit that leaves the function ends it with a line and
 * exit code 2. It waits for its own children first. A space that ends in any other way, killed
 * for example, takes its children along, and so does the thread that has begun it, when that ends.
 * Stores the space's name in *out, unless that is null. EAGAIN if the system has no more processes,
 * ENOMEM. 200 µs. */
int spmc_space_create(spmc_space *out, int (*function)(void *argument), void *argument);

/* The same with a program, as execv: `path` is not searched for, and the arguments end with a null
 * pointer. The program's first call of any function here makes it that space. Also ENOENT, EACCES
 * and the other errors of execv. */
int spmc_space_exec(spmc_space *out, const char *path, char *const arguments[]);

/* Returns when that space has ended, and stores how in *status, as waitpid does (WIFEXITED and the
 * others, sys/wait.h). With a null pointer, the caller ends with a line unless the space has ended
 * with exit code 0. Any space may wait for any other, also for one that is still to begin. EINVAL
 * if it is the caller. */
int spmc_space_wait(spmc_space space, int *status);

/* Ends a child of the caller's, wherever it is, and the child's own children; returns when the
 * child has ended. How it ended does not concern the caller, also if it had failed before: to
 * spmc_space_wait it has ended by SIGKILL, unless it was faster. A space that waits for something
 * of it ends with a line. With a line, and at once: EINVAL if the space is no child of the
 * caller's, and EPERM if the system does not let the caller kill it, as a program with the
 * set-user-ID bit. */
int spmc_space_terminate(spmc_space space);

/* The calling space, and the one that has begun it (of the root: the root). 10 ns. */
spmc_space spmc_space_self(void);
spmc_space spmc_space_parent(void);

/* ---- Regions ---- */

/* A new region of zeros, which the caller produces; at `address`, or where the library thinks best
 * if that is null (the same in each run). Null, with errno EINVAL or ENOMEM and a line, if that is
 * not possible. It takes memory as its pages are touched, and 8 bytes more for each page. A rule is
 * broken if the caller has pages there already. 10 µs. */
void *spmc_alloc(void *address, size_t size);

/* Gives up all that the caller has mapped within these addresses. Who waits for a page of it that
 * was not fixed ends with a line. The memory is used again when all others have given up theirs. */
int spmc_free(void *address, size_t size);

/* Makes `space` the producer of the caller's pages [from, from + size), with what they hold, at its
 * address `to`; the caller is a consumer from now on. The other space maps them when it needs them:
 * if it touches `to` before, it waits. A rule is broken if the caller does not produce all of them,
 * and by the other space if it has pages at `to`. For a part of a region 8 bytes a page are
 * written. */
int spmc_transfer_ownership(spmc_space space, void *from, void *to, size_t size);

/* Makes `space` a consumer of the same pages as the caller, which produces or consumes them. The
 * rest as above. */
int spmc_copy_consumer(spmc_space space, void *from, void *to, size_t size);

/* Fixes pages: from now on nobody writes to them, and consumers may read them. A rule is broken if
 * the caller does not produce all of them, or if one was fixed or extended before. 2 µs. */
int spmc_fix(void *address, size_t size);

/* Expands the page at `extension` to size / 4096 new pages at `address`, instead of whatever the
 * caller has mapped there; that may be the region to which the page belongs. The producer's new
 * pages are zeros. A consumer waits until the producer has expanded the page, and consumes its new
 * pages; it may ask for fewer of them. Rules are broken by a producer that has written to the page
 * (seen only with SAGUARO_SPMC_ENFORCE=1), fixed it, or extended it before, and by a consumer if
 * the producer has fixed the page, or if the consumer asks for more pages. Nobody may access a page
 * that was expanded. */
int spmc_extend(void *extension, void *address, size_t size);

#ifdef __cplusplus
}
#endif
