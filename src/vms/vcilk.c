/* SPDX-License-Identifier: MIT */
/*
 * VCilk: see saguaro/vcilk.h for what it promises. A VP for each spawn, and a count of children in
 * each VP, which only the handler changes.
 */
#include "saguaro/vcilk.h"
#include "vms/call.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

enum kind { spawn, sync };

/* Lies on the stack of the VP that makes it. */
struct request {
    enum kind kind;
    sg_vms_function function;
    void *argument;
};

/* The plug-in's part of each VP. */
struct frame {
    sg_vms_function function;
    sg_vp *parent;     /* null for the first; it does not end before its children */
    unsigned children; /* that have not returned. The handler's */
    bool is_syncing;   /* blocked until there are none. The handler's */
    bool has_spawned;  /* since its last sync. The VP's own */
};

static struct frame *frame_of(const sg_vp *vp) {
    return vp->data;
}

/* What a spawned VP runs. */
static void run_child(void *argument, sg_vp *me) {
    frame_of(me)->function(argument, me);
    sg_vcilk_sync(me);
}

static void handle_spawn(sg_vp *me, const struct request *r) {
    if (r->function == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu spawns a null function",
                    (unsigned long long)me->number);
        return;
    }
    sg_vp *const child = sg_vms_create(me->instance, run_child, r->argument);
    if (child == NULL)
        return;
    frame_of(child)->function = r->function;
    frame_of(child)->parent = me;
    ++frame_of(me)->children;
    /* The last one first: first come would run the tree level by level, each VP of a level with a
     * stack. */
    sg_vms_resume_first(child);
}

static void handle_sync(sg_vp *me) {
    if (frame_of(me)->children > 0)
        frame_of(me)->is_syncing = true;
    else
        sg_vms_resume_first(me);
}

static void handle_return(sg_vp *me) {
    sg_vp *const parent = frame_of(me)->parent;
    if (parent == NULL || --frame_of(parent)->children > 0 || !frame_of(parent)->is_syncing)
        return;
    frame_of(parent)->is_syncing = false;
    sg_vms_resume_first(parent);
}

static void handle(void *state, sg_vp *me, void *request) {
    (void)state;
    const struct request *const r = request;
    if (r == NULL)
        handle_return(me);
    else if (r->kind == spawn)
        handle_spawn(me, r);
    else
        handle_sync(me);
}

static void describe(void *state, const sg_vp *vp, const void *request, char *text, size_t bytes) {
    (void)state;
    const struct request *const r = request;
    if (r->kind == spawn)
        snprintf(text, bytes, "spawns");
    else
        snprintf(text, bytes, "syncs with %u of its children", frame_of(vp)->children);
}

static const sg_vms_plugin plugin = {"vcilk", handle, sg_vms_first_come, describe,
                                     sizeof(struct frame)};

struct first {
    sg_vms_function function;
    void *argument;
};

static void run_first(void *argument, sg_vp *me) {
    const struct first *const first = argument;
    first->function(first->argument, me);
    sg_vcilk_sync(me);
}

int sg_vcilk_run(const sg_vms_options *options, sg_vms_function function, void *argument) {
    struct first first = {function, argument};
    return sg_vms_run(&plugin, NULL, options, function == NULL ? NULL : run_first, &first);
}

void sg_vcilk_spawn(sg_vms_function function, void *argument, sg_vp *me) {
    if (!sg_vms_belongs(me, handle, "vcilk", "sg_vcilk_spawn"))
        return;
    struct request r = {spawn, function, argument};
    sg_vms_send(me, &r);
    frame_of(me)->has_spawned = true;
}

void sg_vcilk_sync(sg_vp *me) {
    if (!sg_vms_belongs(me, handle, "vcilk", "sg_vcilk_sync") || !frame_of(me)->has_spawned)
        return;
    frame_of(me)->has_spawned = false;
    struct request r = {.kind = sync};
    sg_vms_request(me, &r);
}
