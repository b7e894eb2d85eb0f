/* SPDX-License-Identifier: MIT */
/*
 * What the ready-made plug-ins, written in C, know of an instance: whose it is. A call of another
 * set's function must not reach the handler, which would take the request for one of its own.
 */
#pragma once

#include "saguaro/vms.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*sg_vms_handler)(void *state, sg_vp *requester, void *request);

struct sg_vms {
    sg_vms_handler handle; /* constant: the plug-in's, which tells it from all others */
};

/* Ends the caller's instance with EINVAL and one line: `function`, of the ready-made set `set`, was
 * called for `me`, which is null or a VP of another set. Returns in handlers only; aborts in a
 * thread that animates no VP. */
__attribute__((visibility("hidden"))) void sg_vms_refuse(const sg_vp *me, const char *set,
                                                         const char *function);

/* Whether `me` is a VP of an instance with that handler. If not, the call has been refused. */
static inline bool sg_vms_belongs(const sg_vp *me, sg_vms_handler handle, const char *set,
                                  const char *function) {
    if (me != NULL && me->instance->handle == handle)
        return true;
    sg_vms_refuse(me, set, function);
    return false;
}

#ifdef __cplusplus
}
#endif
