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
 * Checked: the run ends for all processors, when all four threads have ended and not before. No
 * processor is taken for one that sleeps (platform/idle_threads.hpp) that has its ticket.
 *
 * Abstracted: a queue is a number in memory that its owner writes; thieves and owner exclude each
 * other (ready_queue.pml), so taking is one step. The search for work before the sleep is one try.
 */

#define PROCESSORS 3
#define CPUS 3
#define BUFFERED 3

#define QUEUE 0 /* three: threads that are ready on each processor */
#define CELLS 3

#include "tso.pml"

#define THREADS 4

/* Changed by read-modify-write operations only. */
byte idle;
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
    fi;
    atomic { ended++ };
    found = false
}

/* parking::end. */
inline end_of_the_run() {
    assert(ended == THREADS);
    over = true;
#ifndef BUG_end_leaves_them_counted
    atomic { empty(buffer[me]) -> counted = counted - (PROCESSORS - 1) };
#endif
    atomic { empty(buffer[me]) -> tickets = tickets + PROCESSORS - 1 }
}

inline heavy_fence() {
#ifndef BUG_no_heavy_fence
    fence(0);
    fence(1);
    fence(2)
#else
    skip
#endif
}

inline look_around() {
#ifndef BUG_no_second_look
    rich = memory[QUEUE] != 0;
    rich = rich || memory[QUEUE + 1] != 0;
    rich = rich || memory[QUEUE + 2] != 0
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
        :: idle != 0 && idle != PROCESSORS && empty(buffer[me]) -> idle--
        :: idle == PROCESSORS -> won = true
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
    atomic {
        empty(buffer[me]) ->
        idle++;
        last = (idle == PROCESSORS)
    };
    if
    :: last -> end_of_the_run()
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
    fi
}

proctype processor(byte me) {
    bool found, rich, won, last;
    byte does, size;
    do
    :: take_from(me);
        if
        :: !found -> take_from((me + 1) % PROCESSORS)
        :: else
        fi;
        if
        :: !found -> take_from((me + 2) % PROCESSORS)
        :: else
        fi;
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

init {
    atomic {
        start_memory();
        memory[QUEUE] = 1;
        depth[0] = 2;
        ready = 1;
        run processor(0);
        run processor(1);
        run processor(2)
    }
    returned == PROCESSORS;
    assert(counted == 0);
    assert(ended == THREADS)
}
