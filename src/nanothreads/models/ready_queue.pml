/* SPDX-License-Identifier: MIT */
/*
 * A ready queue, its owner and two thieves: README.md, "The ready queue".
 *
 * The owner pushes two threads and pops until it finds none; each thief steals once, at any moment.
 * What is in the queue is one number in memory, read and written back by whoever is inside.
 *
 * By default the owner's fence is the compiler's only and the thief's is membarrier; with -DFALLBACK
 * both are their own processor's.
 *
 * Checked: nobody is inside together; each thread is taken once; nobody waits for ever.
 */

#define OWNER 0
#define THIEVES 2
#define CPUS 3
#define BUFFERED 3

#define SIZE 0
#define INSIDE 1
#define WANTED 2
#define LOCK 3
#define CELLS 4

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

/* ready_queue::enter and enter_after_thief. */
inline enter() {
    do
    :: store(OWNER, INSIDE, 1);
        near_fence();
#ifdef BUG_owner_does_not_look
        break
#else
        if
        :: load(OWNER, WANTED) == 0 -> break
        :: else ->
#ifndef BUG_owner_waits_inside
            store(OWNER, INSIDE, 0);
#endif
            load(OWNER, WANTED) == 0
        fi
#endif
    od;
    inside++;
    assert(inside == 1)
}

inline leave() {
    inside--;
    store(OWNER, INSIDE, 0)
}

active proctype owner() {
    byte seen;
    byte pushed = 0;
    do
    :: pushed < 2 ->
        enter();
        seen = load(OWNER, SIZE);
        store(OWNER, SIZE, seen + 1);
        leave();
        pushed++
    :: pushed == 2 ->
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

/* ready_queue::steal. A thief that finds another at it gives up, and may as well wait here. */
proctype thief(byte me) {
    byte seen;
#ifndef BUG_thieves_without_lock
    acquire(me, LOCK);
#endif
    store(me, WANTED, 1);
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
    inside--;
    store(me, WANTED, 0);
#ifndef BUG_thieves_without_lock
    release(me, LOCK);
#endif
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
    assert(taken == 2);
    assert(memory[SIZE] == 0)
}
