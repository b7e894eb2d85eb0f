/* SPDX-License-Identifier: MIT */
/*
 * Threads that the process keeps and lends: README.md, "Threads that are lent".
 *
 * Two borrowers at once, the first with two calls and the second with one; a third when both have
 * their threads back; then all that rest are ended. Three kept threads do, so none is ever made
 * while one rests.
 *
 * Checked: each call is made once; who joins goes on when its calls have returned; no thread is
 * counted idle (platform/idle_threads.hpp) while it works for a borrower, or when it goes on after
 * a join; the third borrower finds a thread at rest; all threads end.
 *
 * Abstracted: the list is a set of flags; names, masks and forks are left out.
 */

#define THREADS 3
#define BORROWERS 3

#define REST 0
#define WORK 1
#define END 2

byte told[THREADS];
byte works_for[THREADS]; /* whose call it makes */
bool rests[THREADS];     /* it is in the list */
bool is_idle[THREADS];
byte made;               /* threads */
byte ended;

byte under_way[BORROWERS];
short left[BORROWERS];   /* joined_threads::left_ */
bool joiner_is_idle[BORROWERS];
byte calls[BORROWERS];   /* that were made */
byte returned;           /* borrowers */

/* joined_threads::leave */
inline leave(b) {
    atomic {
        left[b]--;
        if
        :: left[b] == 0 -> joiner_is_idle[b] = false
        :: else
        fi
    }
}

inline put_to_rest() {
#ifdef BUG_rests_before_it_is_idle
    rests[me] = true;
    is_idle[me] = true
#else
    is_idle[me] = true;
    rests[me] = true
#endif
}

/* kept_thread::live */
proctype kept(byte me) {
    byte what, borrower;
    do
    :: told[me] != REST ->
        what = told[me];
#ifndef BUG_resets_late
        told[me] = REST;
#endif
        if
        :: what == END -> break
        :: else
        fi;
        assert(!is_idle[me]);
        borrower = works_for[me];
        atomic { calls[borrower]++; assert(!is_idle[me]) };
#ifdef BUG_tells_before_it_leaves
        atomic { under_way[borrower]-- };
        leave(borrower);
        put_to_rest();
#else
        leave(borrower);
#ifdef BUG_tells_before_it_rests
        atomic { under_way[borrower]-- };
        put_to_rest();
#else
        put_to_rest();
#ifdef BUG_resets_late
        told[me] = REST;
#endif
        atomic { under_way[borrower]-- };
#endif
#endif
        what = 0;
        borrower = 0
    od;
    atomic { ended++ }
}

/* lent_threads::start */
inline start() {
    atomic {
        if
        :: rests[0] -> who = 0
        :: rests[1] -> who = 1
        :: rests[2] -> who = 2
        :: !rests[0] && !rests[1] && !rests[2] -> who = THREADS
        fi;
        assert(me != 2 || who != THREADS);
        if
        :: who != THREADS -> rests[who] = false
        :: else
        fi
    };
    if
    :: who == THREADS ->
        atomic {
            assert(made < THREADS);
            who = made;
            made++;
            run kept(who)
        }
    :: else ->
#ifndef BUG_wakes_an_idle_one
        is_idle[who] = false
#else
        skip
#endif
    fi;
    works_for[who] = me;
    atomic { under_way[me]++ };
    told[who] = WORK
}

proctype borrower(byte me; byte wanted) {
    byte who;
    byte started;
    do
    :: started < wanted -> start(); started++
    :: started == wanted -> break
    od;
    /* lent_threads::join */
    atomic {
        left[me] = left[me] + wanted;
        if
        :: left[me] > 0 -> joiner_is_idle[me] = true
        :: else
        fi
    };
    under_way[me] == 0;
    assert(!joiner_is_idle[me]);
    assert(calls[me] == wanted);
    atomic { returned++ }
}

init {
    byte i;
    atomic {
        run borrower(0, 2);
        run borrower(1, 1)
    };
    returned == 2;
    run borrower(2, 1);
    returned == 3;
    /* end_resting_threads */
    for (i : 0 .. THREADS - 1) {
        if
        :: rests[i] ->
            rests[i] = false;
            is_idle[i] = false;
            told[i] = END
        :: else
        fi
    }
    ended == made;
    assert(calls[0] == 2 && calls[1] == 1 && calls[2] == 1)
}
