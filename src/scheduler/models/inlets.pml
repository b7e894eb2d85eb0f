/* SPDX-License-Identifier: MIT */
/*
 * Inlets and aborts: inlets.md. A function, a slow clone from the start, spawns CHILDREN children
 * with inlets, calls something that is taken, and syncs. The process `function` is whoever goes on
 * with it; each child is a flow of its own, on the deque on which it was spawned. A frame may be taken
 * or popped, at any time; one thief comes in all, or one to each spawn. The inlet of child 0 aborts; a
 * child that was spawned later, and before that, may end only if it is aborted. So a request to ask
 * that is lost is an end in which somebody waits. With ABOVE no inlet aborts, but the function is
 * aborted itself, sooner or later, and any child may be one that ends only then.
 *
 * Checked: no inlet runs beside the function or another inlet; each runs once, or is dropped, and
 * after the sync all have; none of an aborted child runs; the frame is not touched after the
 * function's end; all come to their end; the function does not go on behind a spawn or a sync if a
 * child has ended without a result because the function was aborted.
 *
 * Abstracted: memory is sequentially consistent; a deque's lock and the join make one step each
 * (`links.pml`, `joins.pml`); which deque is oldest; strands of strands, blocks.
 */

#define CHILDREN 3
#define DEQUES 5

/* inlet_queue::first_: none, opened, or a set of parcels. */
#define none 0
#define opened 128
#define parcel(i) (1 << (i))

byte first;
byte runs_on;         /* a deque, DEQUES: nowhere yet */
bool ask[DEQUES];     /* its next pop asks, and so on until the owner has looked */
byte running = 1;     /* deques that worker::active shows, a bit each; 0 from the start */
byte stubs;           /* deques with a child whose parent, the function, was taken from there */
byte told;            /* those of the running that who aborts has found */
byte origin;          /* the deque on which the slow clone is the first function */

byte thieves;         /* that will come */
bool pushed;          /* the frame is in slot 0 of its deque, */
byte pushed_for;      /* while this child runs there */
bool inlets_run;
bool child_aborted;
bool returned[CHILDREN];

byte aborts;
byte birth[CHILDREN];
bool spawned[CHILDREN];
bool doomed[CHILDREN]; /* was out at the abort */
bool above;            /* the function's own strand is aborted */
bool unwound[CHILDREN]; /* has come to its end without a result */

byte out = 1;
bool go_on; /* the last child has arrived after the function */

byte at_work; /* strands of the function, and inlets: 1 at most */
byte done[CHILDREN];
bool freed;

#define was_aborted(i) (birth[i] != aborts)
#define is_aborted(i) (was_aborted(i) || above)

inline begin_work() {
    d_step {
        assert(at_work == 0 && !freed);
        at_work++
    }
}

inline end_work() {
    at_work--
}

#define has_to_ask(i) \
    (ask[i] || ((told & (1 << i)) != 0 && (origin == i || (stubs & (1 << i)) != 0)))

/* The numbers are changed already. */
inline make_all_ask() {
#ifdef BUG_abort_asks_nobody
    skip
#else
    d_step {
#ifndef BUG_abort_without_a_fence
        told = running;
#endif
        ask[0] = has_to_ask(0);
        ask[1] = has_to_ask(1);
        ask[2] = has_to_ask(2);
        ask[3] = has_to_ask(3);
        ask[4] = has_to_ask(4);
        told = 0
    }
#endif
}

/* abort_children, by the inlet of child 0. */
inline abort_children() {
    d_step {
        aborts++;
        doomed[0] = spawned[0] && done[0] == 0;
        doomed[1] = spawned[1] && done[1] == 0;
        doomed[2] = spawned[2] && done[2] == 0
    };
    make_all_ask()
}

/* inlet_queue::run. */
inline run_inlet(i) {
    begin_work();
    assert(done[i] == 0);
    done[i] = 1;
#ifdef BUG_birth_is_not_compared
    if
    :: true ->
#else
    if
    :: !was_aborted(i) ->
#endif
        assert(!doomed[i]);
#ifndef ABOVE
        if
        :: i == 0 -> abort_children()
        :: else
        fi
#endif
    :: else
    fi;
    end_work()
}

/* inlet_queue::run_waiting. */
inline run_waiting() {
    do
    :: first == none -> break
    :: else ->
        d_step {
            assert(first != opened && !freed);
            mine = first;
            first = none
        }
        k = 0;
        do
        :: k == CHILDREN -> break
        :: else ->
            if
            :: mine & parcel(k) -> run_inlet(k)
            :: else
            fi;
            k++
        od;
        mine = 0;
        k = 0
    od;
    skip /* no jump into a d_step */
}

/* inlet_queue::let_go. */
inline let_go() {
    do
    :: run_waiting();
#ifdef BUG_opens_without_exchange
        first = opened;
        break
#else
        if
        :: atomic { first == none -> first = opened }; break
        :: first != none
        fi
#endif
    od;
    skip
}

/* inlet_queue::close. */
inline close() {
#ifdef BUG_closes_while_an_inlet_runs
    first = none
#else
    atomic { first == opened -> first = none }
#endif
}

/* A worker shows the deque from now on. */
inline activate() {
    running = running | (1 << d)
}

/* inlet_queue::run_on, behind `close`, on a new deque. */
inline run_on() {
    d_step {
        d++;
        assert(d < DEQUES);
#ifndef BUG_looks_at_the_numbers_before_it_is_known
        activate()
#endif
    }
    origin = d; /* resume_full_frame */
#ifdef BUG_looks_before_it_says_where
    run_waiting();
    runs_on = d
#else
    runs_on = d;
    run_waiting()
#endif
}

/* inlet_queue::make_owner_ask. */
inline make_owner_ask() {
#ifdef BUG_nobody_is_made_to_ask
    skip
#else
#ifndef BUG_reads_where_before_it_puts
    where = runs_on;
#endif
    d_step {
        assert(!freed);
        if
        :: where < DEQUES && origin == where -> ask[where] = true
        :: else
        fi;
        where = 0
    }
#endif
}

/* inlet_queue::deliver. */
inline deliver(i) {
#ifdef BUG_reads_where_before_it_puts
    where = runs_on;
#endif
    assert(!freed);
#ifdef BUG_puts_without_exchange
    seen = first;
    if
    :: seen == opened ->
        if
        :: atomic { first == opened -> first = none }; run_inlet(i); let_go()
        :: first != opened; first = first | parcel(i); make_owner_ask()
        fi
    :: else ->
        first = seen | parcel(i);
        make_owner_ask()
    fi
#else
    if
    :: atomic { first == opened -> first = none };
        run_inlet(i);
        let_go()
    :: atomic { first != opened -> first = first | parcel(i) };
        make_owner_ask()
    fi
#endif
}

/* The last one of the children and the function continues the function. */
inline arrive_child() {
    d_step {
        assert(!freed);
        out--;
        go_on = (out == 0)
    }
}

/* end_spawned_child. */
inline end_strand(i) {
#ifdef BUG_arrives_before_it_delivers
    arrive_child();
    deliver(i)
#else
    if
    :: was_aborted(i) || unwound[i] -> done[i] = 1
    :: else -> deliver(i)
    fi;
    arrive_child()
#endif
}

/* begins_to_unwind. */
inline entry_is_between() {
#ifndef BUG_an_entry_drops_the_request
    ask[mine_is] = true
#else
    skip
#endif
}

/* A call of something that pops, or unwinds to its end on this stack, between two spawns:
 * begins_to_unwind, end_unwinding. */
inline call_what_asks() {
    if
    :: ask[d] ->
#ifdef BUG_a_call_drops_the_request
        ask[d] = false
#else
        d_step { ask[d] = (first != none || above) }
#endif
    :: true
    fi
}

/* A child: its flow pops now and then, and asks; in the end it pops its parent's frame. */
proctype child(byte i; byte mine_is) {
    byte k, mine, seen, where;
    bool endless, here;
    byte before;
    if
#ifdef ABOVE
    :: endless = true
    :: true
#else
    :: i != 0 && aborts == 0 -> endless = true
    :: i != 2 || aborts != 0
#endif
    fi;
    do
    :: ask[mine_is] ->
        /* looks_around: run_inlets_of_origin. */
        d_step {
            ask[mine_is] = false;
            here = pushed && pushed_for == i && first != none;
            if
            :: here -> inlets_run = true; before = aborts
            :: else
            fi
        }
        if
        :: here ->
            run_waiting();
            d_step {
                inlets_run = false;
                child_aborted = child_aborted || aborts != before;
                here = false;
                before = 0
            }
        :: else
        fi;
        /* begins_to_unwind; behind an ordinary entry it is for a later pop. */
        if
        :: pushed && pushed_for == i && (child_aborted || above) ->
            if
            :: unwound[i] = true; break
            :: entry_is_between()
            fi
        :: !(pushed && pushed_for == i) && is_aborted(i) ->
            if
            :: unwound[i] = true; break
            :: entry_is_between()
            fi
        :: else
        fi
#ifdef BUG_a_thief_stops_the_asking
    :: ask[mine_is] -> ask[mine_is] = false
#endif
    :: !endless -> break
    od;
    /* sg_is_stolen. */
    if
    :: atomic { pushed && pushed_for == i -> pushed = false; pushed_for = 0; returned[i] = true }
    :: !(pushed && pushed_for == i) -> end_strand(i)
    fi;
    d_step { endless = false; mine_is = 0 }
}

/* goes_to_cleanup. */
inline goes_to_cleanup_if_aborted() {
    if
    :: above -> goto cleaning
    :: else
    fi
}

/* resume_full_frame, up to the function's code. */
inline go_on_elsewhere() {
    run_on();
    goes_to_cleanup_if_aborted();
#ifdef BUG_looks_at_the_numbers_before_it_is_known
    activate();
#endif
}

/* Of sg_sync and of goes_to_cleanup. The owner is out again behind it. */
inline wait_for_children() {
#ifdef BUG_syncs_without_a_look
    first = opened;
#else
    let_go();
#endif
    if
    :: atomic { out == 1 -> out = 0; go_on = true }
    :: atomic { out > 1 -> out-- }
    fi;
    go_on;
    out = 1;
    close()
}

/* One spawn, from the push to what the function finds behind it. */
inline spawn(i) {
    end_work();
    d_step {
        assert(!freed);
        spawned[i] = true;
        birth[i] = aborts;
        pushed = true;
        pushed_for = i
    }
    run child(i, d);
    if
    :: returned[i] ->
        /* Popped: the inlet is a call, unless the child was aborted. */
        if
        :: child_aborted -> child_aborted = false; done[i] = 1
        :: !child_aborted && unwound[i] ->
            done[i] = 1;
#ifndef BUG_goes_on_without_the_child
            goes_to_cleanup_if_aborted();
#endif
            assert(!unwound[i])
        :: else -> run_inlet(i)
        fi;
        run_waiting() /* sg_poll */
#ifdef BUG_taken_while_inlets_run
    :: atomic { thieves != 0 && pushed && pushed_for == i ->
#else
    :: atomic { thieves != 0 && pushed && pushed_for == i && !inlets_run ->
#endif
            thieves--;
            /* take_full: the child becomes a strand. */
            pushed = false;
            pushed_for = 0;
            stubs = stubs | (1 << d);
            out++;
#ifdef BUG_birth_at_the_steal
            birth[i] = aborts;
#else
            birth[i] = aborts - child_aborted;
#endif
            child_aborted = false;
            origin = DEQUES
        };
        go_on_elsewhere()
    fi;
    begin_work()
}

proctype function() {
    byte d, k, mine;
    runs_on = 0;
    begin_work();
    spawn(0);
    spawn(1);
    /* A call of something that is taken: sg_suspend, and later continue_caller. */
    end_work();
    let_go();
    close();
    go_on_elsewhere();
    begin_work();
    call_what_asks();
    spawn(2);
    /* sg_sync. */
    end_work();
    wait_for_children();
#ifndef BUG_a_sync_goes_on
    goes_to_cleanup_if_aborted();
#endif
    begin_work();
    d_step {
        assert(first == none);
        assert(done[0] == 1 && done[1] == 1 && done[2] == 1);
#ifdef ABOVE
        assert(!unwound[0] && !unwound[1] && !unwound[2])
#endif
    }
    end_work();
    goto ended;
cleaning:
    wait_for_children();
    assert(first == none);
ended:
    freed = true
}

/* abort_children, by who has spawned the function. */
proctype abort_from_above() {
#ifdef BUG_abort_without_a_fence
    told = running; /* these loads may come before the number is seen */
#endif
    above = true;
    make_all_ask()
}

init {
    runs_on = DEQUES;
    if
    :: thieves = 1
    :: thieves = CHILDREN
    fi;
#ifdef ABOVE
    run abort_from_above();
#endif
    run function();
    _nr_pr == 1;
    assert(freed && out == 1)
}
