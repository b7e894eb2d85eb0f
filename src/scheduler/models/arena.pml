/* SPDX-License-Identifier: MIT */
/*
 * The places of an arena, and threads that sleep because all are taken: arena.md.
 *
 * One arena with PLACES places. Two callers enter. The first has ROUNDS parts, one after the other,
 * each of which another thread has to take: it waits until one has. The second has nothing to steal;
 * it enters and leaves (ENTRIES times), by a return or an exception, which is the same. Two threads of
 * the runtime's steal. (ELSEWHERE) There is also a part in no arena, which lasts until the first root
 * is done: the thread that takes it, with a place in the arena or not, helps no more.
 *
 * (NODES) The arena is on a node, which the second thread alone belongs to, and there is a processor for
 * one thread of the two.
 *
 * (BLOCKS, with NODES) Whoever has a part waits in a blocking scope until all parts are taken, and the
 * caller until each is: stand-ins take their places. Of the other threads there is the first alone, which
 * is of another node.
 *
 * There is a processor for each thread otherwise. No nap ends and no thread watches, so each wake-up has to come.
 *
 * Checked: a thief never takes a place that there is not; each root ends; no place is left taken.
 *
 * The first caller's push may wait in a store buffer, until any thread makes all pass a fence. A place
 * is taken first, and then the work that it is for, if that is still there: other thieves may be at
 * other victims. All that is done under the lock of the seats is one step.
 */

#ifndef PLACES
#define PLACES 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef ENTRIES
#define ENTRIES 1
#endif
#ifdef BLOCKS
#define OWN 1
#else
#define OWN 2
#endif
#define THREADS 4 /* with the stand-ins */

#if defined(BUG_stand_ins_have_nodes)
#define may_help(who) (who == 1)
#elif defined(NODES)
#define may_help(who) (who >= 1)
#else
#define may_help(who) true
#endif
#ifdef NODES
#define PROCESSORS (1 + blocked)
#else
#define PROCESSORS OWN
#endif

byte here, calls;          /* of the arena */
byte callers, thieves;     /* that have a place, counted apart: for the assertion */
byte asleep;               /* seats::sleepers_ */
byte awake = OWN;          /* of the runtime's threads; at first maybe more than there are processors */
bool in_list[THREADS], woken[THREADS];
byte blocked, stand_ins;   /* seats::blocked_; stand_in_counts::there */
bool pending, part;        /* the first caller's push: in its buffer, and to be seen */
bool elsewhere;            /* a part in no arena, to be stolen */
byte helped;               /* parts of the first root that have been taken */
bool done, over;           /* the first root; seats::dismiss */
byte gone;

/* sg_hear_pushes. */
#define are_heard (asleep != 0 && awake < PROCESSORS)

inline get_up(who) {
    in_list[who] = false;
    woken[who] = true;
    asleep--;
    awake++
}

/* seats::wake, on sg_hear_pushes. */
inline wake_if_any_sleeps() {
    atomic {
        if
        :: are_heard && in_list[0] -> get_up(0)
        :: are_heard && in_list[1] -> get_up(1)
        :: are_heard && in_list[2] -> get_up(2)
        :: are_heard && in_list[3] -> get_up(3)
        :: !are_heard
        fi
    }
}

#define sleeps_and_may_help(who) (in_list[who] && may_help(who))

/* The same for what lies in the arena: a thread that may help there. */
inline wake_for_part() {
    atomic {
        if
        :: are_heard && sleeps_and_may_help(0) -> get_up(0)
        :: are_heard && sleeps_and_may_help(1) -> get_up(1)
        :: are_heard && sleeps_and_may_help(2) -> get_up(2)
        :: are_heard && sleeps_and_may_help(3) -> get_up(3)
        :: !are_heard || !(sleeps_and_may_help(0) || sleeps_and_may_help(1) ||
            sleeps_and_may_help(2) || sleeps_and_may_help(3))
        fi
    }
}

/* platform::heavy_fence. */
inline heavy_fence() {
#ifdef BUG_no_heavy_fence
    skip
#else
    atomic {
        if
        :: pending -> pending = false; part = true
        :: else
        fi
    }
#endif
}

/* give_back, of a thief or (mine == 1) of a caller. */
inline give_back(mine) {
    atomic { before = here; here-- };
#ifndef BUG_leaves_without_a_wake
    if
    :: before == PLACES && calls > mine -> wake_for_part()
    :: else
    fi;
#endif
    before = 0
}

/* stand_ins::begin_blocking and end_blocking. A stand-in begins asleep, and looks around first. */
inline begin_blocking() {
#ifdef BLOCKS
    atomic {
        blocked++;
        if
        :: stand_ins < blocked ->
            in_list[OWN + stand_ins] = true;
            asleep++;
            run own(OWN + stand_ins);
            stand_ins++
        :: else
        fi
    };
    if
    :: part && here < PLACES -> wake_for_part()
    :: else
    fi
#else
    skip
#endif
}

inline end_blocking() {
#ifdef BLOCKS
    blocked--
#else
    skip
#endif
}

/* ---- Callers ---- */

inline enter() {
    calls++;
    atomic { here++; callers++ } /* add_caller */
}

inline leave() {
    callers--;
    give_back(1);
    calls--
}

proctype first_caller() {
    byte round, before;
    enter();
    do
    :: round < ROUNDS ->
        round++;
        pending = true;
#ifndef BUG_push_does_not_look
        /* sg_wake_for. */
        if
        :: are_heard ->
            if
            :: here < PLACES -> wake_for_part()
            :: else
            fi
        :: else
        fi;
#endif
        begin_blocking();
        helped == round;
        end_blocking()
    :: else -> break
    od;
    round = 0;
    done = true;
    leave();
    gone++
}

proctype second_caller() {
    byte entries = ENTRIES;
    byte before;
    do
    :: entries != 0 -> entries--; enter(); leave()
    :: else -> break
    od;
    gone++
}

/* A store leaves its buffer at some time. */
active proctype buffer() {
end:
    do
    :: atomic { pending -> pending = false; part = true }
    od
}

/* ---- Threads of the runtime's ---- */

/* take_place: leaves `has_place`. */
inline take_place() {
    if
#ifdef BUG_takes_a_place_without_an_exchange
    :: !has_place && here < PLACES -> skip;
        atomic { here++; thieves++; assert(thieves + callers <= PLACES); has_place = true }
#else
    :: atomic { !has_place && here < PLACES ->
            here++;
            thieves++;
            assert(thieves + callers <= PLACES);
            has_place = true
        }
#endif
    :: has_place
    :: !has_place && here >= PLACES /* refused */
    fi
}

/* Whether there is something for which there is a place: runtime::anything_to_do. */
#define anything_for(who) (elsewhere || (part && here < PLACES && may_help(who)))
#define anything_to_do anything_for(me)

/* idleness::stop_working and wait, until it is woken, sees something, or is over. */
inline sleep() {
    atomic { in_list[me] = true; asleep++; awake-- };
    look_and_wait()
}

inline look_and_wait() {
#ifndef BUG_sleeps_on_its_place
#ifndef BUG_gives_the_place_after_the_look
    if
    :: has_place -> atomic { here--; thieves--; has_place = false }
    :: else
    fi;
#endif
#endif
    heavy_fence();
#ifdef BUG_no_look_after_the_fence
    woken[me] || over;
#else
    if
    :: anything_to_do || over
    :: !(anything_to_do || over) ->
#ifdef BUG_gives_the_place_after_the_look
        if
        :: has_place -> atomic { here--; thieves--; has_place = false }
        :: else
        fi;
#endif
#ifndef BUG_looks_for_itself_alone
        /* wake_for_what_there_is. */
        if
        :: part && here < PLACES -> wake_for_part()
        :: else
        fi;
#endif
        woken[me] || over
    fi;
#endif
    /* seats::rise: without a processor it sleeps on. */
    atomic {
        woken[me] || over || awake < PROCESSORS;
        woken[me] = false;
        if
        :: in_list[me] -> in_list[me] = false; asleep--; awake++
        :: else
        fi
    }
}

proctype own(byte me) {
    bool has_place, found;
    byte before;
    if
    :: me >= OWN -> look_and_wait() /* a stand-in */
    :: else
    fi;
    do
    :: over -> break
    /* make_room. */
    :: atomic { has_place && here > PLACES -> here--; thieves--; has_place = false }
    /* find_work, at a victim in the arena. */
    :: part && may_help(me) ->
        take_place();
        if
        :: atomic { has_place && part -> part = false; found = true }
        :: else
        fi;
        if
        :: found ->
            found = false;
            helped++;
            /* call_another. */
            if
            :: here < PLACES || anything_to_do -> wake_for_part()
            :: else
            fi;
#ifdef BLOCKS
            begin_blocking();
            helped == ROUNDS;
            end_blocking()
#endif
        :: else
        fi
    /* The same, in none: begin_for, finish_move. */
    :: atomic { elsewhere -> elsewhere = false };
        if
        :: has_place ->
            atomic { thieves--; has_place = false };
            give_back(0)
        :: else
        fi;
#ifndef BUG_leaves_without_a_wake
        wake_if_any_sleeps();
#endif
        done
    /* It has found nothing. */
    :: !over -> sleep()
    od;
    /* leave_arena. */
    if
    :: has_place -> atomic { here--; thieves--; has_place = false }
    :: else
    fi;
    gone++
}

init {
    atomic {
#ifdef ELSEWHERE
        elsewhere = true;
#endif
        run own(0);
#ifndef BLOCKS
        run own(1);
#endif
        run first_caller();
        run second_caller()
    }
    gone == 2;
    over = true;
    gone == 2 + OWN + stand_ins;
    assert(here == 0 && calls == 0 && asleep == 0 && !part && helped == ROUNDS)
}
