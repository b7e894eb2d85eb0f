// SPDX-License-Identifier: MIT
//
// The steps of slow clones at a spawn and at a call of functions without a result. In each of them
// `deque`, `tail` and `f`, the frame, are at hand. A switch goes on behind these.
#pragma once

#include <saguaro/cilk_abi.h>

/// A spawn. Not zero: return at once. The call may read the frame, which a thief now goes on with,
/// if nothing that it reads changes: the frame itself waits for the child.
#define CLONE_SLOW_SPAWN(where, call)                                                              \
    (f->head.site = (where), sg_push(tail, &f->head), call,                                        \
     sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))

/// A call. Not zero: return at once.
#define CLONE_SLOW_CALL(where, call)                                                               \
    (call, SG_UNFINISHED(deque) && (f->head.site = (where), sg_suspend(deque, &f->head, NULL)))
