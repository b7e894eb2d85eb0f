/* SPDX-License-Identifier: MIT */
/*
 * steal_end.hpp, step by step: which slots of a row thieves may take, and how they ask for more.
 *
 * All but EXC is touched under the lock only, and stands in plain variables: whoever takes the lock
 * finds the stores of the last holder in memory. EXC is a cell of tso.pml, because the owner reads
 * it without the lock.
 *
 * The time is left out. So a request may be overdue at once or never, and an owner that has been
 * asked or robbed answers as it likes: its slots become public, or private.
 *
 * The model that includes this behind tso.pml has the cells EXC and LOCK, the processor OWNER, and
 * defines AHEAD, how many slots become public at once. -DFALLBACK: a kernel without membarrier.
 */

#define everything 9

#define highest(a, b) ((a) > (b) -> (a) : (b))
#define lowest(a, b) ((a) < (b) -> (a) : (b))

/* request */
#define none 0
#define asked 1
#define fencing 2

byte head; /* the oldest slot that has not been taken */
byte open; /* slots below are public */
byte request;
#ifdef BUG_exc_below_open
byte lower;
#endif
/* By thief: no request has been made since its begin_fence. The code compares numbers. */
bool is_last_request[CPUS];

#if defined(FALLBACK) && !defined(BUG_fallback_pops_without_lock)
#define ALWAYS true
#else
#define ALWAYS false
#endif
#ifdef FALLBACK
#define is_public(slot) true
#else
#define is_public(slot) (slot < open)
#endif

inline show_exc(cpu) {
    store(cpu, EXC, (ALWAYS || request != none -> everything : open))
}

/* For the owner. The lock is held. */

inline start(first) {
    d_step {
        head = first;
        request = none
    }
    /* expect_thieves is the second. */
    if
    :: open = first
    :: open = first + AHEAD
    fi;
    show_exc(OWNER)
}

inline answer(popped) {
    request = none;
    if
    :: open = head + AHEAD;
       show_exc(OWNER)
    :: true ->
#if defined(BUG_exc_below_open)
        lower = highest(head, lowest(open, popped));
        store(OWNER, EXC, lower)
#elif defined(BUG_exc_lowered_to_the_head)
        open = highest(head, lowest(open, popped));
        store(OWNER, EXC, head)
#else
        open = highest(head, lowest(open, popped));
        show_exc(OWNER)
#endif
    fi
}

inline expect_thieves() {
#ifdef BUG_expected_thieves_find_exc_below_open
    open = highest(open, head + AHEAD)
#else
    open = highest(open, head + AHEAD);
    show_exc(OWNER)
#endif
}

inline restart_at(first) {
    d_step {
        head = first;
        open = first
    }
    answer(first)
}

/* For thieves and others. The lock is held. */

inline ask_anew(cpu) {
    d_step {
        for (any : 0 .. CPUS - 1) {
            is_last_request[any] = false
        }
        any = 0;
        request = asked;
#ifdef BUG_a_request_makes_public
        open = highest(open, head + AHEAD)
#endif
    }
#ifndef BUG_exc_is_not_raised
    show_exc(cpu)
#endif
}

inline ask(cpu) {
    if
    :: request == none -> ask_anew(cpu)
    :: else
    fi
}

inline begin_fence(cpu) {
    d_step {
        request = fencing;
        is_last_request[cpu] = true;
#ifdef BUG_public_before_the_fence
        open = highest(open, head + AHEAD)
#endif
    }
}

#ifdef BUG_fence_without_number
#define is_for_last_request(cpu) true
#else
#define is_for_last_request(cpu) is_last_request[cpu]
#endif
#ifdef BUG_fence_after_the_answer
#define is_fencing true
#else
#define is_fencing (request == fencing)
#endif

inline end_fence(cpu) {
    if
    :: is_for_last_request(cpu) && is_fencing ->
        d_step {
            request = none;
            open = highest(open, head + AHEAD)
        }
        show_exc(cpu)
    :: else
    fi
}

inline pass_to(cpu, next) {
    d_step {
        head = next;
        open = highest(open, next)
    }
#ifdef BUG_a_theft_hides_a_request
    store(cpu, EXC, open)
#else
    show_exc(cpu)
#endif
}

/* platform::heavy_fence, of one of two thieves. */
inline heavy_fence(cpu) {
#ifndef BUG_no_fence
    fence(cpu);
#ifndef BUG_no_heavy_fence
    fence(OWNER);
    fence(3 - cpu); /* the other thief's processor */
#endif
#endif
    skip
}

/* wait_for_owner: asks, or pays the fence for a request that is overdue. Releases the lock. */
inline wait_for_owner(cpu) {
    if
    :: request == asked ->
        begin_fence(cpu);
        release(cpu, LOCK);
        heavy_fence(cpu);
        acquire(cpu, LOCK);
        end_fence(cpu)
    :: true -> ask(cpu)
    fi;
    release(cpu, LOCK)
}

/* make_ask, as a worker does that goes to sleep. */
inline make_ask(cpu) {
    acquire(cpu, LOCK);
    ask(cpu);
    release(cpu, LOCK)
}

/* In an atomic block of init. */
inline start_row() {
    memory[EXC] = (ALWAYS -> everything : 0)
}
