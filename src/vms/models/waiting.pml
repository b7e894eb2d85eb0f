/* SPDX-License-Identifier: MIT */
/*
 * Cores that wait, and VPs that go from core to core: README.md.
 *
 * Each of the VPs makes a few requests; the handler then does one of all the things that it may do
 * and that do not leave everybody blocked. A VP ends when it has made them all. The first VP is
 * ready at the beginning, the others are blocked; all cores wait.
 *
 * With OUTSIDE there are two holds, and two threads outside post once each. What is posted resumes any
 * VPs. The run returns when its cores have ended and there is neither hold nor visitor.
 *
 * Checked: all cores come to their end, with all VPs ended; no VP runs on two cores, or is continued
 * before it has been left; while a core waits, nothing is ready that nobody has been offered; a thread outside
 * does not touch an instance whose run has returned.
 *
 * Abstracted: memory is sequentially consistent, because everything is under the master lock, or
 * handed over by an exchange of the wake word. For the first reason what the Master does in one visit
 * is one step. The scheduler takes any VP that is ready.
 */

#ifdef OUTSIDE
#define CORES 2
#define SOME_CORE_WAITS (is_waiting[0] || is_waiting[1])
#else
#define CORES 3
#define SOME_CORE_WAITS (is_waiting[0] || is_waiting[1] || is_waiting[2])
#endif
#define VPS 3
#ifndef REQUESTS
#define REQUESTS 1
#endif

#define NOBODY 255

/* States of VPs. */
#define BLOCKED 0
#define READY 1
#define ANIMATED 2
#define ENDED 3

/* Wake words. */
#define WAITS 0
#define SLEEPS 1
#define WOKEN 2

bit lock_held;
byte state[VPS];
byte made[VPS];     /* requests */
bool is_left[VPS];  /* its context is saved: it may be continued */
byte wake[CORES];
bool in_kernel[CORES]; /* sleeps on its wake word */
bool is_waiting[CORES];
byte slot[CORES];
bool has_stopped;
byte held;         /* holds */
byte visitors;     /* threads inside sg_vms_post */
byte ended_cores;
bool has_returned; /* the run: the instance is gone */

inline lock() {
    atomic { lock_held == 0 -> lock_held = 1 }
}

inline unlock() {
    lock_held = 0
}

#define COUNT(s) ((state[0] == s) + (state[1] == s) + (state[2] == s))

/* Ready -> Animated, any: `v`, or NOBODY. */
inline choose(v) {
    if
    :: state[0] == READY -> v = 0
    :: state[1] == READY -> v = 1
    :: state[2] == READY -> v = 2
    :: COUNT(READY) == 0 -> v = NOBODY
    fi;
    if
    :: v != NOBODY -> state[v] = ANIMATED
    :: else
    fi
}

inline mark_to_wake(c) {
    is_waiting[c] = false;
    to_wake[c] = true
}

inline offer() {
    c = 0;
    do
    :: c < CORES ->
        if
        :: is_waiting[c] ->
            choose(v);
            if
            :: v != NOBODY ->
                slot[c] = v;
                mark_to_wake(c)
            :: else
            fi
        :: else
        fi;
        c++
    :: else -> break
    od
}

inline stop() {
    has_stopped = true;
    c = 0;
    do
    :: c < CORES ->
        if
        :: is_waiting[c] ->
            slot[c] = NOBODY;
#ifdef BUG_stop_wakes_nobody
            is_waiting[c] = false
#else
            mark_to_wake(c)
#endif
        :: else
        fi;
        c++
    :: else -> break
    od
}

/* The handler. What would leave everybody blocked it does not do. */
inline handle(self) {
    state[self] = BLOCKED;
    made[self]++;
    if
    :: made[self] > REQUESTS -> state[self] = ENDED
    :: else
    fi;
    if
    :: state[self] == BLOCKED -> state[self] = READY
    :: state[self] == BLOCKED && COUNT(ANIMATED) + COUNT(READY) + held > 0 -> skip
    :: state[self] == ENDED -> skip
    fi;
    /* Others are resumed, or not; the last one that could resume them does. */
    v = 0;
    do
    :: v < VPS && v != self && state[v] == BLOCKED -> state[v] = READY; v++
    :: v < VPS && (v == self || state[v] != BLOCKED ||
                   COUNT(ANIMATED) + COUNT(READY) + held > 0) -> v++
    :: v == VPS -> break
    od
}

inline wait_for_work() {
#ifndef BUG_reset_after_the_lock
    wake[me] = WAITS;
#endif
    is_waiting[me] = true
}

/* `release`: the lock, then whom the Master has given something to do. */
inline release() {
    unlock();
    c = 0;
    do
    :: c < CORES ->
        if
        :: to_wake[c] ->
            to_wake[c] = false;
            atomic {
                seen = wake[c];
                wake[c] = WOKEN
            };
            if
            :: seen == SLEEPS -> in_kernel[c] = false /* futex_wake */
            :: else
            fi
        :: else
        fi;
        c++
    :: else -> break
    od;
    c = 0;
    seen = 0;
    v = 0
}

/* What `visit` does, for a core whose VP `self` is suspended: the next one is `next`. */
inline visit(self) {
    handle(self);
    choose(next);
#ifndef BUG_offers_nothing
    offer();
#endif
    /* Nothing is ready while a core waits. */
    assert(COUNT(READY) == 0 || !SOME_CORE_WAITS);
    if
    :: next == NOBODY ->
        wait_for_work();
        if
#ifdef BUG_ends_with_a_hold
        :: COUNT(ENDED) == VPS -> stop()
#else
        :: COUNT(ENDED) == VPS && held == 0 -> stop()
#endif
        :: else -> assert(COUNT(ANIMATED) + held > 0)
        fi
    :: else
    fi
}

/* What sg_vms_post does under the lock. Where nothing else will come, all go on. */
inline post() {
    assert(held > 0 && !has_stopped && !has_returned);
    v = 0;
    do
    :: v < VPS && state[v] == BLOCKED -> state[v] = READY; v++
    :: v < VPS && (state[v] != BLOCKED || COUNT(ANIMATED) + COUNT(READY) + held > 1) -> v++
    :: v == VPS -> break
    od;
    held--;
#ifndef BUG_post_offers_nothing
    offer();
#endif
    assert(COUNT(READY) == 0 || !SOME_CORE_WAITS);
    if
#ifndef BUG_post_does_not_end
    :: COUNT(ANIMATED) == 0 && held == 0 -> assert(COUNT(ENDED) == VPS); stop()
#endif
    :: else
    fi
}

#ifdef OUTSIDE
active [2] proctype outsider() {
    byte v, c, seen;
    bool to_wake[CORES];
    atomic { held > 0 -> visitors++ };
    lock();
    atomic { post() };
    release();
    assert(!has_returned);
    visitors--
}

/* sg_vms_run: the cores are joined. */
active proctype runner() {
    ended_cores == CORES;
    held == 0;
#ifndef BUG_waits_for_no_visitor
    visitors == 0;
#endif
    has_returned = true
}
#endif

proctype core(byte me) {
    byte self = NOBODY, next = NOBODY, v, c, seen;
    bool to_wake[CORES];
wait:
    /* Spins, and then sleeps. */
    do
    :: wake[me] == WOKEN -> goto woken
    :: wake[me] != WOKEN -> break
    od;
#ifdef BUG_sleeps_by_a_store
    if
    :: wake[me] == WAITS -> wake[me] = SLEEPS
    :: else
    fi;
#else
    atomic {
        if
        :: wake[me] == WAITS -> wake[me] = SLEEPS
        :: else
        fi
    };
#endif
    do
    :: wake[me] == WOKEN -> break
    :: else ->
#ifdef BUG_sleeps_without_a_look
        in_kernel[me] = true;
#else
        /* futex_wait compares. */
        atomic {
            if
            :: wake[me] == SLEEPS -> in_kernel[me] = true
            :: else
            fi
        };
#endif
        !in_kernel[me]
    od;
woken:
    self = slot[me];
    if
    :: self == NOBODY -> goto end_core
    :: else
    fi;
    do
    :: /* continues it */
        assert(is_left[self]);
        is_left[self] = false;
again:
        lock();
        atomic { visit(self) };
        if
        :: next == self -> release(); goto again
        :: else
        fi;
        /* Leaves it, and whoever goes on arrives. */
#ifdef BUG_releases_before_it_leaves
        release();
        is_left[self] = true;
#else
        is_left[self] = true;
        release();
#endif
        if
        :: next == NOBODY ->
#ifdef BUG_reset_after_the_lock
            wake[me] = WAITS;
#endif
            break
        :: else -> self = next
        fi
    od;
    goto wait;
end_core:
    assert(has_stopped && COUNT(ENDED) == VPS);
    ended_cores++
}

init {
    byte c;
    atomic {
#ifdef OUTSIDE
        held = 2;
        state[2] = ENDED; /* two are enough */
#endif
        for (c : 0 .. CORES - 1) {
            is_waiting[c] = c != 0;
            slot[c] = NOBODY
        }
        for (c : 0 .. VPS - 1) {
            is_left[c] = true
        }
        /* start_first */
        state[0] = ANIMATED;
        slot[0] = 0;
        wake[0] = WOKEN;
        for (c : 0 .. CORES - 1) {
            run core(c)
        }
    }
}
