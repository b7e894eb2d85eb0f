/* SPDX-License-Identifier: MIT */
/*
 * The search for spaces that wait for each other: README.md, "Deadlocks".
 *
 * Spaces 0 and 1 have one thread each; that of space 1 may begin another one. These threads take STEPS
 * steps in all: a thread changes the word of its space, begins the late thread, or waits until the
 * word of some space is another one; and it may end. A thread that waits tells so in its record,
 * counts the threads of its space, and may search; SEARCHES searches are made at any time. With
 * OBSERVER space 1 has one more thread, which waits for space 0 once, and only that one searches
 * early. With IDLER the late thread may idle: it sleeps until the other thread of its space wakes it
 * (platform/idle_threads.hpp). It is there from the beginning, or with OBSERVER begun by the other.
 *
 * Checked: whoever finds a deadlock is in one: all threads of all spaces that its own one waits for,
 * directly or not, wait for words that have not changed. If all threads are in a deadlock, the search
 * finds it.
 *
 * Abstracted: memory is sequentially consistent; a record is read and written at once, which its
 * sequence lock is for; a thread that waits looks at its word at any time, so there are no naps and
 * no wakes, and nobody is killed. Of the records of a walk, the versions stand for all that was read.
 */

#ifndef STEPS
#define STEPS 5
#endif
#ifndef SEARCHES
#define SEARCHES 1
#endif

#define SPACES 2
#define THREADS 4
#define SPACE_OF(t) (t == 0 -> 0 : 1)
#define LATE 3 /* the thread that is begun by another */

byte word[SPACES];

bool exists[THREADS];
bool waits[THREADS];    /* whatever the record tells */
byte expected[THREADS]; /* while the word of */
byte peer[THREADS];     /* this space holds it */
bool idles[THREADS];    /* sleeps until another thread wakes it */
short idle;             /* how many do, as it is counted */
byte changes;           /* of that number */

/* Records: one for each thread. */
bool is_told[THREADS];
byte version[THREADS];
byte counted[THREADS];

byte steps = STEPS;
byte searches = SEARCHES;
bool may_begin = true; /* the late one */

#ifdef OBSERVER
#define IS_SEARCHER (me == 2)
#else
#define IS_SEARCHER true
#endif
#define THREADS_OF(s) (s == 0 -> exists[0] : exists[1] + exists[2] + exists[3])
#define IS_IN_VAIN(t) (THREADS_OF(peer[t]) == 0)
#define MAY_GO_ON(t) (exists[t] && !idles[t] && !(waits[t] && word[peer[t]] == expected[t] && !IS_IN_VAIN(t)))
#define IS_STUCK (!MAY_GO_ON(0) && !MAY_GO_ON(1) && !MAY_GO_ON(2) && !MAY_GO_ON(3))
#define TO_COUNT(s) (s == 0 -> exists[0] : exists[1] + exists[2] + exists[3] - idles[3])
#define HAS_COUNTED(t) (!exists[t] || idles[t] || (is_told[t] && counted[t] == TO_COUNT(SPACE_OF(t))))
#define ALL_HAVE_COUNTED (HAS_COUNTED(0) && HAS_COUNTED(1) && HAS_COUNTED(2) && HAS_COUNTED(3))

/* Whether a space is among those that were found, and has a thread that is in no deadlock. */
#define IS_FREE(t) (exists[t] && !idles[t] && (members & (1 << SPACE_OF(t))) != 0 && \
                    (MAY_GO_ON(t) || (members & (1 << peer[t])) == 0))

/* `tell` in deadlocks.cpp. */
inline tell() {
    atomic {
        is_told[me] = true;
        version[me]++;
#ifndef BUG_keeps_the_old_count
        counted[me] = 0
#endif
    };
    count()
}

/* `own_threads`. */
inline count() {
#ifdef IDLER
    atomic { seen_changes = changes; seen_idle = (SPACE_OF(me) == 1 -> idle : 0) };
#endif
    number = THREADS_OF(SPACE_OF(me));
#ifdef IDLER
    atomic {
        if
#ifdef BUG_counts_at_two_moments
        :: seen_idle > 0 && seen_idle < number -> number = number - seen_idle
#else
        :: seen_idle > 0 && seen_idle < number && seen_changes == changes ->
            number = number - seen_idle
#endif
        :: else
        fi;
        seen_changes = 0;
        seen_idle = 0
    };
#endif
    atomic { counted[me] = number; number = 0 }
}

/* `vms::sleep`, `parking::sleep_until_woken`. */
inline sleep() {
    atomic { idle++; changes++ };
end_idle:
    !idles[me];
#ifdef BUG_the_woken_counts
    atomic { idle--; changes++ };
#endif
}

/* `vms::wake`, `parking::wake_one`. */
inline wake() {
#ifdef BUG_wakes_before_it_counts
    idles[LATE] = false;
#endif
#ifndef BUG_the_woken_counts
    atomic { idle--; changes++ };
#endif
    idles[LATE] = false
}

/* `read_wait`: adds whom the thread waits for. */
inline read_wait(t, seen) {
    if
    :: is_told[t] ->
#ifndef BUG_does_not_look_at_the_word
        is_deadlock = is_deadlock && word[peer[t]] == expected[t];
#endif
        is_deadlock = is_deadlock && (waiting == 0 || threads == counted[t]);
        threads = counted[t];
        waiting++;
        members = members | (1 << peer[t]);
        seen = seen | (version[t] << (t * 3)) /* a wait takes two of the versions */
    :: else
    fi
}

/* `all_threads_wait`, behind the last record of a space. */
inline compare_count() {
#ifdef BUG_does_not_count_threads
    is_deadlock = is_deadlock && waiting > 0;
#else
    is_deadlock = is_deadlock && waiting > 0 && waiting == threads;
#endif
    waiting = 0;
    threads = 0
}

/* `circle::find`. */
inline find(seen) {
    atomic { members = 1 << SPACE_OF(me); looked_at = 0 };
    do
    :: is_deadlock && (members & ~looked_at & 1) != 0 ->
        atomic { looked_at = looked_at | 1; read_wait(0, seen); compare_count() }
    :: is_deadlock && (members & ~looked_at & 2) != 0 ->
        atomic { looked_at = looked_at | 2; read_wait(1, seen) };
        atomic { read_wait(2, seen) };
        atomic { read_wait(3, seen); compare_count() }
    :: else -> break
    od
}

inline search() {
    is_deadlock = true;
    find(first);
#ifndef BUG_walks_once
    if
    :: is_deadlock -> find(second)
    :: else
    fi;
    is_deadlock = is_deadlock && first == second;
#endif
    atomic {
        assert(!is_deadlock || (!IS_FREE(0) && !IS_FREE(1) && !IS_FREE(2) && !IS_FREE(3)));
        /* So that states that differ in nothing are one. */
        first = 0;
        second = 0;
        looked_at = 0;
        members = 0
    }
}

inline wait_for(s) {
    atomic { waits[me] = true; peer[me] = s; expected[me] = word[s] };
    tell();
    do
    :: word[peer[me]] != expected[me] || IS_IN_VAIN(me) -> break
    :: atomic { IS_SEARCHER && searches > 0 -> searches-- };
        search();
        if
        :: is_deadlock -> goto gone
        :: else
        fi
    :: IS_STUCK && !HAS_COUNTED(me) -> count()
    :: IS_STUCK && ALL_HAVE_COUNTED ->
        search();
        assert(is_deadlock);
        goto gone
    od;
    atomic { is_told[me] = false; version[me]++; waits[me] = false; peer[me] = 0; expected[me] = 0 }
}

proctype thread(byte me) {
    byte number, members, looked_at, waiting, threads;
    short first, second;
    bool is_deadlock;
#ifdef IDLER
    byte seen_changes;
    short seen_idle;
#endif
end:
    exists[me];
    do
    :: atomic { steps > 0 -> steps-- };
        if
        :: word[SPACE_OF(me)]++
        :: atomic { SPACE_OF(me) == 1 && may_begin -> may_begin = false; exists[LATE] = true }
        :: wait_for(0)
        :: wait_for(1)
#ifdef IDLER
        /* Somebody is there to wake it: threads of the library's do not outlive the program's. */
        :: atomic { me == LATE && exists[1] -> idles[me] = true };
            sleep()
#endif
        fi
#ifdef IDLER
    :: me == 1 && idles[LATE] -> wake()
#endif
    :: atomic { !(me == 1 && idles[LATE]) -> exists[me] = false };
        break
    od;
gone:
    skip
}

proctype observer(byte me) {
    byte number, members, looked_at, waiting, threads;
    short first, second;
    bool is_deadlock;
#ifdef IDLER
    byte seen_changes;
    short seen_idle;
#endif
    wait_for(0);
    exists[me] = false;
gone:
    skip
}

init {
    atomic {
        exists[0] = true;
        exists[1] = true;
#if defined(IDLER) && !defined(OBSERVER)
        exists[LATE] = true;
        may_begin = false;
#endif
#ifdef OBSERVER
        exists[2] = true;
        run observer(2);
#endif
        run thread(0);
        run thread(LATE);
        run thread(1)
    }
}
