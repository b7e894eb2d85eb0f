/* SPDX-License-Identifier: MIT */
/*
 * The limits of loops: README.md, "Ranges"; src/forkjoin/range.cpp and run_range in detail/loop.hpp.
 *
 * One deque, its owner, a thief, and one that asks and fences like a thief but takes nothing, each
 * with a store buffer. The owner runs LOOPS loops of one to LONGEST iterations, one after the other,
 * whose frames lie in the same memory. With -DNESTED it runs a loop of two iterations, each of which
 * runs a loop of two in the slot above. Each loop may throw or be left in any iteration. As long as
 * the owner runs, the others try; the asker, only with a single loop. The part that a thief takes
 * counts as run at once.
 *
 * Checked: each iteration runs once, and none is left out, unless the loop throws or is left; no
 * thief looks at a frame that is gone or writes to its memory, which the owner uses for something
 * else; an owner that ends a loop knows whether something was taken; all come to their end.
 *
 * -DFALLBACK: a kernel without membarrier. Else the thief's fence is everybody's.
 */

#ifndef LOOPS
#define LOOPS 1
#endif
#ifndef LONGEST
#define LONGEST 3
#endif

#define CPUS 3
#define BUFFERED 3
#define OWNER 0

/* Cells. A slot holds 0 or 1, the address of the owner's frame there. */
#define SLOT 0 /* three; nothing is pushed in the last */
#define NEXT 3
#define LIMIT 5
#define TAKEN 7
#define EXC 9
#define LOCK 10
#define CELLS 11

#define AHEAD 1

#include "tso.pml"
#include "steal_end.pml"

#ifdef FALLBACK
#define ask_at_each_step true
#else
#define ask_at_each_step false
#endif

/* What is in a frame's memory when the owner uses it for something else. */
#define other_use 7

byte end[2]; /* range_frame::end, under the lock */
bool there[2]; /* the frame */
bool is_taken_from[2];
byte has_run[2]; /* a bit for each iteration */
bool owner_is_done;

#define bits(from, to) ((1 << to) - (1 << from))

inline run_iterations(f, from, to) {
    d_step {
        assert(from < to && to <= 3);
        assert((has_run[f] & bits(from, to)) == 0);
        has_run[f] = has_run[f] | bits(from, to)
    }
}

/* The middle of what is left behind `now`. */
#define middle_behind(now, last) (now + 1 + (last - now - 1) / 2)

/* -- The owner. `i`, `last` and `limit` are its variables for the loop in slot `f`. */

/* The constructor of the frame, and the push. */
inline begin_loop(f, steps) {
    i[f] = 0;
    last[f] = steps;
    there[f] = true;
    has_run[f] = 0;
    end[f] = steps;
    /* first_limit. */
    seen = load(OWNER, EXC);
    d_step {
        if
        :: ask_at_each_step -> limit = 0
        :: !ask_at_each_step && seen <= f -> limit = last[f]
#ifdef BUG_first_limit_one_more
        :: !ask_at_each_step && seen > f -> limit = middle_behind(0, last[f]) + 1
#else
        :: !ask_at_each_step && seen > f -> limit = middle_behind(0, last[f])
#endif
        fi;
        seen = 0
    }
    store(OWNER, NEXT + f, 0);
    store(OWNER, LIMIT + f, limit);
    store(OWNER, SLOT + f, 1);
    limit = 0
}

#ifdef BUG_enters_the_limit
#define comes_to_the_limit(at) (at > limit)
#else
#define comes_to_the_limit(at) (at >= limit)
#endif

/* enter_iteration, and what follows the body. Leaves `goes_on`. */
inline step(f) {
    i[f]++;
#ifdef BUG_loads_the_limit_first
    limit = load(OWNER, LIMIT + f);
    store(OWNER, NEXT + f, i[f]);
#else
    store(OWNER, NEXT + f, i[f]);
    limit = load(OWNER, LIMIT + f);
#endif
    goes_on = true;
    if
    :: !comes_to_the_limit(i[f])
    :: comes_to_the_limit(i[f]) && limit == last[f] -> goes_on = false
    :: comes_to_the_limit(i[f]) && limit != last[f] -> range_goes_on(f, i[f])
    fi;
    limit = 0
}

inline range_goes_on(f, at) {
    acquire(OWNER, LOCK);
    answer(head);
#ifdef BUG_goes_on_at_the_end
    goes_on = (at <= end[f]);
#else
    goes_on = (at < end[f]);
#endif
    if
    :: goes_on && !ask_at_each_step && open > head ->
        /* expects_thieves */
        limit = middle_behind(at, end[f]);
        store(OWNER, LIMIT + f, limit)
    :: goes_on && !ask_at_each_step && open <= head ->
        store(OWNER, LIMIT + f, end[f])
    :: else
    fi;
    release(OWNER, LOCK)
}

/* The pop of a frame of which nothing is left, or that is left early. */
inline end_loop(f) {
    store(OWNER, SLOT + f, 0);
    seen = load(OWNER, EXC);
    if
#ifndef BUG_pop_does_not_ask
    :: seen > f -> frame_is_gone(f)
#endif
    :: else
    fi;
    seen = 0;
    if
    :: left_early -> left_early = false
    :: else -> assert(has_run[f] == bits(0, last[f]))
    fi;
    /* join_range, if there is a record. */
    d_step {
        assert(load(OWNER, TAKEN + f) == is_taken_from[f]);
        is_taken_from[f] = false;
        there[f] = false
    }
    if
    :: load(OWNER, TAKEN + f) == 1 -> store(OWNER, TAKEN + f, 0)
    :: else
    fi;
    store(OWNER, LIMIT + f, other_use)
}

inline frame_is_gone(slot) {
    acquire(OWNER, LOCK);
    if
    :: head > slot -> restart_at(slot)
    :: else -> answer(slot)
    fi;
    release(OWNER, LOCK)
}

/* The memory is the owner's. */
inline check_memory(f) {
    assert(load(OWNER, LIMIT + f) == other_use)
}

#ifdef NESTED
proctype owner() {
    byte i[2], last[2];
    byte limit, seen;
    bool goes_on, left_early;
    begin_loop(0, 2);
    do
    :: run_iterations(0, i[0], i[0] + 1);
        begin_loop(1, 2);
        do
        :: run_iterations(1, i[1], i[1] + 1);
            if
            :: true ->
                step(1);
                if
                :: goes_on
                :: else -> break
                fi
            :: left_early = true;
                break
            fi
        od;
        end_loop(1);
        check_memory(1);
        if
        :: true ->
            step(0);
            if
            :: goes_on
            :: else -> break
            fi
        :: left_early = true;
            break
        fi
    od;
    end_loop(0);
    check_memory(0);
    owner_is_done = true
}
#else
proctype owner() {
    byte i[2], last[2];
    byte limit, seen, loops, length;
    bool goes_on, left_early;
    do
    :: loops < LOOPS ->
        loops++;
        select(length : 1 .. LONGEST);
        begin_loop(0, length);
        length = 0;
        do
        :: run_iterations(0, i[0], i[0] + 1);
            if
            :: true ->
                step(0);
                if
                :: goes_on
                :: else -> break
                fi
            :: left_early = true;
                break
            fi
        od;
        end_loop(0);
        check_memory(0)
    :: else -> break
    od;
    owner_is_done = true
}
#endif

/* -- Thieves. The lock is held; the loop in slot `f`. */

/* where_cut_begins. */
inline find_cut(f) {
    now = load(me, NEXT + f);
#ifdef BUG_cut_at_the_owner
    middle = now + (end[f] - now - 1) / 2;
#else
    /* An owner that asks may just have announced the end. */
    middle = (now < end[f] -> middle_behind(now, end[f]) : end[f]);
#endif
    limit = load(me, LIMIT + f);
    d_step {
        if
        :: ask_at_each_step -> from = middle
        :: !ask_at_each_step && limit == 0 ->
#ifdef BUG_trusts_a_zero_limit
            from = middle
#else
            from = (request != none -> end[f] : middle)
#endif
#ifdef BUG_cut_below_the_limit
        :: !ask_at_each_step && limit > 0 -> from = middle
#else
        :: !ask_at_each_step && limit > 0 ->
            from = (limit > middle -> limit : middle);
            from = (from > end[f] -> end[f] : from)
#endif
        fi
    }
}

/* ask_owner. */
inline ask_owner(f) {
    if
    :: limit != 0 ->
        store(me, LIMIT + f, 0);
#ifdef BUG_request_is_not_renewed
        ask(me)
#else
        ask_anew(me)
#endif
    :: else
    fi
}

/* take_half, of a slot that is public; then what try_to_steal does. */
inline take_half(f) {
    assert(there[f]);
    now = load(me, NEXT + f);
    assert(now <= end[f]);
    if
    :: end[f] - now <= 1 ->
        pass_to(me, f + 1); /* exhausted */
        release(me, LOCK)
    :: else ->
        find_cut(f);
        if
        :: from == end[f] ->
            ask_owner(f);
            wait_for_owner(me)
        :: else ->
            run_iterations(f, from, end[f]);
            end[f] = from;
            if
            :: !is_taken_from[f] ->
                is_taken_from[f] = true;
                store(me, TAKEN + f, 1)
            :: else
            fi;
            pass_to(me, f); /* shared: take_up_to */
            release(me, LOCK)
        fi
    fi;
    d_step {
        now = 0;
        middle = 0;
        limit = 0;
        from = 0
    }
}

/* try_to_steal: one try. */
inline try_to_steal() {
    acquire(me, LOCK);
    slot = head;
    if
    :: load(me, SLOT + slot) == 0 -> release(me, LOCK)
    :: else ->
        if
        :: is_public(slot) -> take_half(slot)
        :: else ->
#ifdef BUG_limit_before_its_slot_is_public
            store(me, LIMIT + slot, 0);
#endif
            wait_for_owner(me)
        fi
    fi;
    slot = 0
}

proctype thief(byte me) {
    byte slot, now, middle, limit, from, any;
    do
    :: !owner_is_done -> try_to_steal()
    :: owner_is_done -> break
    od
}

/* One that takes nothing. */
proctype asker(byte me) {
    byte any;
    do
    :: !owner_is_done ->
        acquire(me, LOCK);
        wait_for_owner(me)
    :: owner_is_done -> break
    od
}

init {
    atomic {
        start_row();
        start_memory();
        run owner();
        run thief(1);
#if LOOPS == 1 && !defined(NESTED)
        run asker(2)
#endif
    }
    /* The processes that drain the buffers stay. */
    _nr_pr == 1 + CPUS && empty(buffer[0]) && empty(buffer[1]) && empty(buffer[2]);
    assert(memory[LIMIT] == other_use)
}
