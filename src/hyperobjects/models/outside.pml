/* SPDX-License-Identifier: MIT */
/*
 * One reducer's outside value, and the runs that end: README.md, "The outside value, and runs".
 *
 * Three runs, which begin and end in any order. In each, the serially first strand may look the
 * reducer up (and then claims the outside view if nobody holds it, or makes a view); or a later
 * strand does, so that the run ends with a view that was never the outside's.
 *
 * Checked: each run's update arrives in the outside value once; nobody writes the outside view
 * while somebody else holds it; in the end nobody holds it and no view waits.
 *
 * Abstracted: the waiting views are a set of bits (their order is tests/hyperobjects/'s); memory is
 * sequentially consistent (the holder is handed over by exchange and release, the rest has a lock).
 */

#define RUNS 3
#define nobody 0 /* the holder's names are 1 to RUNS */

byte holder;
byte waiting; /* views, a bit a run */
bool waiting_lock;

byte outside; /* the updates that have arrived, a bit a run */
byte writer = nobody;

#define bit_of(run_) (1 << run_)

inline lock() {
    atomic { !waiting_lock -> waiting_lock = true }
}

inline unlock() {
    waiting_lock = false
}

/* claim: a compare and exchange. */
inline claim() {
#ifdef BUG_claim_without_exchange
    won = holder == nobody;
    if
    :: won -> holder = me
    :: else
    fi
#else
    d_step {
        won = holder == nobody;
        holder = (won -> me : holder)
    }
#endif
}

/* reduce_views, or an update in place, of the outside view. Two steps, so that two at a time
 * meet. */
inline fold(views) {
    d_step {
        assert(writer == nobody);
        writer = me;
        assert(holder == me && (outside & (views)) == 0)
    }
    d_step {
        outside = outside | (views);
        writer = nobody
    }
}

/* release_outside. */
inline release_outside() {
    do
    :: true ->
#ifndef BUG_release_without_lock
        lock();
#endif
        list = waiting;
        waiting = waiting & ~list;
        if
        :: list == 0 ->
            assert(holder == me);
#ifdef BUG_release_after_the_lock
            unlock();
#endif
            holder = nobody;
#if !defined(BUG_release_without_lock) && !defined(BUG_release_after_the_lock)
            unlock();
#endif
            break
        :: else
        fi;
#ifndef BUG_release_without_lock
        unlock();
#endif
        fold(list);
        list = 0
#ifdef BUG_release_looks_once
        ;
        holder = nobody;
        break
#endif
    od
}

/* claim_or_wait. */
inline claim_or_wait() {
    lock();
#ifdef BUG_wait_without_a_second_claim
    won = false;
#else
    claim();
#endif
    if
    :: !won -> waiting = waiting | bit_of(me)
    :: else
    fi;
    unlock()
}

/* deposit_outside. */
inline deposit_outside() {
    claim();
    if
    :: !won -> claim_or_wait()
    :: else
    fi;
    if
    :: won ->
        fold(bit_of(me));
        release_outside()
    :: else
    fi
}

/* local::miss in the first strand or in another, and at the end local::finish_run. */
proctype one_run(byte me) {
    bool won;
    byte list;
    if
    :: claim() /* claim_outside: the view is the outside one */
    :: won = false
    fi;
    if
    :: won ->
        fold(bit_of(me));
        release_outside()
    :: else -> deposit_outside()
    fi
}

init {
    byte number;
    atomic {
        for (number : 1 .. RUNS) {
            run one_run(number)
        }
    }
    _nr_pr == 1;
    assert(outside == bit_of(1) + bit_of(2) + bit_of(3));
    assert(holder == nobody && waiting == 0 && !waiting_lock)
}
