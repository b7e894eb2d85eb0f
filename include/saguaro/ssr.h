/* SPDX-License-Identifier: MIT */
/*
 * SSR, synchronous send and receive: a plug-in of vms.h.
 *
 * Virtual processors (VPs) hand one another pointers at a rendezvous: send and receive each wait
 * for the other. After it the receiver sees what the sender wrote before. There are also the
 * constructs that Halle and Cohen added in an afternoon: singletons, functions that run alone, and
 * transactions.
 *
 * Each function takes the VP that calls it, `animating`. Only that VP may call it, and only in an
 * instance that sg_ssr_run began; EINVAL otherwise, and for null VPs and functions. Every call
 * visits the Master and lets VPs run that have been ready longer; it takes some 100 to 200 cycles.
 * Misuse ends the run with one line on stderr, and sg_ssr_run returns the error that stands at the
 * function.
 */
#pragma once

#include "saguaro/detail/race_names.h"
#include "saguaro/vms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs function(argument, vp) on the first VP and returns when all VPs have ended: sg_vms_run with
 * this plug-in, and the same options and errors. */
int sg_ssr_run(const sg_vms_options *options, sg_vms_function function, void *argument)
    SG_NOT_SERIES_PARALLEL("virtual processors");

/* A new VP that runs function(argument, vp) some time, on any core; it ends by returning. */
sg_vp *sg_ssr_create(sg_vms_function function, void *argument, sg_vp *animating);

/* The same on one core: 0 to sg_vms_cores(animating->instance) - 1, always. */
sg_vp *sg_ssr_create_on(unsigned core, sg_vms_function function, void *argument, sg_vp *animating);

/* ---- Messages ---- */

/* Waits until `to` receives from the VP that calls. ESRCH if `to` has ended, or ends meanwhile. */
void sg_ssr_send_from_to(void *message, sg_vp *animating, sg_vp *to);

/* Waits until `from` sends to the VP that calls, and returns the message. ESRCH if `from` has
 * ended, or ends meanwhile. */
void *sg_ssr_receive_from_to(sg_vp *from, sg_vp *animating);

/* Waits until `to` receives this type of message, a number that the program chooses, from anybody.
 * Senders are served in their order. ESRCH if `to` has ended, or ends meanwhile. */
void sg_ssr_send_of_type_to(void *message, sg_vp *animating, int type, sg_vp *to);

/* Waits until somebody sends this type to the VP that calls, and returns the message. */
void *sg_ssr_receive_of_type(int type, sg_vp *animating);

/* ---- Constructs on keys ----
 *
 * A key is any address, for example that of the data in question; it is not looked at. Each
 * instance has its own, and those of singletons and of transactions are different ones.
 */

/* Runs function(argument) once for each key. The VP that comes first runs it; the others wait until
 * it has returned. All get its result. EDEADLK if the function comes back to its own key. */
void *sg_ssr_singleton(const void *key, void *(*function)(void *), void *argument,
                       sg_vp *animating);

/* Has the Master run function(argument) and returns its result. The function is short and calls
 * nothing of VMS. No two such functions run at the same time, and no other construct changes its
 * state meanwhile. */
void *sg_ssr_atomically(void *(*function)(void *), void *argument, sg_vp *animating);

/* Between begin and end the VP is the only one in a transaction with this key. Others wait at the
 * begin; they enter in their order. Transactions nest: one ends before those that began earlier.
 * EINVAL if the transaction was not begun last; EDEADLK if the VP is in it already, or returns
 * without the end. */
void sg_ssr_begin_transaction(const void *key, sg_vp *animating);
void sg_ssr_end_transaction(const void *key, sg_vp *animating);

#ifdef __cplusplus
}
#endif
