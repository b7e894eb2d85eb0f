/* SPDX-License-Identifier: MIT */
/*
 * A thread that blocks twice and joins twice, and those that unblock it and satisfy it: README.md,
 * "Block and unblock", "Dependences and join".
 *
 * The thread forks a child, blocks, joins; and once more. Two others unblock it once each, at any
 * moment; each child satisfies it at any moment after it was forked. Whoever finds that the thread is ready
 * puts it into a queue, from which a processor continues it.
 *
 * Checked: it is continued only when it has left its stack, by one processor at a time; it comes to
 * its end; a join returns when the children have ended.
 *
 * All that is shared is changed by read-modify-write operations, so memory is as it is written.
 */

#define BIAS 100 /* not_waiting */

short pending = BIAS;
short permits = 0;

bool on_its_stack = true; /* a processor runs it, or has not saved its context */
byte queued;              /* how often it is in a ready queue */
byte children;            /* that have ended */
byte forked;
bool go; /* a processor has taken it from the queue */

inline make_ready() {
    atomic {
        queued++;
        assert(queued == 1)
    }
}

/* processor::satisfy, with what it sets once the last is satisfied. */
inline satisfy(count) {
    atomic {
        assert(pending >= count);
        pending = pending - count;
        zero = (pending == 0)
    };
    if
    :: zero ->
        pending = BIAS;
        make_ready()
    :: else
    fi
}

/* Until a processor continues it. */
inline continued() {
    atomic { go -> go = false }
}

inline leave_the_stack() {
    on_its_stack = false
}

/* sg_nt_block, then processor::take_care_of_who_came_back. */
inline block() {
    if
    :: permits > 0 -> atomic { permits-- }
    :: else ->
#ifndef BUG_tells_before_it_has_left
        leave_the_stack();
#endif
        atomic {
            seen = permits;
            permits--
        };
        if
#ifndef BUG_does_not_look_again
        :: seen > 0 -> make_ready()
#endif
        :: else
        fi;
#ifdef BUG_tells_before_it_has_left
        leave_the_stack();
#endif
        continued()
    fi
}

/* sg_nt_join, likewise. */
inline join() {
    if
    :: pending == BIAS - expected ->
        pending = BIAS;
        expected = 0
    :: else ->
        leave_the_stack();
        satisfy((BIAS - expected));
        expected = 0;
        continued()
    fi
}

/* sg_nt_fork. */
inline fork() {
#ifdef BUG_expected_too_early
    atomic { pending++ };
#endif
    expected++;
    forked++
}

active proctype the_thread() {
    short seen;
    short expected = 0;
    bool zero;
    fork();
    block();
    join();
    assert(children == 1);
    fork();
    block();
    join();
    assert(children == 2);
    assert(pending == BIAS && permits == 0 && queued == 0)
}

active [2] proctype unblocker() {
    bool was_blocked;
    atomic {
        was_blocked = (permits == -1);
        permits++
    };
    if
#ifdef BUG_unblock_always_wakes
    :: true -> make_ready()
#else
    :: was_blocked -> make_ready()
#endif
    :: else
    fi
}

/* Threads that the_thread forks: they end one after the other, as many as there are. */
active [2] proctype child() {
    bool zero;
    forked > _pid - 3;
    children++;
    satisfy(1)
}

/* The processors: one takes the thread from the queue and continues it. */
active proctype processor() {
end:
    do
    :: atomic {
           queued > 0 ->
           queued--;
           assert(!on_its_stack);
           on_its_stack = true;
           go = true
       }
    od
}
