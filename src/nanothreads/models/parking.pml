/* SPDX-License-Identifier: MIT */
/*
 * Processors without work, who wakes them, and the end: README.md, "Sleeping, waking, the end".
 *
 * Three processors. The first begins with a thread that makes two more ready, one after the other,
 * and does not give its processor up before they have ended; the first of these makes one ready
 * itself, and likewise. So both other processors must come, and a wake-up that is lost is an end
 * that is none. They may be anywhere when a thread becomes ready: asleep, or on their way there.
 * With NOBODY_WAITS threads end at once, and the run may end while a processor stays awake.
 *
 * With OUTSIDE two processors begin with one thread that takes two holds and ends. Two threads
 * outside the run then make one thread ready each, by parking::arrive; one of them may wait until
 * the other's has ended. Or it takes one hold, and the thread that is made ready from outside
 * takes the other one, as a server does. Those outside are sequentially consistent:
 * they use read-modify-write operations and a real fence.
 *
 * Checked: the run ends for all processors, when all four threads have ended and not before. No
 * processor is taken for one that sleeps (platform/idle_threads.hpp) that has its ticket.
 *
 * Abstracted: a queue is a number in memory that its owner writes; thieves and owner exclude each
 * other (ready_queue.pml), so taking is one step. The search for work before the sleep is one try.
 */

#ifdef OUTSIDE
#define PROCESSORS 2
#else
#define PROCESSORS 3
#endif
#define CPUS PROCESSORS
#define BUFFERED 3

#define QUEUE 0 /* so many: threads that are ready on each processor */
#define CELLS PROCESSORS

#include "tso.pml"

#ifdef OUTSIDE
#define THREADS 3
#else
#define THREADS 4
#endif
#define TAKES_HOLDS 3 /* what a thread does */
#define TAKES_A_HOLD 4

/* Changed by read-modify-write operations only. */
byte idle;    /* with `held` one word: parking::counts_ */
byte held;    /* holds */
byte arrived; /* from outside, and taken by no processor */
byte may_arrive; /* so many that have not begun to */
bool again;      /* the next to arrive takes the next hold */
byte tickets;
short counted; /* processors that sleep, as platform/idle_threads.hpp has it */
short asleep;  /* those without a ticket that have begun to sleep */

bool over;
byte ended;    /* threads */
byte leaves;   /* of them, those that make nothing ready */
byte returned; /* processors */
byte depth[THREADS]; /* what the threads that are ready will do, latest last */
byte ready;

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

/* parking::wake_one; a sleeper waits for `tickets` itself. */
inline wake_one() {
    take_one(idle, won);
    if
    :: won ->
#ifdef BUG_waker_leaves_the_count
        atomic { idle++ }
#endif
#ifndef BUG_ticket_before_the_count
        atomic { empty(buffer[me]) -> counted-- };
        atomic { empty(buffer[me]) -> tickets++ };
#else
        atomic { empty(buffer[me]) -> tickets++ };
        atomic { empty(buffer[me]) -> counted-- };
#endif
        won = false
    :: else
    fi
}

/* processor::make_ready. The list's change is in the owner's buffer until it drains. */
inline make_ready(does) {
    atomic {
        depth[ready] = does;
        ready++;
        size = load(me, QUEUE + me);
        store(me, QUEUE + me, size + 1);
        size = 0
    };
#ifndef BUG_push_does_not_look
    if
    :: idle != 0 -> wake_one()
    :: else
    fi
#endif
}

/* Takes a thread from a queue in which there is one; what the owner has not drained counts for
 * itself only. */
#define sees(which) \
    (which == me -> load(me, QUEUE + which) != 0 : memory[QUEUE + which] != 0)

inline take_from(which) {
    atomic {
        if
        :: !sees(which)
        :: sees(which) && empty(buffer[which]) ->
            memory[QUEUE + which]--;
            ready--;
            does = depth[ready];
            found = true
        fi
    }
}

inline run_thread() {
    if
    :: does == 2 ->
        make_ready(1);
        make_ready(0);
#ifndef NOBODY_WAITS
        ended == 3
#endif
    :: does == 1 ->
        make_ready(0);
#ifndef NOBODY_WAITS
        leaves == 2
#endif
    :: does == 0 -> atomic { leaves++ }
    :: does == TAKES_HOLDS ->
        if
        :: atomic { empty(buffer[me]) -> held = held + 2 };
            may_arrive = 2
        :: atomic { empty(buffer[me]) -> held++; again = true };
            may_arrive = 1
        fi
    :: does == TAKES_A_HOLD ->
        atomic { empty(buffer[me]) -> held++ };
        may_arrive = 1
    fi;
    atomic { ended++; does = 0; found = false }
}

/* parking::end. */
inline end_of_the_run(others) {
    assert(ended == THREADS && !over);
    over = true;
#ifndef BUG_end_leaves_them_counted
    atomic { empty(buffer[me]) -> counted = counted - (others) };
#endif
    atomic { empty(buffer[me]) -> tickets = tickets + (others) }
}

/* processor::look_outside. All that has arrived goes into the queue, and who sleeps is woken for more
 * than one; here the first is run at once, which is as good. */
inline take_arrived() {
    atomic {
        if
        :: arrived == 0 || found
        :: arrived != 0 && !found && empty(buffer[me]) ->
            more = arrived - 1;
            arrived = 0;
            does = (again -> TAKES_A_HOLD : 0);
            again = false;
            found = true
        fi
    };
    if
    :: more != 0 -> make_ready(0); more = 0
    :: else
    fi
}

/* parking::arrive and release_hold, by a thread outside. */
inline wake_one_from_outside() {
    atomic {
        if
        :: idle == 0 -> won = false
        :: idle != 0 -> idle--; won = true
        fi
    };
    if
    :: won ->
        atomic { counted-- };
        atomic { tickets++ };
        won = false
    :: else
    fi
}

inline heavy_fence() {
#ifndef BUG_no_heavy_fence
    fence(0);
    fence(1);
#ifndef OUTSIDE
    fence(2)
#endif
#else
    skip
#endif
}

inline look_around() {
#ifndef BUG_no_second_look
    rich = arrived != 0;
    rich = rich || memory[QUEUE] != 0;
    rich = rich || memory[QUEUE + 1] != 0;
#ifndef OUTSIDE
    rich = rich || memory[QUEUE + 2] != 0
#endif
#else
    skip
#endif
}

inline sleep_until_woken() {
    atomic { empty(buffer[me]) -> counted++; asleep++ };
    do
    :: atomic {
            take_one(tickets, won);
            if
            :: won -> asleep--; assert(counted <= asleep)
            :: else
            fi
        };
        if
        :: won -> break
        :: else
        fi;
        tickets != 0
    od;
    won = false
}

/* parking::stay_awake. */
inline stay_awake() {
    atomic {
        if
#ifdef BUG_awake_at_the_end
        :: idle != 0 && empty(buffer[me]) -> idle--
#else
        :: idle != 0 && !(idle == PROCESSORS && held == 0) && empty(buffer[me]) -> idle--
        :: idle == PROCESSORS && held == 0 -> won = true
#endif
        :: idle == 0 -> won = true
        fi
    };
#ifndef BUG_awake_without_the_ticket
    if
    :: won -> won = false; sleep_until_woken()
    :: else
    fi;
#endif
    won = false
}

/* parking::sleep. The one that counts last has looked at nothing: it needs not. */
inline sleep() {
#ifdef BUG_looks_before_it_counts
    look_around();
#endif
    /* parking::count_idle */
#ifndef BUG_looks_before_the_last_counts
    atomic {
        empty(buffer[me]) -> idle++;
        last = (idle == PROCESSORS && held == 0)
    };
#ifndef BUG_the_last_does_not_look
    if
    :: last && arrived != 0 ->
        atomic { idle--; last = false };
        goto look_again
    :: else
    fi;
#endif
#else
    do
    :: atomic {
            seen_idle = idle;
            seen_held = held
        };
        if
        :: seen_idle + 1 == PROCESSORS && seen_held == 0 && arrived != 0 -> goto look_again
        :: else
        fi;
        atomic {
            if
            :: empty(buffer[me]) && seen_idle == idle && seen_held == held ->
                idle++;
                last = (idle == PROCESSORS && held == 0);
                break
            :: seen_idle != idle || seen_held != held
            fi
        }
    od;
    seen_idle = 0;
    seen_held = 0;
#endif
    if
    :: last -> end_of_the_run(PROCESSORS - 1)
    :: else ->
        heavy_fence();
#ifndef BUG_looks_before_it_counts
        look_around();
#endif
        if
        :: rich -> stay_awake()
        :: else -> sleep_until_woken()
        fi;
        rich = false
    fi;
look_again:
#ifdef BUG_looks_before_the_last_counts
    seen_idle = 0;
    seen_held = 0
#else
    skip
#endif
}

proctype processor(byte me) {
    bool found, rich, won, last;
    byte does, size, more;
#ifdef BUG_looks_before_the_last_counts
    byte seen_idle, seen_held;
#endif
    do
    :: take_from(me);
        take_arrived();
        if
        :: !found -> take_from((me + 1) % PROCESSORS)
        :: else
        fi;
#ifndef OUTSIDE
        if
        :: !found -> take_from((me + 2) % PROCESSORS)
        :: else
        fi;
#endif
        if
        :: found -> run_thread()
        :: !found ->
            sleep();
            if
            :: over -> break
            :: else
            fi
        fi
    od;
    returned++
}

#ifdef OUTSIDE
active [2] proctype outsider() {
#ifdef BUG_looks_before_it_releases
    byte seen_idle, seen_held;
#endif
    bool won, late, last;
    if
    :: late = false
    :: _pid == 1 -> late = true
    fi;
    atomic { may_arrive != 0 && (!late || ended == 2) -> may_arrive-- };
#ifdef BUG_releases_before_it_arrives
    atomic {
        held--;
        last = (idle == PROCESSORS && held == 0)
    };
#endif
    atomic { arrived++ };
#ifndef BUG_arrives_without_a_look
    if
    :: idle != 0 -> wake_one_from_outside()
    :: else
    fi;
#endif
#ifdef BUG_looks_before_it_releases
    do
    :: atomic {
            seen_idle = idle;
            seen_held = held
        };
        if
        :: seen_idle == PROCESSORS && seen_held == 1 && arrived != 0 ->
            wake_one_from_outside();
            seen_held = 0 /* look again */
        :: else
        fi;
        atomic {
            if
            :: seen_held != 0 && seen_idle == idle && seen_held == held ->
                held--;
                last = (idle == PROCESSORS && held == 0);
                break
            :: else
            fi
        }
    od;
#else
#ifndef BUG_releases_before_it_arrives
    atomic {
        held--;
        last = (idle == PROCESSORS && held == 0)
    };
#endif
#ifndef BUG_ends_without_a_look
    if
    :: last && arrived != 0 -> last = false; wake_one_from_outside()
    :: else
    fi;
#endif
#endif
    if
    :: last ->
        assert(ended == THREADS && !over);
        over = true;
        atomic { counted = counted - PROCESSORS };
        atomic { tickets = tickets + PROCESSORS }
    :: else
    fi
}
#endif

init {
    atomic {
        start_memory();
        memory[QUEUE] = 1;
#ifdef OUTSIDE
        depth[0] = TAKES_HOLDS;
#else
        depth[0] = 2;
#endif
        ready = 1;
        run processor(0);
        run processor(1);
#ifndef OUTSIDE
        run processor(2)
#endif
    }
    returned == PROCESSORS;
    assert(counted == 0);
    assert(ended == THREADS)
}
