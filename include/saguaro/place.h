/* SPDX-License-Identifier: MIT */
/*
 * Memory with a place: on which node of memory the pages of a block lie (docs/placement.md).
 *
 * Nodes and processors have the kernel's numbers. A machine with one node, a kernel without NUMA
 * and an emulator are machines with one node, and every function works there.
 *
 * Any thread may call these functions at any time, inside and outside the runtime, but not from a
 * signal handler.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the pages of a block go. Make one by a function below. */
typedef struct sg_layout {
    /* Of page 0, 1, ... of `pages`: the number of a node that takes part. */
    int (*node_of_page)(const struct sg_layout *layout, size_t page, size_t pages);
    const int *nodes; /* a list that stays the caller's; null: all nodes that take part */
    size_t count;
    int node;
    int (*function)(void *context, size_t page);
    void *context;
} sg_layout;

/* All pages on one node. */
sg_layout sg_layout_on_node(int node);

/* Page i on nodes[i % count]. Null and 0: all nodes that take part. Each node of the list has to
 * take part, also one that gets no page. */
sg_layout sg_layout_round_robin(const int *nodes, size_t count);

/* As many blocks of pages as nodes in the list, one behind the other and of the same size, up to a
 * page: block i is on nodes[i]. Null and 0: all nodes that take part. Each node of the list has to
 * take part, also one that gets no page. */
sg_layout sg_layout_blocked(const int *nodes, size_t count);

/* Page i on function(context, i). */
sg_layout sg_layout_by_page(int (*function)(void *context, size_t page), void *context);

/* `size` bytes of zeros that begin with a page, each page where `layout` says. When the function
 * returns, all pages are in memory. Costs some system calls, and a page fault for each page: for
 * large blocks that live long. Null and errno if there is a page that cannot be placed; then
 * nothing has been allocated:
 *   EINVAL      the layout names a node that does not take part: there is no such node, or the
 *               control group does not allow it; or it has no function, an empty list, or a count
 *               without a list
 *   ENOSPC      a node has no free page any more
 *   EPERM, ENOSYS, and others of mbind(2)   the kernel, or a filter of system calls, refuses to
 *               place memory at all, and there is more than one node
 *   ENOMEM      no more address space, or less memory than `size`: of 16 MB and more the function
 *               asks before it touches a page. What is free counts, pages of files that the
 *               system can drop, and swap, as far as the nodes that take part and the control
 *               groups have them
 * Where the kernel refuses only to tell where pages are, they count as `unverified_pages`. */
void *sg_malloc_place(size_t size, sg_layout layout);

/* `size` bytes on the node where the calling thread runs, or the one nearest to it of those that
 * take part. Not zeroed. Aligned as malloc's; sizes that are a power of two up to 64 KB are aligned
 * to their size, larger ones to 4 KB. Costs what malloc costs; a size above 1 MB costs system
 * calls, unless one as large was freed a while ago. Null and ENOMEM if the system gives no more
 * memory.
 *
 * Where the kernel refuses to bind, or the node is full, the block is elsewhere:
 * sg_place_statistics counts both. */
void *sg_malloc_local(size_t size);

/* Frees memory of either function, from any thread. Blocks up to 1 MB go back to the pool of their
 * own node. Null: nothing happens. */
void sg_free_place(void *p);

/* The node of the page at an address of the process. -1 and errno: ENOENT, nobody has touched the
 * page yet; EFAULT, there is none; EPERM or ENOSYS, the system does not tell, and has several
 * nodes. A system call. */
int sg_node_of(const void *p);

/* The processor, and its node, that the calling thread runs on. Unless the thread is bound, as
 * workers are, it may run elsewhere already. Some nanoseconds. */
int sg_self_cpu(void);
int sg_self_node(void);

/* The nodes of memory, and the processors, that take part: those that the process may use, as it
 * was when the first function of this header was called. They write the first `room` numbers,
 * ascending, and return how many there are. */
size_t sg_place_nodes(int *nodes, size_t room);
size_t sg_place_cpus(int *cpus, size_t room);

/* What could not be had. */
typedef struct sg_place_counts {
    size_t pool_bytes;        /* addresses that sg_malloc_local's pools have taken so far */
    size_t refused_bytes;     /* of these: the kernel refused to bind them to their node */
    size_t pages_present;     /* pages of the pools that are in memory now */
    size_t pages_elsewhere;   /* of these: on another node than their pool's */
    size_t pages_unknown;     /* the system tells nothing of them: neither present nor elsewhere */
    size_t unverified_pages;  /* that sg_malloc_place asked for, and nobody tells where they are */
    size_t failed_placements; /* calls of sg_malloc_place that returned null, for any errno */
    size_t cpus_without_memory; /* processors whose own node does not take part */
} sg_place_counts;

/* Fills `counts`. Asks the kernel for each page of the pools: milliseconds for each GB. */
void sg_place_statistics(sg_place_counts *counts);

#ifdef __cplusplus
}
#endif
