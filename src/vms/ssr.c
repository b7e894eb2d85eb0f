/* SPDX-License-Identifier: MIT */
/*
 * SSR: see saguaro/ssr.h for what it promises. As all plug-ins it is sequential: handlers run one
 * at a time, so that a rendezvous is a look at what the other VP waits for.
 */
#include "saguaro/ssr.h"
#include "vms/call.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- State ---- */

enum kind {
    create,
    send_from_to,
    receive_from_to,
    send_of_type,
    receive_of_type,
    begin_singleton,
    end_singleton,
    atomically,
    begin_transaction,
    end_transaction
};

/* Lies on the stack of the VP that makes it, which stays as it is while the VP is blocked. */
struct request {
    enum kind kind;
    int type;
    unsigned core;
    sg_vp *partner; /* the VP to send to or to receive from */
    void *message;
    const void *key;
    sg_vms_function function;
    void *(*plain_function)(void *);
    bool must_run; /* the answer to begin_singleton: it comes first */
};

/* VPs that wait for the same thing, linked by their `next`. */
struct queue {
    sg_vp *first;
    sg_vp *last;
};

/* What a singleton or a transaction is called, and who is in it. */
struct keyed {
    enum kind kind; /* begin_singleton, begin_transaction */
    const void *key;
    struct keyed *next; /* with the same hash */
    sg_vp *holder;      /* null: nobody */
    struct queue waiting;
    struct keyed *outer; /* the transaction that its holder began before */
    bool is_done;        /* a singleton whose function has returned, */
    void *result;        /* and what */
};

/* The plug-in's part of each VP. */
struct mailbox {
    const struct request *waits; /* null unless it is blocked in one */
    struct queue senders;        /* blocked until this VP receives from them */
    struct queue receivers;      /* blocked until this VP sends to them */
    struct keyed *innermost;     /* transaction */
};

/* The semantic state of an instance. */
struct ssr {
    struct keyed **table;
    size_t buckets; /* a power of two, or 0 */
    size_t entries;
};

static struct mailbox *box_of(const sg_vp *vp) {
    return vp->data;
}

/* 0: null, which a program may have given for a partner. */
static unsigned long long number(const sg_vp *vp) {
    return vp == NULL ? 0 : (unsigned long long)vp->number;
}

/* ---- Queues ---- */

static void append(struct queue *q, sg_vp *vp) {
    vp->next = NULL;
    if (q->first == NULL)
        q->first = vp;
    else
        q->last->next = vp;
    q->last = vp;
}

/* `before` comes before `vp` in the queue; null: it is the first. */
static void take_out(struct queue *q, sg_vp *before, sg_vp *vp) {
    if (before == NULL)
        q->first = vp->next;
    else
        before->next = vp->next;
    if (q->last == vp)
        q->last = before;
}

static sg_vp *take_first(struct queue *q) {
    sg_vp *const vp = q->first;
    if (vp != NULL)
        take_out(q, NULL, vp);
    return vp;
}

/* Takes the first out whose request is of this kind, with this partner or this type (which are
 * the same for all others). Null: there is none. */
static sg_vp *take_match(struct queue *q, enum kind kind, const sg_vp *only, int type) {
    sg_vp *before = NULL;
    for (sg_vp *vp = q->first; vp != NULL; before = vp, vp = vp->next) {
        const struct request *const r = box_of(vp)->waits;
        if (r->kind == kind && (only == NULL || vp == only) && r->type == type) {
            take_out(q, before, vp);
            return vp;
        }
    }
    return NULL;
}

/* ---- Blocking and going on ---- */

static void block(sg_vp *vp, const struct request *r) {
    box_of(vp)->waits = r;
}

static void go_on(sg_vp *vp, void *answer) {
    box_of(vp)->waits = NULL;
    vp->answer = answer;
    sg_vms_resume(vp);
}

/* ---- Messages ---- */

/* False, and the instance has failed: the partner will never answer. */
static bool may_meet(sg_vp *me, const sg_vp *partner, const char *does) {
    if (partner == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu %s a null VP", number(me), does);
        return false;
    }
    if (partner->instance != me->instance) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu %s a VP of another instance", number(me), does);
        return false;
    }
    if (!sg_vms_is_live(partner)) {
        sg_vms_fail(me->instance, ESRCH, "VP %llu %s VP %llu, which has ended", number(me), does,
                    number(partner));
        return false;
    }
    return true;
}

static void handle_send(sg_vp *me, const struct request *r) {
    sg_vp *const to = r->partner;
    if (!may_meet(me, to, "sends to"))
        return;
    const struct request *const wanted = box_of(to)->waits;
    const bool is_wanted =
        r->kind == send_from_to
            ? take_match(&box_of(me)->receivers, receive_from_to, to, 0) != NULL
            : wanted != NULL && wanted->kind == receive_of_type && wanted->type == r->type;
    if (is_wanted) {
        go_on(to, r->message);
        go_on(me, NULL);
    } else {
        append(&box_of(to)->senders, me);
        block(me, r);
    }
}

static void handle_receive(sg_vp *me, const struct request *r) {
    struct queue *const senders = &box_of(me)->senders;
    sg_vp *sender = NULL;
    if (r->kind == receive_from_to) {
        if (!may_meet(me, r->partner, "receives from"))
            return;
        sender = take_match(senders, send_from_to, r->partner, 0);
        if (sender == NULL)
            append(&box_of(r->partner)->receivers, me);
    } else {
        sender = take_match(senders, send_of_type, NULL, r->type);
    }
    if (sender == NULL) {
        block(me, r);
        return;
    }
    void *const message = box_of(sender)->waits->message;
    go_on(sender, NULL);
    go_on(me, message);
}

/* ---- Keys ---- */

static struct keyed **bucket_of(const struct ssr *s, const void *key) {
    /* Fibonacci hashing: the upper bits of the product depend on all of the address. */
    const uint64_t product = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15U;
    return &s->table[(product >> 32) & (s->buckets - 1)];
}

static bool grow(struct ssr *s, sg_vms *instance) {
    const struct ssr old = *s;
    const size_t buckets = old.buckets == 0 ? 64 : 2 * old.buckets;
    struct keyed **const table = sg_vms_allocate(instance, buckets * sizeof(*table));
    if (table == NULL)
        return false;
    s->table = table;
    s->buckets = buckets;
    for (size_t i = 0; i < buckets; ++i)
        table[i] = NULL;
    for (size_t i = 0; i < old.buckets; ++i)
        for (struct keyed *k = old.table[i], *next; k != NULL; k = next) {
            struct keyed **const bucket = bucket_of(s, k->key);
            next = k->next;
            k->next = *bucket;
            *bucket = k;
        }
    if (old.buckets != 0)
        sg_vms_free(instance, old.table, old.buckets * sizeof(*table));
    return true;
}

static struct keyed *look_up(const struct ssr *s, enum kind kind, const void *key) {
    struct keyed *k = s->buckets == 0 ? NULL : *bucket_of(s, key);
    while (k != NULL && (k->key != key || k->kind != kind))
        k = k->next;
    return k;
}

/* Makes it if there is none. Null, and the instance has failed: no memory. */
static struct keyed *find(struct ssr *s, sg_vms *instance, enum kind kind, const void *key) {
    struct keyed *const known = look_up(s, kind, key);
    if (known != NULL)
        return known;
    if (s->entries == s->buckets && !grow(s, instance))
        return NULL;
    struct keyed *const made = sg_vms_allocate(instance, sizeof(*made));
    if (made == NULL)
        return NULL;
    struct keyed **const bucket = bucket_of(s, key);
    *made = (struct keyed){.kind = kind, .key = key, .next = *bucket};
    *bucket = made;
    ++s->entries;
    return made;
}

/* Only transactions: singletons are done for good. */
static void forget(struct ssr *s, sg_vms *instance, struct keyed *k) {
    struct keyed **link = bucket_of(s, k->key);
    while (*link != k)
        link = &(*link)->next;
    *link = k->next;
    --s->entries;
    sg_vms_free(instance, k, sizeof(*k));
}

/* ---- Singletons ---- */

static void handle_begin_singleton(struct ssr *s, sg_vp *me, struct request *r) {
    if (r->plain_function == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu has a null function for the singleton %p",
                    number(me), r->key);
        return;
    }
    struct keyed *const one = find(s, me->instance, begin_singleton, r->key);
    if (one == NULL)
        return;
    if (one->is_done) {
        go_on(me, one->result);
    } else if (one->holder == NULL) {
        one->holder = me;
        r->must_run = true;
        go_on(me, NULL);
    } else if (one->holder == me) {
        sg_vms_fail(me->instance, EDEADLK,
                    "VP %llu comes back to the singleton %p that it executes", number(me), r->key);
    } else {
        append(&one->waiting, me);
        block(me, r);
    }
}

static void handle_end_singleton(struct ssr *s, sg_vp *me, const struct request *r) {
    struct keyed *const one = find(s, me->instance, begin_singleton, r->key);
    one->is_done = true;
    one->holder = NULL;
    one->result = r->message;
    go_on(me, NULL);
    for (sg_vp *vp; (vp = take_first(&one->waiting)) != NULL;)
        go_on(vp, one->result);
}

/* ---- Transactions ---- */

static void enter(struct keyed *transaction, sg_vp *vp) {
    transaction->holder = vp;
    transaction->outer = box_of(vp)->innermost;
    box_of(vp)->innermost = transaction;
    go_on(vp, NULL);
}

static void handle_begin_transaction(struct ssr *s, sg_vp *me, const struct request *r) {
    struct keyed *const wanted = find(s, me->instance, begin_transaction, r->key);
    if (wanted == NULL)
        return;
    if (wanted->holder == NULL) {
        enter(wanted, me);
    } else if (wanted->holder == me) {
        sg_vms_fail(me->instance, EDEADLK, "VP %llu begins the transaction %p, which it is in",
                    number(me), r->key);
    } else {
        append(&wanted->waiting, me);
        block(me, r);
    }
}

static void handle_end_transaction(struct ssr *s, sg_vp *me, const struct request *r) {
    struct keyed *const ended = box_of(me)->innermost;
    if (ended == NULL || ended->key != r->key) {
        sg_vms_fail(me->instance, EINVAL,
                    "VP %llu ends the transaction %p, which is not the last that it began",
                    number(me), r->key);
        return;
    }
    box_of(me)->innermost = ended->outer;
    go_on(me, NULL);
    sg_vp *const next = take_first(&ended->waiting);
    if (next != NULL)
        enter(ended, next);
    else
        forget(s, me->instance, ended);
}

/* ---- The plug-in ---- */

static void handle_atomically(sg_vp *me, const struct request *r) {
    if (r->plain_function == NULL)
        sg_vms_fail(me->instance, EINVAL, "VP %llu has a null function run atomically", number(me));
    else
        go_on(me, r->plain_function(r->message));
}

static void handle_create(sg_vp *me, const struct request *r) {
    if (r->function == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu creates a VP with a null function", number(me));
        return;
    }
    sg_vp *const made = sg_vms_create(me->instance, r->function, r->message);
    if (made == NULL)
        return;
    if (r->core != SG_VMS_ANYWHERE && r->core >= sg_vms_cores(me->instance)) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu creates a VP on core %u; there are %u",
                    number(me), r->core, sg_vms_cores(me->instance));
        return;
    }
    made->place = r->core;
    sg_vms_resume(made);
    me->answer = made;
}

static void handle_return(sg_vp *me) {
    const struct mailbox *const box = box_of(me);
    const sg_vp *const sender = box->senders.first;
    const sg_vp *const receiver = box->receivers.first;
    if (sender != NULL)
        sg_vms_fail(me->instance, ESRCH, "VP %llu has ended while VP %llu sends to it", number(me),
                    number(sender));
    else if (receiver != NULL)
        sg_vms_fail(me->instance, ESRCH, "VP %llu has ended while VP %llu receives from it",
                    number(me), number(receiver));
    else if (box->innermost != NULL)
        sg_vms_fail(me->instance, EDEADLK, "VP %llu has ended in the transaction %p", number(me),
                    box->innermost->key);
}

static void handle(void *state, sg_vp *me, void *request) {
    struct request *const r = request;
    if (r == NULL) {
        handle_return(me);
        return;
    }
    switch (r->kind) {
    case create:
        handle_create(me, r);
        break;
    case send_from_to:
    case send_of_type:
        handle_send(me, r);
        break;
    case receive_from_to:
    case receive_of_type:
        handle_receive(me, r);
        break;
    case begin_singleton:
        handle_begin_singleton(state, me, r);
        break;
    case end_singleton:
        handle_end_singleton(state, me, r);
        break;
    case atomically:
        handle_atomically(me, r);
        break;
    case begin_transaction:
        handle_begin_transaction(state, me, r);
        break;
    case end_transaction:
        handle_end_transaction(state, me, r);
        break;
    }
}

static void describe_keyed(const struct ssr *s, enum kind kind, const char *does,
                           const struct request *r, char *text, size_t bytes) {
    const struct keyed *const k = look_up(s, kind, r->key);
    const int written = snprintf(text, bytes, "%s %p", does, r->key);
    if (k != NULL && k->holder != NULL && written > 0 && (size_t)written < bytes)
        snprintf(text + written, bytes - (size_t)written, ", which VP %llu is in",
                 number(k->holder));
}

static void describe(void *state, const sg_vp *vp, const void *request, char *text, size_t bytes) {
    const struct request *const r = request;
    (void)vp;
    switch (r->kind) {
    case create:
        snprintf(text, bytes, "creates a VP");
        break;
    case send_from_to:
        snprintf(text, bytes, "sends to VP %llu", number(r->partner));
        break;
    case receive_from_to:
        snprintf(text, bytes, "receives from VP %llu", number(r->partner));
        break;
    case send_of_type:
        snprintf(text, bytes, "sends type %d to VP %llu", r->type, number(r->partner));
        break;
    case receive_of_type:
        snprintf(text, bytes, "receives type %d", r->type);
        break;
    case begin_singleton:
        describe_keyed(state, r->kind, "wants the singleton", r, text, bytes);
        break;
    case atomically:
        snprintf(text, bytes, "runs a function atomically");
        break;
    case begin_transaction:
        describe_keyed(state, r->kind, "begins the transaction", r, text, bytes);
        break;
    case end_singleton:
    case end_transaction:
        snprintf(text, bytes, "ends %p", r->key);
        break;
    }
}

/* ---- What programs call: a request on the caller's stack ---- */

static bool belongs(const sg_vp *me, const char *function) {
    return sg_vms_belongs(me, handle, "ssr", function);
}

int sg_ssr_run(const sg_vms_options *options, sg_vms_function function, void *argument) {
    static const sg_vms_plugin plugin = {"ssr", handle, sg_vms_first_come, describe,
                                         sizeof(struct mailbox)};
    struct ssr state = {NULL, 0, 0};
    return sg_vms_run(&plugin, &state, options, function, argument);
}

static sg_vp *create_vp(unsigned core, sg_vms_function function, void *argument, sg_vp *animating) {
    struct request r = {.kind = create, .core = core, .function = function, .message = argument};
    return sg_vms_send(animating, &r);
}

sg_vp *sg_ssr_create_on(unsigned core, sg_vms_function function, void *argument, sg_vp *animating) {
    return belongs(animating, "sg_ssr_create_on") ? create_vp(core, function, argument, animating)
                                                  : NULL;
}

sg_vp *sg_ssr_create(sg_vms_function function, void *argument, sg_vp *animating) {
    return belongs(animating, "sg_ssr_create")
               ? create_vp(SG_VMS_ANYWHERE, function, argument, animating)
               : NULL;
}

void sg_ssr_send_from_to(void *message, sg_vp *animating, sg_vp *to) {
    if (!belongs(animating, "sg_ssr_send_from_to"))
        return;
    struct request r = {.kind = send_from_to, .partner = to, .message = message};
    sg_vms_request(animating, &r);
}

void *sg_ssr_receive_from_to(sg_vp *from, sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_receive_from_to"))
        return NULL;
    struct request r = {.kind = receive_from_to, .partner = from};
    return sg_vms_request(animating, &r);
}

void sg_ssr_send_of_type_to(void *message, sg_vp *animating, int type, sg_vp *to) {
    if (!belongs(animating, "sg_ssr_send_of_type_to"))
        return;
    struct request r = {.kind = send_of_type, .type = type, .partner = to, .message = message};
    sg_vms_request(animating, &r);
}

void *sg_ssr_receive_of_type(int type, sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_receive_of_type"))
        return NULL;
    struct request r = {.kind = receive_of_type, .type = type};
    return sg_vms_request(animating, &r);
}

void *sg_ssr_singleton(const void *key, void *(*function)(void *), void *argument,
                       sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_singleton"))
        return NULL;
    struct request begin = {.kind = begin_singleton, .key = key, .plain_function = function};
    void *const known = sg_vms_request(animating, &begin);
    if (!begin.must_run)
        return known;
    void *const result = function(argument);
    struct request end = {.kind = end_singleton, .key = key, .message = result};
    sg_vms_request(animating, &end);
    return result;
}

void *sg_ssr_atomically(void *(*function)(void *), void *argument, sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_atomically"))
        return NULL;
    struct request r = {.kind = atomically, .plain_function = function, .message = argument};
    return sg_vms_request(animating, &r);
}

void sg_ssr_begin_transaction(const void *key, sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_begin_transaction"))
        return;
    struct request r = {.kind = begin_transaction, .key = key};
    sg_vms_request(animating, &r);
}

void sg_ssr_end_transaction(const void *key, sg_vp *animating) {
    if (!belongs(animating, "sg_ssr_end_transaction"))
        return;
    struct request r = {.kind = end_transaction, .key = key};
    sg_vms_request(animating, &r);
}
