/* SPDX-License-Identifier: MIT */
/*
 * How ranks sleep and are woken: README.md, "A wait".
 *
 * Rank R has a receive from any source with a candidate. It may decide when the bound of rank Y is
 * high enough, and rank X is blocked with nothing on its way: X has told that it has read all that
 * was sent to it. Y sends X a message that does not let X go on, then publishes its bound. X waits
 * for a message of R's, which R sends when it has decided.
 *
 * Before that X waits for a message of Z's alone, and then only Z's messages wake it.
 *
 * With HEEDS there is W in place of X and Z. W waits for a message of R's alone, so it heeds R and
 * tells that it is blocked at once. Y sends W a message, which does not wake it. R believes W
 * nevertheless, because W tells that it waits for R alone.
 *
 * Checked: nobody sleeps for ever.
 *
 * Abstracted: memory is sequentially consistent, which the fences see to; without a fence
 * (BUG_no_fence) a rank looks for sleepers before what it has stored is visible. A nap is over only
 * by a wake: so one that is forgotten shows, instead of being late.
 */

#define X 0
#define W 1
#define R 2

#define ANYBODY 0
#define Y_ALONE 1
#define Z_ALONE 2
#define R_ALONE 3

bool sent_by_z;      /* a message to X, */
byte sent[2];        /* and those that may come later; to W: Y's */
byte told[2];        /* of these, what X and W tell that they have read, */
bool is_blocked[2];  /* if they tell that they are blocked */
bool has_bound;      /* Y's is high enough */
bool is_decided;     /* R's messages to X and W are there */
bool bell[3];        /* the lowest bits: who sleeps, or is about to */
byte heeds[2];       /* whose messages wake X and W */
bool watches[2];     /* R's bits at the others: wake it, once */
bool watches_y;

inline ring(who) {
    if
    :: bell[who] -> bell[who] = false
    :: else
    fi
}

/* The same, of a small message. */
inline ring_of_message(to, from) {
    if
    :: bell[to] ->
        if
        :: heeds[to] == ANYBODY || heeds[to] == from -> bell[to] = false
        :: else
        fi
    :: else
    fi
}

/* Takes R's bit away, and wakes it if it sleeps. */
inline tell_watcher(watch) {
    watch = false;
    ring(R)
}

inline tell(who, number) {
    if
    :: is_blocked[who] && told[who] == number
    :: else ->
#ifdef BUG_no_fence
        saw = watches[who];
#endif
        atomic { is_blocked[who] = true; told[who] = number };
#ifndef BUG_no_fence
        saw = watches[who];
#endif
        if
        :: saw -> tell_watcher(watches[who])
        :: else
        fi
    fi
}

#ifndef HEEDS

active proctype x() {
    byte read;
    bool saw;
    bool goes_on;
    do
    :: sent_by_z -> break
    :: else ->
        heeds[X] = Z_ALONE;
        bell[X] = true;
        if
        :: sent_by_z -> break
        :: else
        fi;
        !bell[X] /* the nap */
    od;
    do
    :: read = sent[X];
        if
        :: is_decided -> break
        :: else
        fi;
        tell(X, read);
#ifndef BUG_heeds_late
        heeds[X] = ANYBODY;
#endif
        bell[X] = true;
        goes_on = true;
        do
        :: goes_on ->
            read = sent[X];
            if
            :: is_decided -> goto over
            :: else
            fi;
#ifndef BUG_read_but_not_told
            tell(X, read);
#endif
            atomic { goes_on = (sent[X] != read); read = sent[X] };
            if
            :: is_decided -> goto over
            :: else
            fi
        :: else -> break
        od;
#ifdef BUG_heeds_late
        heeds[X] = ANYBODY;
#endif
        !bell[X] /* the nap */
    od;
over:
    bell[X] = false
}

active proctype z() {
    sent_by_z = true;
    ring_of_message(X, Z_ALONE)
}

#else

active proctype w() {
    byte read;
    bool saw;
    bool goes_on;
    do
    :: read = sent[W];
        if
        :: is_decided -> break
        :: else
        fi;
        tell(W, read);
        heeds[W] = R_ALONE;
        bell[W] = true;
        goes_on = true;
        do
        :: goes_on ->
            read = sent[W];
            if
            :: is_decided -> goto over
            :: else
            fi;
            tell(W, read);
            atomic { goes_on = (sent[W] != read); read = sent[W] };
            if
            :: is_decided -> goto over
            :: else
            fi
        :: else -> break
        od;
        !bell[W] /* the nap */
    od;
over:
    bell[W] = false
}

#endif

active proctype y() {
    bool saw;
#ifdef HEEDS
    sent[W]++;
    ring_of_message(W, Y_ALONE);
#elif defined(BUG_no_fence)
    saw = bell[X];
    sent[X]++;
    if
    :: saw -> bell[X] = false
    :: else
    fi;
#else
    sent[X]++;
    ring_of_message(X, Y_ALONE);
#endif
    has_bound = true;
    saw = watches_y;
    if
    :: saw -> tell_watcher(watches_y)
    :: else
    fi
}

/* Whether a rank that tells so is blocked, with nothing on its way that may let it go on. */
#ifndef HEEDS
#define SLEEPER X
#define IS_STUCK (is_blocked[X] && told[X] == sent[X])
#else
#define SLEEPER W
#ifdef BUG_heeds_one_and_tells_of_all
#define IS_STUCK (is_blocked[W] && told[W] == sent[W])
#else
#define IS_STUCK is_blocked[W]
#endif
#endif

#define IS_FIRST (has_bound && IS_STUCK)

active proctype r() {
    do
    :: IS_FIRST -> break
    :: else ->
#ifdef BUG_bits_before_the_bell
        watches[SLEEPER] = true;
        watches_y = true;
        bell[R] = true;
#else
        bell[R] = true;
        watches[SLEEPER] = true;
        watches_y = true;
#endif
        if
        :: IS_FIRST -> break
        :: else
        fi;
        !bell[R] /* the nap */
    od;
    is_decided = true;
    ring_of_message(SLEEPER, R_ALONE)
}
