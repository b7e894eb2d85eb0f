/* SPDX-License-Identifier: MIT */
/*
 * The owner's pop against thieves: README.md, "Pop and steal".
 *
 * One deque, its owner and two thieves, each with a store buffer. The owner runs a function that
 * spawns (slot 0) a function that spawns twice (slot 1, the same frame both times), and then, on
 * the deque as new, one that pushes twice, whether or not the first was taken. As long as the owner
 * runs, thieves try, or make it ask as a worker does that goes to sleep.
 *
 * Checked: each frame that is pushed is taken exactly once, by its owner or by a thief; a thief
 * copies the variables of the very spawn that it takes; what is older than a taken frame is taken;
 * all come to their end.
 *
 * -DFALLBACK: a kernel without membarrier. Else the thief's fence is everybody's.
 */

#define CPUS 3
#define BUFFERED 4
#define OWNER 0

/* Cells. A slot holds 0 or 1, the address of the owner's frame there; a frame the number of the
 * spawn that it was saved for. */
#define SLOT 0 /* three; nothing is pushed in the last */
#define FRAME 3
#define EXC 5
#define LOCK 6
#define CELLS 7

#define AHEAD 1

#include "tso.pml"
#include "steal_end.pml"

#define SPAWNS 6 /* from 1 on */

bool pushed[SPAWNS];
bool taken[SPAWNS];
bool owner_is_done;

inline take(spawn) {
    d_step {
        assert(pushed[spawn] && !taken[spawn]);
        taken[spawn] = true
    }
}

/* A clone saves its variables, and sg_push. */
inline push(slot, spawn) {
    pushed[spawn] = true;
#ifdef BUG_push_before_saving
    store(OWNER, SLOT + slot, 1);
    store(OWNER, FRAME + slot, spawn)
#else
    store(OWNER, FRAME + slot, spawn);
    store(OWNER, SLOT + slot, 1)
#endif
}

/* frame_is_gone. */
inline frame_is_gone(slot) {
    acquire(OWNER, LOCK);
    gone = head > slot;
    if
#ifndef BUG_gone_does_not_restart
    :: gone -> restart_at(slot)
#endif
    :: else -> answer(slot)
    fi;
    release(OWNER, LOCK)
}

/* sg_pop, and frame_is_gone if `exc` is above the slot. Leaves `gone`. */
inline pop(slot, spawn) {
#ifdef BUG_pop_loads_first
    exc = load(OWNER, EXC);
    store(OWNER, SLOT + slot, 0);
#else
    store(OWNER, SLOT + slot, 0);
    exc = load(OWNER, EXC);
#endif
    gone = false;
    if
    :: exc > slot -> frame_is_gone(slot)
    :: else
    fi;
    exc = 0;
    if
    :: !gone -> take(spawn)
    :: else
    fi
}

proctype owner() {
    byte exc;
    bool gone;
    push(0, 1);
    push(1, 2);
    if
    :: true ->
        /* sg_wake */
        acquire(OWNER, LOCK);
        expect_thieves();
        release(OWNER, LOCK)
    :: true
    fi;
    pop(1, 2);
    if
    :: !gone ->
        push(1, 3);
        pop(1, 3)
    :: else
    fi;
    if
    :: gone ->
        /* It unwinds: all that is older is gone as well. */
        pop(0, 1);
        assert(gone)
    :: else -> pop(0, 1)
    fi;
    /* deque::reset, before the next flow; and expect_thieves. */
    acquire(OWNER, LOCK);
    start(0);
    release(OWNER, LOCK);
    push(0, 4);
    pop(0, 4);
    /* C++: who finds its closure gone joins it, and pushes in the same slot again. */
    push(0, 5);
    pop(0, 5);
    owner_is_done = true
}

/* take_frame, of the only deque there is: the slot is public. */
inline take_frame(slot) {
    spawn = load(me, FRAME + slot);
    take(spawn);
    spawn = 0;
    pass_to(me, slot + 1);
    release(me, LOCK)
}

/* try_to_steal: one try. */
inline try_to_steal() {
#ifndef BUG_thieves_without_lock
    acquire(me, LOCK);
#endif
    slot = head;
    if
    :: load(me, SLOT + slot) == 0 -> release(me, LOCK)
    :: else ->
        if
#ifdef BUG_open_raised_without_a_fence
        :: true ->
            open = highest(open, slot + 1);
            take_frame(slot)
#endif
        :: is_public(slot) -> take_frame(slot)
        :: else ->
            wait_for_owner(me);
#ifdef BUG_no_second_look
            acquire(me, LOCK);
            if
            :: is_public(slot) && head == slot -> take_frame(slot)
            :: else -> release(me, LOCK)
            fi
#endif
        fi
    fi;
    slot = 0
}

proctype thief(byte me) {
    byte slot, spawn, any;
    do
    :: !owner_is_done -> make_ask(me)
    :: !owner_is_done -> try_to_steal()
    :: owner_is_done -> break
    od
}

init {
    byte spawn;
    atomic {
        start_row();
        start_memory();
        run owner();
        run thief(1);
        run thief(2)
    }
    /* The processes that drain the buffers stay. */
    _nr_pr == 1 + CPUS;
    for (spawn : 1 .. SPAWNS - 1) {
        assert(pushed[spawn] == taken[spawn])
    }
}
