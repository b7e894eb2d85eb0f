/* SPDX-License-Identifier: MIT */
/*
 * Threads without work, and who wakes them: README.md, "Sleeping and waking".
 *
 * Three workers: two threads of the runtime's, and a thread that enters with a root and, when that is
 * done, stops them. The root pushes two frames, one after the other, and never pops: it ends when both
 * are under way, so both other threads must steal, and a wake-up that is lost is an end that is none.
 * When it comes the others may sleep, or be anywhere on their way there.
 *
 * By default the root is C++: it looks at sg_hear_pushes after each push, and no sleeper ever wakes up
 * by itself. With -DCLONES the root is a C clone: it does not look; one of the sleepers watches, and
 * naps: it may wake up by itself at any time; and who enters wakes one if all sleep for good. With -DFALLBACK
 * (a kernel without membarrier) the root looks, but the sleeper's fence is its own only, and one
 * sleeper watches as well.
 *
 * Checked: all come to their end; none is counted any more.
 *
 * Abstracted: a steal is one step (see pop_and_steal.pml) and finds what there is. What happens under
 * the lock of the seats is one step, with a fence; there is a processor for each thread (several_roots.pml
 * has fewer). Pops do not ask on behalf of sleepers: without that the root must go on as well.
 */

#define ROOT 2 /* the thread that enters */
#define CPUS 3
#define BUFFERED 2

/* Cells, for plain stores. */
#define SLOT 0 /* two */
#define STOPPING 2
#define CELLS 3

#include "tso.pml"

/* Changed by read-modify-write operations, sequentially consistent stores, or under the lock. */
byte sleepers;       /* seats::sleepers; sg_hear_pushes says whether there are any */
byte deep;           /* runtime::deep_sleepers */
#define NOBODY 3
byte watch = NOBODY; /* seats::watch */
byte holders, roots; /* roots_under_way, roots_so_far */
bool in_list[2];     /* who sleeps, as the seats know it */
bool woken[2];       /* bits of participant::call */
bool called[2];
bool over[2];
bool asleep[2];
bool in_kernel[2];   /* in futex_wait */

byte head; /* of the deque of the root; under its lock */

/* seats::wake: under the lock, then the system call. The one that watches comes last. */
inline wake() {
    atomic {
        empty(buffer[me]);
        if
        :: in_list[0] && sleepers != 0 && (watch != 0 || !in_list[1]) -> who = 0
        :: in_list[1] && sleepers != 0 && (watch != 1 || !in_list[0]) -> who = 1
        :: else -> who = 2
        fi;
        if
        :: who != 2 ->
            in_list[who] = false;
#ifndef BUG_waker_leaves_the_count
            sleepers--;
#endif
            woken[who] = true;
            tells = asleep[who]
        :: else -> tells = false
        fi
    }
    if
    :: tells -> in_kernel[who] = false
    :: else
    fi;
    tells = false;
    who = 2
}

/* wake_if_any_sleeps. */
inline wake_if_any_sleeps() {
    if
    :: sleepers != 0 -> wake()
    :: else
    fi
}

/* runtime::see_to_watch, and seats::call_one: any that sleeps. */
inline see_to_watch() {
#if defined(CLONES) || defined(FALLBACK)
    empty(buffer[me]);
    if
    :: deep != 0 ->
        if
        :: watch == NOBODY ->
            atomic {
                if
                :: in_list[0] -> called[0] = true; tells = asleep[0]; who = 0
                :: in_list[1] -> called[1] = true; tells = asleep[1]; who = 1
                :: else -> tells = false
                fi
            }
            if
            :: tells -> in_kernel[who] = false
            :: else
            fi;
            tells = false;
            who = 2
        :: else
        fi
    :: else
    fi
#else
    skip
#endif
}

inline push(slot) {
    store(me, SLOT + slot, 1);
#if !defined(CLONES) && !defined(BUG_push_does_not_look)
    wake_if_any_sleeps()
#endif
}

/* deque::oldest. */
#define something_to_steal (head < 2 && load(me, SLOT + head) != 0)

/* The heavy fence. */
inline heavy_fence() {
#if defined(FALLBACK)
    fence(me);
#elif !defined(BUG_no_heavy_fence)
    fence(0);
    fence(1);
    fence(2);
#endif
    skip
}

/* seats::rest. */
inline count() {
    atomic {
        empty(buffer[me]);
        in_list[me] = true;
        sleepers++
    }
}

/* runtime::anything_to_do. */
inline look() {
    rich = load(me, STOPPING) != 0;
#ifndef BUG_no_look_at_deques
    rich = rich || something_to_steal
#endif
}

/* idleness::work: leaves `up`. */
inline rise() {
    atomic {
        empty(buffer[me]);
        up = woken[me] || in_list[me];
        woken[me] = false;
        if
        :: in_list[me] ->
            in_list[me] = false;
            sleepers--
        :: else
        fi
    }
    if
    :: up ->
#ifndef BUG_watch_does_not_end
        atomic {
            if
            :: watch == me -> empty(buffer[me]); watch = NOBODY
            :: else
            fi
        };
#endif
        see_to_watch()
    :: else
    fi
}

/* idleness::how_long, and falls_asleep_for_good: leaves `naps` and `counted`. Only the nap of a thread
 * that watches ends by itself: others may be long. */
inline how_long() {
    counted = false;
#if defined(CLONES) || defined(FALLBACK)
    atomic {
        empty(buffer[me]);
        naps = (watch == NOBODY || watch == me);
        if
        :: naps -> watch = me
        :: else
        fi
    };
    if
    :: naps ->
        now = roots;
        if
        :: holders != 0
        :: holders == 0 && seen != now -> seen = now
        :: atomic { holders == 0 && seen == now -> skip } /* for less than half a second */
        :: atomic { holders == 0 && seen == now -> watch = NOBODY; naps = false } /* for more */
        fi;
        now = 0
    :: else
    fi;
    if
    :: !naps ->
#ifndef BUG_tidies_without_being_counted
        atomic { empty(buffer[me]); deep++; counted = true };
#endif
#ifndef BUG_sleeps_for_good_without_a_look
        naps = (watch == NOBODY && roots != seen)
#endif
    :: else
    fi
#ifdef BUG_no_nap
    ;
    naps = false
#endif
#else
    naps = false
#endif
}

/* participant::sleep. */
inline sleep() {
#ifndef BUG_sleeps_without_saying_so
    atomic { empty(buffer[me]); asleep[me] = true }
#endif
    atomic {
        if
        :: !woken[me] && !called[me] && !over[me] -> in_kernel[me] = true
        :: else
        fi
    }
    if
    :: !in_kernel[me]
    :: naps -> in_kernel[me] = false
    fi;
    atomic { empty(buffer[me]); asleep[me] = false; called[me] = false; naps = false };
    if
    :: counted -> atomic { empty(buffer[me]); deep--; counted = false }
    :: else
    fi
}

/* idleness::wait, until it has a worker or is over. Each time round it looks. */
inline wait() {
    up = false;
    do
    :: over[me] -> break
    :: up -> break
    :: !over[me] && !up ->
#ifndef BUG_no_look
        look();
#endif
        if
        :: rich -> rise()
        :: else ->
            how_long();
            sleep();
            if
            :: woken[me] -> rise()
            :: else
            fi
        fi;
        rich = false
    od;
    up = false
}

inline give_worker_back() {
#ifdef BUG_looks_before_it_counts
    look();
    if
    :: !rich -> count(); naps = false; sleep(); rise()
    :: else
    fi;
    rich = false
#else
    count();
    heavy_fence();
    wait()
#endif
}

/* work_until_over, for a thread of the runtime's. */
proctype worker(byte me) {
    bool rich, naps, counted, up, tells;
    byte seen, now;
    byte who = 2;
    do
    :: over[me] || load(me, STOPPING) != 0 -> break
    :: else ->
        if
        :: atomic { something_to_steal -> head++ }
#ifndef BUG_no_wake_after_a_steal
            wake_if_any_sleeps();
#endif
            head == 2 /* the other frame is under way as well */
        :: atomic { !(something_to_steal) -> skip }
            /* Or it looks again, which is the same without the steps between. */
            give_worker_back()
        fi
    od
}

/* runtime::enter with a root of its own, then runtime::join_threads. */
proctype root() {
    byte me = ROOT;
    bool tells;
    byte who = 2;
    atomic { empty(buffer[me]); holders++; roots++ };
#if defined(CLONES) && !defined(BUG_enters_without_a_wake)
    /* call_for_help, without what it has learned from the run before. */
    if
    :: deep == 2 ->
        wake_if_any_sleeps();
        see_to_watch()
    :: else
    fi;
#endif
    push(0);
    push(1);
    head == 2;
    atomic { empty(buffer[me]); holders-- };
    store(me, STOPPING, 1);
    /* seats::dismiss. */
    do
    :: atomic {
           empty(buffer[me]);
           if
           :: in_list[0] -> who = 0
           :: !in_list[0] && in_list[1] -> who = 1
           :: !in_list[0] && !in_list[1] -> break
           fi;
           in_list[who] = false;
           sleepers--
       }
       atomic { over[who] = true; tells = asleep[who] };
       if
       :: tells -> in_kernel[who] = false
       :: else
       fi;
       tells = false;
       who = 2
    od
}

init {
    atomic {
        start_memory();
        run worker(0);
        run worker(1);
        run root()
    }
    _nr_pr == 1 + CPUS;
    assert(sleepers == 0 && deep == 0)
}
