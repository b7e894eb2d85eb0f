/* SPDX-License-Identifier: MIT */
/*
 * The tasks of a group that no scope waits for, and its waiters: README.md, "Groups".
 *
 * Two tasks run elsewhere. Each may put another task aside, may throw, and ends. A third thread puts
 * a task aside at any time, and one cancels the group. One waiter drains what was put aside, parks,
 * and returns; or (WAITERS=2) two do, with one task and no cancellation. When all but the two tasks have returned from the library the group
 * is freed: only the waiters wait for what the end of a task does.
 *
 * Checked: a waiter returns when the tasks have ended that it knows of, with what they have put
 * aside; each parked waiter is made ready once; an exception is rethrown once, and one waiter alone
 * gets the one that comes first; nothing touches a group that is freed; the number of cancelled
 * groups is right.
 *
 * Abstracted: what a waiter does first to leave its worker (chain.pml has the steals); the drainer
 * of tasks from outside is one of the two tasks. Memory is sequentially consistent: the state is
 * one word that is exchanged, the rest has a lock.
 */

#ifndef WAITERS
#define WAITERS 1
#endif

#if WAITERS == 1
#define TASKS 2
#define ALL 27
#else
#define TASKS 1
#define ALL 9
#endif
#define none 9

/* group_state::state. */
byte count = TASKS;
bool has_waiters;
bool cancelled;
byte cancelled_groups;

/* group_record. */
bool lock_held;
byte aside;   /* tasks in the list, a bit each: 1 and 2 are put by the tasks, 4 by the thread */
byte waiting; /* a bit a waiter */
byte error = none;

bool ready[2];  /* a waiter that was parked has been made ready */
bool parked[2]; /* it has left its worker */
byte ended;     /* a bit a task, as in `aside`, those two times 8 for the tasks themselves */
byte thrown = none;  /* the smallest that was thrown */
byte rethrown;       /* how many were */
byte first_rethrown = none;
byte out;            /* processes that still use the group, but for the ends of tasks */
bool freed;

#define one_of(number_) (1 << (number_))
#define of_task(number_) (8 << (number_))

inline touch() {
    assert(!freed)
}

inline lock() {
    atomic { !lock_held -> touch(); lock_held = true }
}

/* The last step of a critical section writes to the record. */
inline unlock() {
    atomic { touch(); lock_held = false }
}

/* Under the lock. */
inline take_waiters() {
    d_step {
        touch();
        has_waiters = false;
        list = waiting;
#ifndef BUG_waiters_stay_in_the_list
        waiting = 0
#endif
    }
}

/* wake: their nodes lie on their stacks, not in the group. */
inline wake() {
    do
    :: list & 1 -> atomic { assert(parked[0] && !ready[0]); ready[0] = true; list = list & 2 }
    :: list & 2 -> atomic { assert(parked[1] && !ready[1]); ready[1] = true; list = list & 1 }
    :: else -> break
    od
}

/* put_aside. */
inline put_aside(which) {
#ifndef BUG_counts_after_the_push
    atomic { touch(); count++ };
#endif
    lock();
    aside = aside | (which);
#ifndef BUG_put_wakes_nobody
    if
    :: waiting != 0 -> take_waiters()
    :: else
    fi;
#endif
    unlock();
#ifdef BUG_counts_after_the_push
    atomic { touch(); count++ };
#endif
    wake()
}

/* offer_error. */
inline throw(key) {
    d_step {
        if
        :: key < thrown -> thrown = key
        :: else
        fi
    }
    lock();
    if
#ifdef BUG_keeps_the_last_error
    :: true -> error = key
#else
    :: key < error -> error = key
    :: else
#endif
    fi;
    unlock()
}

/* one_task_less. */
inline one_task_less() {
    do
    :: true ->
        d_step { touch(); seen = count; saw_waiters = has_waiters };
        if
#ifdef BUG_ends_without_the_lock
        :: true ->
#else
        :: !saw_waiters || seen > 1 ->
#endif
            atomic {
                touch();
                if
                :: count == seen && has_waiters == saw_waiters ->
                    assert(count > 0);
                    count--;
                    swapped = true
                :: else -> swapped = false
                fi
            };
            if
            :: swapped -> break
            :: else
            fi
#ifndef BUG_ends_without_the_lock
        :: else ->
            lock();
            assert(count > 0);
            count--;
            if
            :: count == 0 -> take_waiters()
            :: else
            fi;
            unlock();
            break
#endif
        fi
    od;
#ifdef BUG_ends_without_the_lock
    if
    :: saw_waiters && seen == 1 ->
        lock();
        take_waiters();
        unlock()
    :: else
    fi;
#endif
    atomic { seen = 0; saw_waiters = false; swapped = false };
    wake()
}

proctype task(byte number) {
    byte list;
    byte seen;
    bool saw_waiters;
    bool swapped;
    if
    :: put_aside(one_of(number)) /* before its own end */
    :: atomic { ended = ended | one_of(number) }
    fi;
    if
    :: true ->
#ifdef BUG_throws_after_its_end
        ended = ended | of_task(number);
        d_step { thrown = (number < thrown -> number : thrown) };
        one_task_less();
        throw(number)
#else
        throw(number);
        ended = ended | of_task(number);
        one_task_less()
#endif
    :: true ->
        ended = ended | of_task(number);
        one_task_less()
    fi
}

proctype spawner() {
    byte list;
    put_aside(4);
    out--
}

proctype canceller() {
    bool was;
    atomic { touch(); was = cancelled; cancelled = true };
#ifndef BUG_cancels_what_is_cancelled
    if
    :: !was -> cancelled_groups++
    :: else
    fi;
#else
    cancelled_groups++;
#endif
    /* A second time, by another thread. */
    atomic { touch(); was = cancelled; cancelled = true };
#ifndef BUG_cancels_what_is_cancelled
    if
    :: !was -> cancelled_groups++
    :: else
    fi;
#else
    cancelled_groups++;
#endif
    out--
}

/* begin_all_aside: each is run here; it may throw as well, and does not here. */
inline begin_all_aside() {
    any = false;
    do
    :: true ->
        lock();
        if
        :: aside & 1 -> mine = 1
        :: aside & 2 -> mine = 2
        :: aside & 4 -> mine = 4
        :: else -> mine = 0
        fi;
        aside = aside & ~mine;
        unlock();
        if
        :: mine == 0 -> break
        :: else
        fi;
        any = true;
        ended = ended | mine;
        mine = 0;
        one_task_less()
    od
}

inline is_through() {
#ifdef BUG_looks_without_the_lock
    d_step { touch(); through = aside == 0 && count == 0 }
#else
    lock();
    through = aside == 0 && count == 0;
    unlock()
#endif
}

/* arrive_as_waiter, by the worker's loop. */
inline park() {
    parked[me] = true;
    lock();
    if
#ifndef BUG_parks_beside_what_is_aside
    :: aside != 0 -> stays = false
#endif
    :: else ->
#ifdef BUG_parks_without_a_look
        atomic { has_waiters = true; stays = true }
#else
        /* compare and exchange until the bit is set or nothing is counted */
        atomic {
            stays = count != 0;
            has_waiters = has_waiters || stays
        }
#endif
    fi;
    if
    :: stays -> waiting = waiting | one_of(me)
    :: else
    fi;
    unlock();
    if
    :: stays -> atomic { ready[me] -> ready[me] = false }
    :: else
    fi;
    parked[me] = false
}

proctype waiter(byte me) {
    byte list;
    byte seen;
    byte mine;
    byte taken;
    bool saw_waiters;
    bool swapped;
    bool any;
    bool through;
    bool stays;
    do
    :: true ->
        begin_all_aside();
        is_through();
        if
        :: !through ->
            begin_all_aside();
            if
            :: !any -> park()
            :: else -> any = false
            fi
        :: else
        fi;
        is_through();
        if
        :: through -> break
        :: else
        fi
    od;
    assert((ended & ALL) == ALL);
    /* end_cancellation. */
    atomic { through = cancelled; cancelled = false };
    if
    :: through -> atomic { assert(cancelled_groups <= 2); cancelled_groups-- }
    :: else
    fi;
    /* take_error. */
#ifdef BUG_looks_without_the_lock
    d_step { touch(); taken = error; error = none }
#else
    lock();
    taken = error;
    error = none;
    unlock();
#endif
    if
    :: taken != none -> d_step { rethrown++; first_rethrown = taken }
    :: else
    fi;
    out--
}

init {
    atomic {
        out = 3;
        run task(0);
        run spawner();
#if WAITERS == 1
        run task(1);
        run canceller();
#endif
        run waiter(0);
#if WAITERS == 2
        run waiter(1)
#endif
    }
    out == 0;
    freed = true;
    _nr_pr == 1;
    /* What the third thread put aside after the wait is left to the end of the group. */
    assert(count == 0 || (count == 1 && aside == 4));
    assert(waiting == 0);
    assert(cancelled_groups == cancelled);
    assert(rethrown == (thrown != none) && first_rethrown == thrown)
}
