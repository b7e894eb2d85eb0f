/* SPDX-License-Identifier: MIT */
/*
 * A ready queue, its owner and two thieves: README.md, "The ready queue".
 *
 * The owner pushes three threads and pops until it finds none; each thief steals STEALS times, at any
 * moments: it asks, and at any later moment takes what the owner has given, or what is there, or gives
 * up because there is nothing. What is in the queue is one number in memory, read and written back by
 * whoever is inside.
 *
 * By default the owner's fence is the compiler's only and the thief's is membarrier; with -DFALLBACK
 * both are their own processor's.
 *
 * Checked: nobody is inside together; each thread is taken once; the owner keeps the last unless it
 * is taken; nobody waits for ever.
 */

#define OWNER 0
#define THIEVES 2
#define CPUS 3
#define BUFFERED 3
#define PUSHED 3
#ifndef STEALS
#define STEALS 1 /* two take ten times as long */
#endif

#define SIZE 0
#define INSIDE 1
#define REQUEST 2
#define GIFT 3
#define LOCK 4
#define CELLS 5

/* What a request is. */
#define NONE 0
#define ASKED 1
#define GIVING 2
#define GIVEN 3
#define TAKEN 4

#include "tso.pml"

byte inside; /* who is between enter and leave */
byte taken;
byte ended;

inline near_fence() {
#if defined(FALLBACK) && !defined(BUG_no_real_fence)
    fence(OWNER)
#else
    skip
#endif
}

/* A compare-and-exchange of REQUEST, which is a fence as well: `found` is what was there. */
inline exchange(cpu, expected, value, found) {
    atomic {
        empty(buffer[cpu]) ->
        found = memory[REQUEST];
        if
        :: found == expected -> memory[REQUEST] = value
        :: else
        fi
    }
}

/* ready_queue::answer, but for the waiting. */
inline answer() {
    seen = load(OWNER, SIZE);
    if
#ifdef BUG_gives_the_last
    :: request == ASKED && seen > 0 ->
        given = (seen + 1) / 2;
#else
    :: request == ASKED && seen > 1 ->
        given = seen / 2;
#endif
#ifdef BUG_gives_without_exchange
        store(OWNER, REQUEST, GIVING);
#else
        exchange(OWNER, ASKED, GIVING, request);
#endif
        if
        :: request == ASKED ->
#ifdef BUG_given_before_the_gift
            store(OWNER, REQUEST, GIVEN);
#endif
            inside++;
            assert(inside == 1);
            store(OWNER, SIZE, seen - given);
            assert(seen > given);
            inside--;
            store(OWNER, GIFT, given);
#ifndef BUG_given_before_the_gift
            store(OWNER, REQUEST, GIVEN)
#endif
        :: else
        fi
    :: else
    fi
}

/* ready_queue::enter and enter_after_thief. */
inline enter() {
    store(OWNER, INSIDE, 1);
    near_fence();
    request = load(OWNER, REQUEST);
    if
    :: request != NONE -> answer()
    :: else
    fi;
#ifndef BUG_owner_does_not_look
    do
    :: request == TAKEN ->
#ifndef BUG_owner_waits_inside
        store(OWNER, INSIDE, 0);
#endif
        load(OWNER, REQUEST) != TAKEN;
        store(OWNER, INSIDE, 1);
        near_fence();
        request = load(OWNER, REQUEST)
    :: else -> break
    od;
#endif
    inside++;
    assert(inside == 1)
}

inline leave() {
    inside--;
    store(OWNER, INSIDE, 0)
}

active proctype owner() {
    byte seen;
    byte request;
    byte given;
    byte pushed = 0;
    do
    :: pushed < PUSHED ->
        enter();
        seen = load(OWNER, SIZE);
        store(OWNER, SIZE, seen + 1);
        leave();
        pushed++
    :: pushed == PUSHED ->
        enter();
        seen = load(OWNER, SIZE);
        if
        :: seen > 0 ->
            store(OWNER, SIZE, seen - 1);
            taken++
        :: else
        fi;
        leave();
        if
        :: seen == 0 -> break
        :: else
        fi
    od;
    ended++
}

/* ready_queue::take */
inline take(me) {
#if defined(FALLBACK)
    fence(me);
#elif !defined(BUG_no_heavy_fence)
    fence(me); /* membarrier begins with it */
    fence(0);
    fence(1);
    fence(2);
#endif
#ifndef BUG_thief_does_not_wait
    load(me, INSIDE) == 0;
#endif
    inside++;
    assert(inside == 1);
    seen = load(me, SIZE);
    store(me, SIZE, seen - (seen + 1) / 2);
    taken = taken + (seen + 1) / 2;
    inside--
}

/* ready_queue::receive */
inline receive(me) {
#ifndef BUG_receives_at_once
    load(me, REQUEST) == GIVEN;
#endif
    taken = taken + load(me, GIFT)
}

/* ready_queue::steal. A thief that finds another at it gives up, and may as well wait here. */
proctype thief(byte me) {
    byte seen;
    byte found;
    byte next;
    byte steals;
    do
    :: steals < STEALS ->
#ifndef BUG_thieves_without_lock
        acquire(me, LOCK);
#endif
        store(me, REQUEST, ASKED);
        next = (load(me, SIZE) == 0 -> NONE : TAKEN);
#ifdef BUG_takes_without_exchange
        found = load(me, REQUEST);
        if
        :: found == ASKED -> store(me, REQUEST, next)
        :: else
        fi;
#else
        exchange(me, ASKED, next, found);
#endif
        if
        :: found == ASKED && next == TAKEN -> take(me)
        :: found == ASKED && next == NONE
        :: found != ASKED -> receive(me)
        fi;
        store(me, REQUEST, NONE);
#ifndef BUG_thieves_without_lock
        release(me, LOCK);
#endif
        found = 0;
        steals++
    :: else -> break
    od;
    ended++
}

init {
    atomic {
        start_memory();
        run thief(1);
        run thief(2)
    }
    ended == 1 + THIEVES;
    fence(0);
    fence(1);
    fence(2);
    assert(taken == PUSHED);
    assert(memory[SIZE] == 0)
}
