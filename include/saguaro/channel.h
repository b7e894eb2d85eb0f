/* SPDX-License-Identifier: MIT */
/*
 * Channels, for C: messages from one producer to one consumer or many, between spaces (spmc.h) or
 * between threads.
 *
 * A message is so many bytes. All consumers get all messages, in the order in which they were sent.
 * Receiving waits until there is one; there is no way to ask whether there is one, and none to wait
 * for a while only. So a program whose threads and spaces communicate through channels alone gives
 * the same result in every run (Kahn, The Semantics of a Simple Language for Parallel Programming,
 * 1974).
 *
 * A channel lives in memory that all spaces of the job share, and is known to all by the same
 * handle: create it before the spaces that use it, or send its handle through another channel. The
 * first thread that sends is the producer from then on, and the first that receives as consumer
 * number K is that one. Whoever else tries ends with a line and exit code 2, as does who waits for
 * a peer that has ended, or for whom all wait. A program that goes on without a peer asks for that:
 * the last functions here.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A channel, the same number in each space of the job; 0 is none. Lives until it is freed, or as
 * long as the job. */
typedef uint32_t sg_channel;

/* A channel for so many consumers, 1 to 4096. A producer waits before it sends only while 256
 * messages have not been received by all consumers, or while such messages of more than 56 bytes
 * have `capacity` bytes or more. A message may be larger than the capacity. 0 stands for 1 MB, and
 * less than 128 KB for that. Returns 0, with errno and a line, if there is no memory or a number is
 * out of range. 1 µs; 20 KB for the 256 messages, and as large messages are sent, memory for twice
 * the capacity at most and the largest of them. */
sg_channel sg_channel_create(unsigned consumers, size_t capacity);

/* Sends a copy of `size` bytes; 0 bytes are a message too. Returns when the message can be
 * received. 30 ns, and what the copy takes from 57 bytes on. */
void sg_channel_send(sg_channel to, const void *data, size_t size);

/* The same without a copy: room for a message of `size` bytes, which the caller writes to and then
 * publishes. It is aligned to 8 bytes; if it has more than 56 bytes, to 64. What is in it before is
 * not determined, so do not read it. When it is published the caller does not write to it any more,
 * and when the caller reserves the next one it does not read it any more: rules that
 * SAGUARO_SPMC_ENFORCE=1 checks. */
void *sg_channel_reserve(sg_channel to, size_t size);
void sg_channel_publish(sg_channel to);

/* Says that no message follows: consumers that have received all messages learn it. It takes the
 * place of a message, so it waits like one, and every run has it at the same place. To send, or to
 * close, after it ends the program with a line. A channel need not be closed. Costs
 * what a send costs. */
void sg_channel_close(sg_channel to);

/* The calling space is done with the channel: it gives up the ends that its threads have, none of
 * which is using it now, and the handle if it has made the channel. Its threads do not use the
 * channel afterwards. Messages that were sent before can still be received. Who waits for an end
 * that was given up ends with a line, as for a peer that has ended. When a space ends, the ends
 * that it had are given up. When the handle and all ends are, other channels use the memory. An end
 * that no space has taken when the handle is freed cannot be taken any more, except by children
 * that the caller had begun since it made the channel, while they live: so a space that got the
 * handle by a message should have used it before. Nothing if the channel is 0, or the caller has
 * nothing of it; but a second call for the same channel may meet a new one of the same name. 1 µs,
 * and some 40 µs more if it had messages of more than 56 bytes. */
void sg_channel_free(sg_channel channel);

/* What sg_channel_receive returns instead of a number of bytes where the channel was closed. */
#define SG_CHANNEL_CLOSED SIZE_MAX

/* Waits for the next message and copies it to `buffer`, which has room for `size` bytes. Returns
 * how many it has, or SG_CHANNEL_CLOSED if the producer has closed the channel, also when called
 * again. A message that is larger ends the program with a line. `consumer` is 0 for the first
 * consumer. */
size_t sg_channel_receive(sg_channel from, unsigned consumer, void *buffer, size_t size);

/* The same without a copy: where the next message is, and in *size how many bytes it has; null and
 * 0 if the channel was closed, while a message of 0 bytes has a place. The message stays there
 * until this consumer receives again, or says that it is done with it, so that the producer can go
 * on. Nobody can write to it, where it has more than 56 bytes. */
const void *sg_channel_view(sg_channel from, unsigned consumer, size_t *size);
void sg_channel_done(sg_channel from, unsigned consumer);

/* ---- To go on without a peer ---- */

/* This consumer receives no more: it is done with its last message, and the producer does not wait
 * for it any more. To receive, or to close, after it ends the program with a line. While other
 * consumers have not closed their ends, the producer notices nothing. Where all have, a send that
 * would wait for room ends the program with a line, as does one whose consumer has ended: the
 * producer had better be told in a message, or ask by the next function. 1 µs. */
void sg_channel_close_consumer(sg_channel from, unsigned consumer);

/* As sg_channel_send, but returns EPIPE, and sends nothing, where the message would have to wait
 * for room and no consumer is left that would make some: all have closed their ends, or one has
 * ended or given its end up. Otherwise 0. It waits like a send, and looks for a consumer only when
 * it has to wait. So if all consumers close their ends, it returns EPIPE at the same message in
 * each run. Where a consumer ends in another way, it may be at any of the next 256 messages.
 * Afterwards the channel can be closed and freed. */
int sg_channel_send_or_gone(sg_channel to, const void *data, size_t size);

/* What sg_channel_receive_or_gone returns instead of a number of bytes where the producer is gone.
 */
#define SG_CHANNEL_GONE (SIZE_MAX - 1)

/* As sg_channel_receive, but returns SG_CHANNEL_GONE if the producer has ended or given its end up
 * and all of its messages were received, also when called again. It waits like a receive, so it is
 * no way to ask whether a message is there: it tells that none will come. A producer that is killed
 * is noticed within 50 ms. */
size_t sg_channel_receive_or_gone(sg_channel from, unsigned consumer, void *buffer, size_t size);

#ifdef __cplusplus
}
#endif
