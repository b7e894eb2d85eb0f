/* SPDX-License-Identifier: MIT */
/*
 * Collectives, for C: what all members of a team do together. Members are spaces (spmc.h) or
 * threads, as the ends of channels are (channel.h).
 *
 * A team is known to all spaces of a job by the same handle: create it before the spaces that are
 * its members. A member is a number from 0 on, and belongs to the first thread that uses it. All
 * members of a team call the same functions in the same order, with equal sizes and roots. When
 * sg_barrier, sg_allreduce or sg_alltoall returns, all members have called it. The others wait at
 * least for the members on which their result depends.
 *
 * Results are the same in every run, with the same bits. sg_reduce, sg_allreduce and sg_scan
 * combine the values of n members in an order that depends on n alone, whatever the algorithm: the
 * values of members 0 to n - 1 are cut at the largest power of two below n, both parts are combined
 * in the same way, and then the left one with the right one. So six values give
 * ((0 1)(2 3))(4 5). An operation must be associative, or nearly so as the sum of floating point
 * numbers; it need not be commutative.
 *
 * Whoever breaks a rule ends with one line and exit code 2: whoever names a member that there is
 * not, or that another thread is, expects another size than a member sends, or gives a null pointer
 * for some bytes. So does whoever waits for a member that has ended, or for whom all wait.
 *
 * A barrier of 2 spaces takes 0.2 µs, and one of 16 spaces on two cores 65 µs. Others take about as
 * long for 8 bytes. docs/channels.md tells more, and SAGUARO_COLLECTIVE chooses algorithms
 * (docs/settings.md).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A team, the same number in each space of the job; 0 is none. Lives as long as the job. */
typedef uint32_t sg_team;

/* A team of so many members, 1 to 1024. Returns 0, with errno and a line, if there is no memory or
 * the number is out of range. 1 µs; and 20 KB for each pair of members that exchange messages, and
 * up to 256 KB if they exchange large ones. */
sg_team sg_team_create(unsigned members);

/* How many members the team has. */
unsigned sg_team_members(sg_team team);

/* Returns when all members have called it. */
void sg_barrier(sg_team team, unsigned member);

/* Copies the root's `size` bytes at `data` to all others' `data`. */
void sg_broadcast(sg_team team, unsigned member, unsigned root, void *data, size_t size);

/* Copies `size` bytes of each member to the root's `to`, which has room for those of all, in the
 * order of their numbers. `to` is not used elsewhere. */
void sg_gather(sg_team team, unsigned member, unsigned root, const void *from, void *to,
               size_t size);

/* The reverse: gives each member its `size` bytes of the root's `from`, which is not used
 * elsewhere. */
void sg_scatter(sg_team team, unsigned member, unsigned root, const void *from, void *to,
                size_t size);

/* Gives each member `size` bytes of each: member r gets at place s of its `to` what member s has at
 * place r of its `from`. Both have room for as many times `size` as there are members, and do not
 * overlap. */
void sg_alltoall(sg_team team, unsigned member, const void *from, void *to, size_t size);

/* An operation on arrays: stores left[i] op right[i] in into[i] for each of `count` elements.
 * `into` may be `left` or `right`. Elements are aligned as their type needs it, up to 64 bytes, if
 * those that the caller gives are. `context` is what the sg_reduction says. */
typedef void (*sg_combine)(void *into, const void *left, const void *right, size_t count,
                           void *context);

/* What is combined: arrays of `count` elements of `size` bytes, by an operation on them. */
typedef struct sg_reduction {
    size_t count;
    size_t size;
    sg_combine combine;
    void *context;
} sg_reduction;

/* Combines the arrays of all members, element by element, and stores the result in the root's `to`,
 * which is not used elsewhere. `to` may be `from`, here and below. */
void sg_reduce(sg_team team, unsigned member, unsigned root, const void *from, void *to,
               const sg_reduction *how);

/* The same, and stores the result in each member's `to`. */
void sg_allreduce(sg_team team, unsigned member, const void *from, void *to,
                  const sg_reduction *how);

/* Combines the arrays of members 0 to r, and stores the result in the `to` of member r, for each
 * r: what sg_allreduce gives to the first r + 1 members. */
void sg_scan(sg_team team, unsigned member, const void *from, void *to, const sg_reduction *how);

#ifdef __cplusplus
}
#endif
