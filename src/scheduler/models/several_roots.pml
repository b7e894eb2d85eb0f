/* SPDX-License-Identifier: MIT */
/*
 * Several threads that enter, and threads of the runtime's that sleep, give way and watch: README.md,
 * "Threads that call `run`" and "Sleeping and waking".
 *
 * One thread of the runtime's and two processors, or (-DTHREE) two threads and three processors; then
 * the threads with roots are inside from the start. Two threads enter. The first has a root with long parts: one for itself, one for each thread of the
 * runtime's; it ends when all are under way at once. The second (ENTRIES times) has a root of two short
 * parts (one with THREE): it runs the first and then the other one, unless that has been taken; then it
 * sleeps until the root is done. While both compute there is one processor too few for the long parts.
 *
 * (-DBLOCKS) One thread of the runtime's, two processors, and one caller, whose first root has two
 * long parts. All wait in blocking scopes until both are under way, and there may be one stand-in.
 * Its second root has one long part, and waits for help outside of any scope. No push is heard.
 *
 * (-DTHREADLESS) Roots with which no thread enters, one after the other, while two callers compute
 * until the last of these has begun: there is no processor for it. One thread of the runtime's and
 * two processors; or (-DHELPER) one caller, one processor and no thread of the runtime's until the
 * first such root makes one. (-DBUSY_THREAD) One more thread of the runtime's, and one more processor:
 * it computes for a caller as long as the callers do.
 *
 * A root looks for sleepers when it has pushed (C++), or not (C): either may happen at each push.
 * Only the nap of a thread that watches ends by itself.
 *
 * Checked: each root gets the help that it waits for; a root with which no thread enters is begun
 * by the first thread that looks, whatever the callers do; no worker has two threads; nobody is left
 * counted, or in a list.
 *
 * Abstracted: memory is sequentially consistent (idle.pml has one root and store buffers); a steal is
 * one step; what happens under the lock of the seats is one step, with the system call after it. For
 * how long a thread has found that there is a crowd is open.
 */

#ifdef THREE
#define OWN 2        /* threads of the runtime's */
#elif defined(HELPER)
#define OWN 0
#else
#define OWN 1
#endif
#if defined(BLOCKS) || defined(HELPER)
#define THREADS (OWN + 1) /* with a stand-in */
#else
#define THREADS OWN
#endif
#ifdef BUSY_THREAD
#define BUSY 1
#else
#define BUSY 0
#endif
#define PROCESSORS (OWN + BUSY + 1)
#ifndef ENTRIES
#define ENTRIES 1
#endif
#define NOBODY 7

/* What happens under the lock, or by read-modify-write. */
byte awake = OWN + BUSY; /* seats::awake_ */
byte guests;           /* seats::guests_: 1 if the second thread that entered sleeps */
byte can_be_woken;     /* and sg_hear_pushes */
byte deep;             /* runtime::deep_sleepers */
byte watch = NOBODY;   /* seats::watch */
byte inside, roots;    /* roots_under_way, roots_so_far */
bool in_list[THREADS]; /* seats::sleepers_ */
bool woken[THREADS], called[THREADS], over[THREADS], in_kernel[THREADS];
byte blocked, stand_ins; /* seats::blocked_, stand_ins_ */
byte threadless;         /* seats::threadless_ */

bool taken[2];         /* worker::is_taken, of the two for threads that enter */
byte sits[2];          /* how many work there: for the assertion */

byte long_parts;       /* of the first root, to be stolen */
byte long_running;     /* under way, or have been */
byte long_ended;
bool short_part;       /* of the second, to be stolen */
bool short_done;       /* participant::over of its thread */
bool ready_root;       /* in the list of ready work */
byte roots_begun;      /* of those with which no thread enters */
byte gone;

#define sleepers_ (THREADS == 1 -> in_list[0] : in_list[0] + in_list[THREADS - 1])
/* Whether there is a processor for one more; and whether there is one too few. */
#ifdef THREADLESS
#ifdef BUG_counts_the_callers_alone
#define is_due (false)
#else
#define is_due (threadless != 0)
#endif
#ifdef BUG_counts_a_busy_thread
#define is_unbegun (false)
#else
#define is_unbegun (is_due && ready_root)
#endif
#define has_free(leaving) (PROCESSORS + guests + threadless + (leaving) > awake + inside || (is_due && awake == 0) || is_unbegun)
#define is_crowded (PROCESSORS + guests + threadless < awake + inside && !(is_due && awake <= 1) && !is_unbegun)
#else
#define has_free(leaving) (PROCESSORS + guests + blocked + (leaving) > awake + inside)
#define is_crowded (PROCESSORS + guests + blocked < awake + inside)
#endif
#define something_to_steal (long_parts != 0 || short_part || ready_root)

/* seats::settle. Which threads with roots are counted in is left out: they nap. */
inline settle(leaving) {
    if
    :: !has_free(leaving) || sleepers_ == 0 -> can_be_woken = 0
    :: else -> can_be_woken = 1 /* or more */
    fi
}

/* seats::wake. */
inline wake(leaving) {
    atomic {
        settle(leaving);
        if
        :: can_be_woken == 0
        :: can_be_woken != 0 && in_list[0] && (watch != 0 || sleepers_ == 1) -> who = 0
        :: can_be_woken != 0 && in_list[THREADS - 1] && (watch != THREADS - 1 || sleepers_ == 1) ->
            who = THREADS - 1
        fi;
        if
        :: who != NOBODY ->
            in_list[who] = false;
            awake++;
            woken[who] = true;
            in_kernel[who] = false;
            who = NOBODY;
            settle(leaving)
        :: else
        fi
    }
}

inline wake_if_any_sleeps() {
    if
    :: can_be_woken != 0 -> wake(0)
    :: else
    fi
}

/* seats::call_one: which is any. */
inline call_one() {
    atomic {
        if
        :: in_list[0] -> who = 0
        :: in_list[THREADS - 1] -> who = THREADS - 1
        :: sleepers_ == 0
        fi;
        if
        :: who != NOBODY ->
            called[who] = true;
            in_kernel[who] = false;
            who = NOBODY
        :: else
        fi
    }
}

/* runtime::see_to_watch. */
inline see_to_watch() {
    if
    :: deep != 0 ->
        if
        :: watch == NOBODY -> call_one()
        :: else
        fi
    :: else
    fi
}

/* ---- Threads of the runtime's ---- */

/* idleness::work: leaves `up`. */
inline work() {
    atomic {
        up = true;
        if
        :: woken[me] -> woken[me] = false
#ifdef BUG_rises_without_a_processor
        :: !woken[me] ->
#else
        :: !woken[me] && has_free(0) ->
#endif
            in_list[me] = false;
            awake++;
            assert(!is_crowded)
        :: !woken[me] && !has_free(0) ->
            up = false;
            assert(!ready_root)
        fi;
        settle(0)
    }
    if
    :: up ->
        atomic {
            if
            :: watch == me -> watch = NOBODY
            :: else
            fi
        };
#ifndef BUG_leaves_the_watch_to_nobody
        see_to_watch()
#endif
    :: else
    fi
}

/* idleness::how_long, and falls_asleep_for_good. */
inline how_long() {
    counted = false;
    atomic {
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
        :: inside != 0
        :: inside == 0 && seen != now -> seen = now
        :: atomic { inside == 0 && seen == now -> skip }
        :: atomic { inside == 0 && seen == now -> watch = NOBODY; naps = false }
        fi;
        now = 0
    :: else
    fi;
    if
    :: !naps ->
        deep++;
        counted = true;
#ifndef BUG_sleeps_for_good_without_a_look
        naps = (watch == NOBODY && roots != seen)
#endif
    :: else
    fi
}

/* participant::sleep, and what follows it in idleness::wait. */
inline sleep() {
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
    atomic {
        called[me] = false;
        naps = false;
        if
        :: counted -> deep--; counted = false
        :: else
        fi
    }
}

/* idleness::wait, until it works or is over. */
inline wait() {
    up = false;
    do
    :: over[me] ->
        atomic {
            if
            :: watch == me -> watch = NOBODY
            :: else
            fi
        };
        break
    :: !over[me] && up -> break
    :: !over[me] && !up ->
        if
        :: something_to_steal -> work()
        :: else
        fi;
        if
        :: !up ->
            how_long();
            sleep();
            if
            :: over[me]
            :: !over[me] && woken[me] -> work()
            :: !over[me] && !woken[me] -> atomic { settle(0) } /* seats::look_again */
            fi
        :: else
        fi
    od;
    up = false
}

/* seats::rest. */
inline rest() {
    in_list[me] = true;
    awake--;
    settle(0)
}

/* stand_ins::begin_blocking; and its end. */
inline begin_blocking() {
    atomic {
        blocked++;
        settle(0);
#ifndef BUG_blocks_without_a_stand_in
        if
        :: stand_ins == 0 -> stand_ins++; run own(OWN, true)
        :: else
        fi
#endif
    }
    if
    :: something_to_steal -> wake(0)
    :: else
    fi
}

inline end_blocking() {
    atomic { blocked--; settle(0) }
}

/* One of the runtime's. A stand-in begins asleep: seats::join. */
proctype own(byte me; bool is_stand_in) {
    bool naps, counted, up;
    byte seen, now; /* of roots */
    byte who = NOBODY;
    if
    :: is_stand_in ->
        atomic { in_list[me] = true; settle(0) }
        wait()
    :: else
    fi;
    do
    :: over[me] -> break
    /* idleness::gives_way. */
    :: is_crowded ->
        atomic {
            up = true;
            if
            :: is_crowded ->
                rest();
                up = false
            :: else
            fi
        }
        if
        :: !up -> wait()
        :: else -> up = false
        fi
    :: atomic { long_parts != 0 -> long_parts-- }
        /* find_work: where there was something there may be more. */
        wake_if_any_sleeps();
#ifdef BLOCKS
        long_running++;
        begin_blocking();
        long_running >= 2;
        end_blocking();
        long_ended++
#else
        long_running++;
        long_running == OWN
#endif
    :: atomic { short_part -> short_part = false }
        wake_if_any_sleeps();
        short_done = true
#ifdef THREADLESS
    :: atomic { ready_root -> ready_root = false }
        roots_begun++;
        atomic { threadless--; inside-- }
#endif
    :: atomic { !over[me] && !something_to_steal -> rest() }
        wait()
    od;
    assert(!in_list[me] || over[me])
}

/* ---- Threads that enter ---- */

/* callers::take: leaves `mine`. */
inline take() {
#ifdef BUG_takes_without_an_exchange
    if
    :: !taken[0] -> mine = 0
    :: !taken[1] -> mine = 1
    fi;
    taken[mine] = true;
#else
    if
    :: atomic { !taken[0] -> taken[0] = true; mine = 0 }
    :: atomic { !taken[1] -> taken[1] = true; mine = 1 }
    fi;
#endif
    atomic { sits[mine]++; assert(sits[mine] == 1) }
}

inline give() {
    atomic { sits[mine]--; taken[mine] = false; mine = 0 }
}

inline begin_root() {
#ifdef THREE
    take()
#else
    atomic { inside++; roots++ };
    take();
    /* runtime::call_for_help. */
#ifndef BUG_enters_without_a_call
    if
#ifdef BUG_counts_without_the_stand_in
    :: deep == OWN ->
#else
    :: deep == OWN + stand_ins && deep != 0 ->
#endif
        wake_if_any_sleeps();
        see_to_watch()
    :: else
    fi
#endif
#endif
}

/* The look after a push, or none. */
inline pushed() {
    if
#ifndef THREE
    :: wake_if_any_sleeps()
#endif
    :: skip
    fi
}

/* The end of runtime::enter, with `sleeps` or without; it may have been long or not. */
inline leave() {
    if
    :: sleeps -> atomic { guests--; settle(1) }; sleeps = false
    :: else
    fi;
    give();
    if
    :: inside > 1 -> wake(1)
    :: skip
    fi;
    inside--
}

proctype with_long_parts() {
    byte mine;
    byte who = NOBODY;
    bool sleeps;
    begin_root();
#ifdef BLOCKS
    long_parts = 2;
    begin_blocking();
    long_running == 2;
    end_blocking();
    long_ended == 2;
    leave();
    begin_root();
    long_parts = 1;
    long_ended == 3;
#else
    long_parts = OWN;
    pushed();
    long_running == OWN;
#endif
    leave();
    gone++
}

proctype with_short_parts() {
    byte mine;
    byte entries = ENTRIES;
    byte who = NOBODY;
    bool sleeps;
    do
    :: entries != 0 ->
        entries--;
        begin_root();
#ifndef THREE
        short_done = false;
        short_part = true;
        pushed();
        if
        :: atomic { short_part -> short_part = false } /* popped */
        :: atomic { !short_part -> guests++; sleeps = true; settle(0) }
            if
            :: inside > 1 -> wake(0)
            :: else
            fi;
            short_done
        fi;
#endif
        leave()
    :: else -> break
    od;
    gone++
}

#ifdef THREADLESS
proctype computing() {
    byte mine;
    byte who = NOBODY;
    bool sleeps;
    begin_root();
    roots_begun == ENTRIES;
    leave();
    gone++
}

#ifdef BUSY_THREAD
/* A thread of the runtime's with a caller's work. */
proctype computing_for_a_caller() {
    roots_begun == ENTRIES;
    atomic { awake--; settle(0) }
}
#endif

/* children_outside::add and put_aside: the hold, the thread, the root. */
proctype leaving_roots() {
    byte entries = ENTRIES;
    byte who = NOBODY;
    do
    :: entries != 0 ->
        entries--;
        atomic { inside++; roots++; threadless++ };
#ifdef HELPER
        if
        :: stand_ins == 0 -> atomic { stand_ins++; run own(0, true) }
        :: else
        fi;
#endif
        ready_root = true;
        wake(0);
        !ready_root
    :: else -> break
    od;
    gone++
}
#endif

init {
    byte who = 0;
    atomic {
#ifdef THREADLESS
#ifndef HELPER
        run own(0, false);
        run computing();
#ifdef BUSY_THREAD
        run computing_for_a_caller();
#endif
        gone = 0;
#else
        gone = 1;
#endif
        run computing();
        run leaving_roots()
#else
#ifdef THREE
        inside = 2;
        roots = 2;
        run own(1, false);
#endif
        run own(0, false);
        run with_long_parts();
#ifdef BLOCKS
        gone = 1
#else
        run with_short_parts()
#endif
#endif
    }
#ifdef THREADLESS
    gone == 3 && inside == 0;
#else
    gone == 2;
#endif
    assert(inside == 0 && guests == 0 && blocked == 0 && !taken[0] && !taken[1]);
    /* seats::dismiss. */
    do
    :: who < THREADS ->
        atomic { over[who] = true; in_kernel[who] = false; who++ }
    :: else -> break
    od;
    _nr_pr == 1;
    assert(deep == 0)
}
