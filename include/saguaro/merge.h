/* SPDX-License-Identifier: MIT */
/*
 * The messages of several channels (channel.h) in one order, for C.
 *
 * A consumer of several channels cannot take whichever message comes first, because the result
 * would depend on who is faster. A merge decides by something else than arrival which channel is
 * next, and waits for that channel's message:
 *
 * - in turn: one message of each channel, round and round;
 * - by a choice of the program: a function of the messages so far names the channel;
 * - by time: each producer stamps its messages with a time that does not decrease, and the message
 *   with the least (time, number of the channel) is next.
 *
 * A channel that its producer has closed (sg_channel_close) drops out. When all have, the merge is
 * at its end.
 *
 * A merge belongs to the thread that is the consumer of its channels, and nobody else receives from
 * them as that consumer.
 */
#pragma once

#include <saguaro/channel.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_merge sg_merge;

/* A channel, and which of its consumers the merge is. */
typedef struct sg_merge_input {
    sg_channel channel;
    unsigned consumer;
} sg_merge_input;

/* A message, where it is: until the merge is asked for the next one, or destroyed. */
typedef struct sg_merge_message {
    size_t from; /* the number of its channel among the inputs, from 0 */
    const void *data;
    size_t size;
} sg_merge_message;

/* The functions that begin a merge copy the inputs, of which there may be none. They return null,
 * with errno and a line, if there is no memory (ENOMEM), or if an argument is a null pointer or the
 * same consumer of a channel is there twice (EINVAL). */

/* One message of each channel in turn, from the first on. */
sg_merge *sg_merge_in_turn(const sg_merge_input *inputs, size_t count);

/* choose(argument, last) returns the number of the channel whose message is next. `last` is the
 * message that came last; null before the first one. If the channel that was chosen last is closed,
 * `last` has its number, and `data` is null. To choose a channel that is known to be closed, or one
 * that there is not, ends the program with a line. The function must depend on messages alone. */
typedef size_t (*sg_merge_choice)(void *argument, const sg_merge_message *last);
sg_merge *sg_merge_chosen(const sg_merge_input *inputs, size_t count, sg_merge_choice choose,
                          void *argument);

/* By time. Each message begins with its time, a uint64_t, which is not before the one of the
 * channel's former message (a line ends the program otherwise), and its unit is the program's own.
 * A message that has nothing but its 8 bytes of time is a promise: no earlier message follows on
 * its channel; it is not delivered.
 *
 * The merge waits until it knows of each channel that is not closed what the least time is that may
 * still come. So a producer that itself waits for something that follows from this merge's messages
 * must first promise up to which time it has nothing to say; otherwise all wait for each other,
 * which ends the program with a line. A producer that is silent for long delays all others unless
 * it promises, or closes. */
sg_merge *sg_merge_by_time(const sg_merge_input *inputs, size_t count);

/* Waits for the next message, and stores it in *message: 1. 0 at the end. Costs what the channel's
 * sg_channel_view and sg_channel_done cost; by time, also as many steps as the logarithm of the
 * number of channels. */
int sg_merge_next(sg_merge *from, sg_merge_message *message);

/* The channels remain. A merge by time that is not at its end may have received one message of each
 * channel that it has not delivered; these are lost. */
void sg_merge_destroy(sg_merge *merge);

#ifdef __cplusplus
}
#endif
