/* SPDX-License-Identifier: MIT */
/*
 * Tasks that a thread outside of any run puts aside, the drainer, and a wait, with one worker:
 * README.md, "Groups".
 *
 * A thread puts two tasks aside, at any time. Another one waits for the group; afterwards it is not
 * there any more. A task of the group's that runs in another thread's run ends at any time, and begins
 * then what was put aside. The runtime's thread takes a drainer from the list of ready work, and
 * drains. Or (-DBUSY) it never takes any, because it has something else to do.
 *
 * (-DBLOCKS) The first task that begins waits in a blocking scope until the other one has begun: from
 * then on threads steal, the flow that has begun it goes on beside it, and a stand-in takes drainers as
 * well. (-DSTEALS) Threads steal
 * from the start: there are more workers.
 *
 * Checked: the drainer's tasks run beside no others, unless threads steal; each begins, without the wait as well, if
 * the runtime's thread is not busy; the wait returns when the tasks that were put aside before have
 * ended, busy or not.
 *
 * Abstracted: a task that is begun on a flow runs to its end there, but for the one that waits; what
 * happens under the record's lock is one step. task_group.pml has that lock, and several waiters.
 */

#define PUTS 2
#define none 0
#define sent 1
#define at_work 2
#define at_work_in_order 3
/* Flows that begin tasks: a drainer on either thread, the wait, the task of another run. */
#define DRAINER 0
#define WAITER 1
#define ENDING 2
#define STAND_INS 3
#define is_drainer(flow) (flow == DRAINER || flow == STAND_INS)

/* group_state::state, group_record. */
byte count = 1;       /* the task in another run */
byte aside;
byte drains;
byte waits_in_order;
bool waiting;

bool in_ready_list;
bool ready;   /* the waiter has been made ready */
byte running;
bool drainer_runs;
byte begun;
byte put;
bool has_waited;
#ifdef STEALS
bool steals = true;
#else
bool steals;
#endif
byte out[4];          /* children of each flow whose continuation was taken */

/* Takes the waiter off and makes it ready. */
inline wake() {
    if
    :: waiting -> waiting = false; ready = true
    :: else
    fi
}

inline one_task_less() {
    atomic {
        assert(count > 0);
        count--;
        if
        :: count == 0 -> wake()
        :: else
        fi
    }
}

#ifdef BLOCKS
proctype blocked_task(byte flow) {
    begun == PUTS;
    one_task_less();
    out[flow]--
}
#endif

inline end_running(flow) {
    atomic {
        running--;
        drainer_runs = drainer_runs && !is_drainer(flow)
    }
}

inline run_task(flow) {
    atomic {
        begun++;
        running++;
        drainer_runs = drainer_runs || is_drainer(flow);
        assert(steals || !drainer_runs || running == 1);
#ifdef BLOCKS
        if
        :: begun == 1 -> steals = true; out[flow]++; end_running(flow); run blocked_task(flow)
        :: else -> blocks_not = true
        fi
    };
    if
    :: blocks_not -> blocks_not = false; end_running(flow); one_task_less()
    :: else
    fi
#else
    };
    end_running(flow);
    one_task_less()
#endif
}

#define sync(flow) out[flow] == 0

#ifdef BUG_sends_beside_a_wait
#define lacks_drainer (drains == none)
#else
#define lacks_drainer (drains == none && !waits_in_order)
#endif

proctype thread_outside() {
    bool sends;
    do
    :: put < PUTS ->
        /* put_aside. */
        count++;
        atomic {
            aside++;
            put++;
            if
            :: waiting && drains != at_work_in_order -> wake()
            :: else ->
                if
                :: lacks_drainer -> sends = true; count++
                :: else
                fi
            fi
        };
        /* send_drainer. */
        if
        :: sends ->
            atomic {
                sends = false;
                if
                :: aside != 0 && lacks_drainer -> drains = sent; in_ready_list = true
                :: else -> sends = true
                fi
            };
            if
            :: sends -> sends = false; one_task_less()
            :: else
            fi
        :: else
        fi
    :: else -> break
    od
}

inline begin_draining() {
    if
    :: steals -> drains = at_work
    :: else -> drains = at_work_in_order
    fi
}

/* ends_draining: leaves `over`. */
inline ends_draining() {
    atomic {
        if
        :: aside == 0 -> drains = none; over = true
        :: else
        fi
    }
}

/* drain, on the runtime's thread, or on a stand-in. */
proctype runtimes_thread(byte me) {
    bool over, mine, blocks_not;
end:
    do
#ifndef BUSY
    :: atomic { in_ready_list -> in_ready_list = false };
        atomic { begin_draining() };
        over = false;
        do
        :: !over ->
            do
            :: true ->
                atomic {
                    if
                    :: aside != 0 -> aside--; mine = true
                    :: else -> mine = false
                    fi
                };
                if
                :: mine -> run_task(me)
                :: else -> break
                fi
            od;
#ifdef BUG_drains_until_its_tasks_have_ended
            sync(me);
#elif defined(BUG_syncs_with_one_in_the_list)
            if
            :: steals -> ends_draining()
            :: else
            fi;
            if
            :: !over -> sync(me)
            :: else
            fi;
#else
            if
            :: steals
            :: else -> sync(me)
            fi;
#endif
            ends_draining()
        :: else -> break
        od;
        sync(me);
        one_task_less()
#else
    :: false
#endif
    od
}

/* call_back_drainer. */
inline call_back_drainer() {
#ifndef BUG_leaves_the_drainer_in_the_list
    atomic {
        if
        :: drains == sent && in_ready_list ->
            in_ready_list = false;
            drains = none;
            calls_back = true
#ifdef BUG_takes_one_that_was_taken_for_none
        :: drains == sent && !in_ready_list
#else
        :: drains == sent && !in_ready_list -> begin_draining()
#endif
        :: drains != sent
        fi
    };
    if
    :: calls_back -> calls_back = false; one_task_less()
    :: else
    fi
#else
    skip
#endif
}

/* begin_all_aside: leaves `any`. */
inline begin_all_aside(flow) {
    do
    :: true ->
        atomic {
#ifdef BUG_begins_beside_the_drainer
            if
            :: aside != 0 -> aside--; mine = true
#else
            if
            :: aside != 0 && drains != at_work_in_order -> aside--; mine = true
#endif
            :: else -> mine = false
            fi
        };
        if
        :: mine -> any = true; run_task(flow)
        :: else -> break
        fi
    od
}

inline begin_wait_in_order() {
    atomic {
        if
        :: !in_order && !steals -> in_order = true; waits_in_order++
        :: else
        fi
    }
}

/* end_order: leaves `again`. */
inline end_order() {
    atomic {
        again = false;
        if
        :: !in_order
        :: in_order && aside != 0 && drains != at_work_in_order -> again = true
        :: in_order && !(aside != 0 && drains != at_work_in_order) ->
            in_order = false;
            waits_in_order--
        fi
    }
}

inline begin_all_in_wait(flow) {
    any = false;
    again = true;
    do
    :: again ->
        begin_wait_in_order();
        begin_all_aside(flow);
        again = false;
#ifndef BUG_keeps_its_turn_while_it_syncs
        if
        :: steals -> end_order()
        :: else
        fi
#endif
    :: else -> break
    od
}

#define is_through (aside == 0 && count == 0)

proctype waiter() {
    bool any, mine, calls_back, in_order, again, blocks_not;
    byte before = put;
    begin_wait_in_order();
    do
    :: true ->
        call_back_drainer();
        begin_all_in_wait(WAITER);
        sync(WAITER);
        call_back_drainer();
        if
        :: is_through
        :: !is_through ->
            begin_all_in_wait(WAITER);
            if
            :: !any ->
                /* arrive_as_waiter. */
                atomic {
                    if
#if defined(BUG_parks_beside_a_drainer_that_was_sent) || defined(BUG_leaves_the_drainer_in_the_list)
                    :: (aside == 0 || drains == at_work_in_order) && count != 0 -> waiting = true
#else
                    :: drains != sent && (aside == 0 || drains == at_work_in_order) && count != 0 ->
                        waiting = true
#endif
                    :: else -> ready = true
                    fi
                };
                atomic { ready -> ready = false }
            :: else
            fi
        fi;
#ifdef BUG_ends_its_wait_apart
        if
        :: is_through -> break
        :: else
        fi
    od;
    if
    :: in_order -> in_order = false; waits_in_order--
    :: else
    fi;
#else
        atomic {
            if
            :: is_through && in_order -> in_order = false; waits_in_order--; break
            :: is_through && !in_order -> break
            :: else
            fi
        }
    od;
#endif
    assert(begun >= before);
    has_waited = true
}

/* end_task, and begin_all_at_end. */
proctype task_of_another_run() {
    bool any, mine, calls_back, in_order, again, blocks_not;
    if
    :: aside != 0 ->
#ifdef BUG_ends_beside_a_drainer
        begin_all_aside(ENDING);
        sync(ENDING);
#else
        begin_wait_in_order();
        do
        :: true ->
            if
            :: in_order -> call_back_drainer()
            :: else
            fi;
            any = true;
            do
            :: any -> begin_all_in_wait(ENDING); sync(ENDING)
            :: else -> break
            od;
            end_order();
            if
            :: !again -> break
            :: else
            fi
        od;
#endif
    :: true
    fi;
    one_task_less()
}

init {
    atomic {
        run runtimes_thread(DRAINER);
#ifdef BLOCKS
        run runtimes_thread(STAND_INS);
#endif
        run thread_outside();
        run waiter();
        run task_of_another_run()
    };
    has_waited && put == PUTS;
#ifndef BUSY
    begun == PUTS && count == 0;
#endif
}
