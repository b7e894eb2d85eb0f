/* SPDX-License-Identifier: MIT */
/*
 * Idle workers and who wakes them: README.md, "Sleeping and waking".
 *
 * Three workers, and a thread outside that submits a root and, when that is done, stops the
 * workers. Whoever takes the root pushes two frames, one after the other, and never pops: the root
 * ends when both are under way, so both other workers must steal, and a wake-up that is lost is an
 * end that is none. When the root comes the workers may sleep, or be anywhere on their way there.
 *
 * By default the root is C++: it looks at sg_sleepers after each push, and no sleeper ever wakes up
 * by himself. With -DCLONES the root is a C clone: it does not look, and a sleeper that saw a root
 * under way naps: it may wake up by himself at any time. With -DFALLBACK (a kernel without
 * membarrier) the root looks, but the sleeper's fence is its own only, and sleepers nap as well.
 *
 * Checked: all come to their end; no sleeper and no ticket is left over.
 *
 * Abstracted: a steal is one step (see pop_and_steal.pml) and finds what there is; so is taking the
 * root, under its lock. Pops do not ask on behalf of sleepers: without that the root must go on as
 * well.
 */

#define WORKERS 3
#define OUTSIDE 3
#define CPUS 4
#define BUFFERED 2

/* Cells, for plain stores. `any_root_` and `under_way_` are, too: that a sequentially consistent
 * store and a relaxed addition are fences on x86-64 is not made use of. */
#define SLOT 0 /* two */
#define ANY_ROOT 2
#define STOPPING 3
#define UNDER_WAY 4
#define CELLS 5

#include "tso.pml"

/* Changed by read-modify-write operations only. */
byte sleepers; /* sg_sleepers */
byte tickets;

bool root_is_done;
byte head; /* of the deque of the flow that runs the root; under its lock */
bool in_kernel[WORKERS]; /* who sleeps on `tickets` */

/* take_one: nothing is written if there is none. */
inline take_one(count, won) {
    atomic {
        if
        :: count == 0 -> won = false
        :: count != 0 && empty(buffer[me]) ->
            count--;
            won = true
        fi
    }
}

/* futex_wake(tickets, 1): the kernel chooses. */
inline futex_wake_one() {
    atomic {
        if
        :: in_kernel[0] -> in_kernel[0] = false
        :: in_kernel[1] -> in_kernel[1] = false
        :: in_kernel[2] -> in_kernel[2] = false
        :: !in_kernel[0] && !in_kernel[1] && !in_kernel[2]
        fi
    }
}

/* sg_wake. */
inline wake() {
    take_one(sleepers, won);
    if
    :: won ->
#ifdef BUG_waker_leaves_the_count
        sleepers++;
#endif
        tickets++;
        futex_wake_one();
        won = false
    :: else
    fi
}

/* wake_if_any_sleeps, and the end of detail::push. */
inline wake_if_any_sleeps() {
    if
    :: sleepers != 0 -> wake()
    :: else
    fi
}

inline push(slot) {
    store(me, SLOT + slot, 1);
#if !defined(CLONES) && !defined(BUG_push_does_not_look)
    wake_if_any_sleeps()
#endif
}

/* runtime::run_root, with the user's code. */
inline run_root() {
    push(0);
    push(1);
    head == 2;
    store(me, UNDER_WAY, 0);
    root_is_done = true
}

/* deque::oldest. */
#define something_to_steal (head < 2 && load(me, SLOT + head) != 0)

/* futex_wait(tickets, 0, nap): compares and sleeps in one step. Leaves `time_is_up`. */
inline futex_wait(may_nap) {
    atomic {
        if
        :: tickets == 0 -> in_kernel[me] = true
        :: else
        fi
    }
    atomic {
        if
        :: !in_kernel[me] -> time_is_up = false
        :: may_nap && in_kernel[me] ->
            in_kernel[me] = false;
            time_is_up = true
        fi
    }
}

/* idleness::sleep: counts itself. */
inline count() {
    atomic {
        fence(me);
        sleepers++
    }
}

/* The heavy fence. */
inline heavy_fence() {
#if defined(FALLBACK)
    fence(me);
#elif !defined(BUG_no_heavy_fence)
    fence(0);
    fence(1);
    fence(2);
    fence(OUTSIDE);
#endif
    skip
}

/* runtime::anything_to_do. */
inline second_look() {
    rich = load(me, STOPPING) != 0;
    rich = rich || load(me, ANY_ROOT) != 0;
#ifndef BUG_no_second_look_at_deques
    rich = rich || something_to_steal
#endif
}

/* The rest of idleness::sleep. */
inline wait_for_somebody() {
#if (defined(CLONES) || defined(FALLBACK)) && !defined(BUG_no_nap)
    timed = load(me, UNDER_WAY) != 0;
#else
    timed = false;
#endif
    do
    :: take_one(tickets, won);
        if
        :: won -> break
        :: else
        fi;
        futex_wait(timed);
        if
        :: time_is_up -> break
        :: else
        fi
    od;
    timed = false
}

inline sleep() {
#ifdef BUG_looks_before_it_counts
    second_look();
    count();
#else
    count();
    heavy_fence();
#ifndef BUG_no_second_look
    second_look();
#endif
#endif
    if
    :: !rich -> wait_for_somebody()
    :: else
    fi;
    rich = false;
    if
    :: !won ->
        take_one(sleepers, won);
        if
#ifndef BUG_nap_forgets_the_ticket
        :: !won ->
            /* Somebody has just taken this sleeper off the count. */
            do
            :: take_one(tickets, won);
                if
                :: won -> break
                :: else
                fi;
                futex_wait(false)
            od
#endif
        :: else
        fi
    :: else
    fi;
    won = false;
    time_is_up = false
}

/* worker_loop and find_work. */
proctype worker(byte me) {
    bool won, rich, timed, time_is_up;
    do
    :: load(me, STOPPING) != 0 -> break
    :: else ->
        if
        :: atomic { load(me, ANY_ROOT) != 0 && empty(buffer[me]) -> memory[ANY_ROOT] = 0 }
            run_root()
        :: atomic { something_to_steal -> head++ }
#ifndef BUG_no_wake_after_a_steal
            wake_if_any_sleeps();
#endif
            head == 2 /* the other frame is under way as well */
        :: atomic { load(me, ANY_ROOT) == 0 && !(something_to_steal) -> skip }
            /* Or it looks again, which is the same without the steps between. */
            sleep()
        fi
    od
}

/* runtime::submit, then runtime::join_threads. */
proctype outside() {
    byte me = OUTSIDE;
    bool won;
    store(me, UNDER_WAY, 1);
    store(me, ANY_ROOT, 1);
#ifndef BUG_submit_without_a_fence
    fence(me);
#endif
    wake();
#ifndef BUG_submit_wakes_one
    wake();
#endif
    root_is_done;
    store(me, STOPPING, 1);
#ifndef BUG_stop_without_a_fence
    fence(me);
#endif
    /* wake_all. */
    do
    :: take_one(sleepers, won);
        if
        :: won -> tickets++
        :: else -> break
        fi
    od;
    atomic {
        in_kernel[0] = false;
        in_kernel[1] = false;
        in_kernel[2] = false
    }
}

init {
    atomic {
        start_memory();
        run worker(0);
        run worker(1);
        run worker(2);
        run outside()
    }
    _nr_pr == 1 + CPUS;
    assert(sleepers == 0 && tickets == 0)
}
