/* SPDX-License-Identifier: MIT */
/*
 * Who works on which worker: README.md, "The thread that enters works".
 *
 * Two workers, one thread of the runtime's (with -DONE one worker and none), two threads that enter,
 * each twice. Each root has two parts: the first runs where the root is begun, the second may be
 * stolen by the thread of the runtime's; the root is done when both are. Who has entered and finds
 * nothing of its root's may give its worker back and sleep until the root is done, or until it is
 * given one again.
 *
 * Checked: no worker has two threads; no root is begun twice; each thread that enters gets out; at the
 * end no worker is lost, nobody is in a list, and nobody is counted.
 *
 * Abstracted: memory is sequentially consistent, as are the operations of worker 0 and of `wanted_`
 * (idle.pml has the rest). What happens under the lock is one step; system calls come after it. Which
 * of the sleepers is woken is open.
 */

#define GUESTS 2
#define POOL 2 /* the thread of the runtime's */
#define THREADS 3
#define NOBODY 9

mtype = { vacant, taken, listed };
mtype first = vacant;
bool wanted;
bool is_free[2]; /* worker 0 only while it is listed */
byte sleepers;   /* seats::sleepers; sg_hear_pushes says whether there are any */
chan waiting = [GUESTS] of { byte };
bool in_list[THREADS]; /* who sleeps */
bool seated[THREADS], over[THREADS];
byte seat[THREADS];
byte sits[2] = { NOBODY, NOBODY }; /* who works where: for the assertion */
byte inside, gone;

bool begun[GUESTS], stealable[GUESTS];
byte parts[GUESTS]; /* of each root that have run */

#define free_ (is_free[0] + is_free[1])
#define asleep_ (in_list[0] + in_list[1] + in_list[2])
#define guests_ (in_list[0] + in_list[1])

/* ---- Under the lock ---- */

/* seats::take_for: there is a free one, or worker 0 is vacant, or `got` stays false. */
inline take_for(who) {
    got = true;
    if
    :: is_free[1] -> is_free[1] = false; seat[who] = 1
    :: is_free[0] -> is_free[0] = false; seat[who] = 0; first = taken
    :: !is_free[0] && !is_free[1] && first == vacant -> seat[who] = 0; first = taken
    :: !is_free[0] && !is_free[1] && first != vacant -> got = false
    fi
}

inline put(which) {
    is_free[which] = true;
    if
    :: which == 0 -> first = listed
    :: else
    fi
}

inline settle(leaving) {
    do
    :: len(waiting) != 0 && free_ != 0 ->
        waiting?next;
        take_for(next);
        seated[next] = true
    :: else ->
        wanted = (len(waiting) != 0 || asleep_ > free_);
        if
        :: is_free[0] && asleep_ < free_ -> is_free[0] = false; first = vacant
        :: else
        fi;
        if
        :: wanted && first == vacant -> put(0)
        :: else -> break
        fi
    od;
    sleepers = in_list[POOL] + (inside - leaving <= 1 -> guests_ : 0);
    sleepers = (sleepers < free_ -> sleepers : free_);
    next = NOBODY;
    got = false
}

/* seats::wake. */
inline wake() {
    atomic {
        if
        :: sleepers != 0 && in_list[POOL] -> next = POOL
        :: sleepers != 0 && !in_list[POOL] ->
            if
            :: in_list[0] -> next = 0
            :: in_list[1] -> next = 1
            fi
        :: sleepers == 0
        fi;
        if
        :: next != NOBODY ->
            take_for(next);
            assert(got);
            in_list[next] = false;
            seated[next] = true;
            settle(0)
        :: else
        fi
    }
}

inline rest() {
    atomic {
        sits[seat[me]] = NOBODY;
        put(seat[me]);
        in_list[me] = true;
        settle(0)
    }
}

inline begin_working() {
    assert(sits[seat[me]] == NOBODY);
    sits[seat[me]] = me
}

/* seats::rise, for one that sees work: leaves `up`. */
inline rise() {
    atomic {
        if
        :: seated[me] -> up = true
        :: !seated[me] && in_list[me] ->
            take_for(me);
            up = got;
            if
            :: got -> in_list[me] = false
            :: else
            fi;
            settle(0)
        :: !seated[me] && !in_list[me] -> up = false
        fi;
        seated[me] = false;
        if
        :: up -> begin_working()
        :: else
        fi
    }
}

/* ---- Threads ---- */

/* A part of `whose` has run: runtime::run_root, and the join before it. */
inline end_part(whose) {
    atomic {
        parts[whose]++;
        if
        :: parts[whose] == 2 -> over[whose] = true
        :: else
        fi
    }
}

/* The first part, which pushes the second and looks for sleepers. */
inline run_root(whose) {
    stealable[whose] = true;
    if
    :: sleepers != 0 -> wake()
    :: else
    fi;
    end_part(whose)
}

inline leave() {
    if
    :: up && seat[me] == 0 ->
        atomic { sits[0] = NOBODY; first = vacant };
        if
#ifndef BUG_leaves_without_a_look
        :: wanted ->
            if
            :: atomic { first == vacant -> first = taken; slowly = true }
            :: atomic { first != vacant -> slowly = false }
            fi
#endif
        :: else -> slowly = false
        fi
    :: else -> slowly = true
    fi;
    if
    :: slowly ->
        atomic {
            in_list[me] = false;
            if
            :: up || seated[me] ->
                if
                :: up && sits[seat[me]] == me -> sits[seat[me]] = NOBODY
                :: else
                fi;
#ifdef BUG_forgets_what_it_was_given
                if
                :: up -> put(seat[me])
                :: else
                fi
#else
                put(seat[me])
#endif
            :: else
            fi;
            settle(1)
        }
    :: else
    fi;
    slowly = false
}

proctype guest(byte me) {
    byte entries = 2;
    byte next = NOBODY;
    bool up, got, slowly;
    do
    :: entries == 0 -> gone++; break
    :: else ->
        entries--;
        atomic {
            inside++;
            over[me] = false;
            seated[me] = false;
            begun[me] = false;
            parts[me] = 0
        };
        /* seats::take_first. */
#ifdef BUG_takes_first_without_exchange
        if
        :: first == vacant -> atomic { first = taken; seat[me] = 0; up = true }
        :: else
        fi;
#else
        if
        :: atomic { first == vacant -> first = taken; seat[me] = 0; up = true }
        :: atomic { first != vacant -> up = false }
        fi;
#endif
        if
        :: !up ->
            /* seats::take_or_wait. */
            atomic {
#ifdef BUG_looks_at_the_first_before_it_is_wanted
                got = false;
                if
                :: len(waiting) == 0 -> take_for(me)
                :: else
                fi
            }
            atomic {
                up = got;
                if
                :: !up ->
                    waiting!me;
                    wanted = true
                :: else
                fi;
                got = false
#else
                got = false;
                if
                :: len(waiting) == 0 -> take_for(me)
                :: else
                fi;
                up = got;
                if
                :: !up -> waiting!me
                :: else
                fi;
                settle(0)
#endif
            };
            if
            :: !up ->
                /* Its root is begun by another, or it gets a worker. */
                seated[me] || over[me];
                rise()
            :: else -> atomic { begin_working() }
            fi
        :: else -> atomic { begin_working() }
        fi;
        /* work_until_over. */
        do
        :: over[me] -> break
        :: !over[me] && up ->
            if
            :: atomic { !begun[me] -> begun[me] = true }
                run_root(me)
            :: atomic { begun[me] && stealable[me] -> stealable[me] = false }
                end_part(me)
            :: atomic { begun[me] && !stealable[me] -> up = false }
                rest();
                if
                :: inside > 1 && sleepers != 0 -> wake()
                :: else
                fi
            :: over[me]
            fi
        :: !over[me] && !up ->
            /* idleness::wait. */
            seated[me] || over[me];
            if
            :: !over[me] ->
                rise()
            :: else
            fi
        od;
        leave();
        up = false;
        inside--
    od
}

inline steal(whose) {
    stealable[whose] = false;
    begun_part = whose
}

proctype pool() {
    byte me = POOL;
    byte next = NOBODY;
    byte begun_part;
    bool up = true, got;
    do
    :: over[me] -> break
    :: !over[me] && up ->
        if
        :: atomic {
               len(waiting) != 0 ->
#ifdef BUG_begins_without_taking_off
               waiting?<begun_part>;
#else
               waiting?begun_part;
               in_list[begun_part] = true;
#endif
               assert(!begun[begun_part]);
               begun[begun_part] = true;
               settle(0)
           }
            run_root(begun_part)
        :: atomic { stealable[0] -> steal(0) }
            end_part(begun_part)
        :: atomic { stealable[1] -> steal(1) }
            end_part(begun_part)
        :: atomic {
               len(waiting) == 0 && !stealable[0] && !stealable[1] -> up = false
           }
            rest()
        fi
    :: !over[me] && !up ->
        seated[me] || over[me] || stealable[0] || stealable[1];
        if
        :: !over[me] ->
            rise();
            if
            :: !up -> /* all are taken */
                seated[me] || over[me]
            :: up
            fi
        :: else
        fi
    od
}

init {
    byte me = POOL;
    atomic {
        seat[POOL] = 1;
        sits[1] = POOL;
        run guest(0);
        run guest(1);
#ifndef ONE
        run pool()
#endif
    }
    gone == GUESTS;
    /* Every worker is where it was. */
    assert(len(waiting) == 0 && guests_ == 0);
    assert(free_ + (first == vacant) + (sits[0] != NOBODY) + (sits[1] != NOBODY) + seated[POOL] == 2);
    over[me] = true
}
