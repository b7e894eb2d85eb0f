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
 * Checked: nobody sleeps for ever.
 *
 * Abstracted: memory is sequentially consistent, which the fences see to; without a fence
 * (BUG_no_fence) a rank looks for sleepers before what it has stored is visible. A nap is over only
 * by a wake: so one that is forgotten shows, instead of being late.
 */

#define X 0
#define R 1

#define ANYBODY 0
#define Y_ALONE 1
#define Z_ALONE 2

bool sent_by_z;   /* a message to X, */
byte sent;        /* and those that may come later */
byte told;        /* of these, what X tells that it has read, */
bool is_blocked;  /* if it tells that it is blocked */
bool has_bound;   /* Y's is high enough */
bool is_decided;  /* R's message to X is there */
bool bell[2];     /* the lowest bits: who sleeps, or is about to */
byte heeds;       /* whose messages wake X */
bool watches_x;   /* R's bits at the others: wake it, once */
bool watches_y;

inline ring(who) {
    if
    :: bell[who] -> bell[who] = false
    :: else
    fi
}

/* The same, of a small message to X. */
inline ring_of_message(from) {
    if
    :: bell[X] ->
        if
        :: heeds == ANYBODY || heeds == from -> bell[X] = false
        :: else
        fi
    :: else
    fi
}

/* Takes R's bit away, and wakes it if it sleeps. */
inline tell_watcher(watches) {
    watches = false;
    ring(R)
}

inline tell(number) {
    if
    :: is_blocked && told == number
    :: else ->
#ifdef BUG_no_fence
        saw = watches_x;
#endif
        atomic { is_blocked = true; told = number };
#ifndef BUG_no_fence
        saw = watches_x;
#endif
        if
        :: saw -> tell_watcher(watches_x)
        :: else
        fi
    fi
}

active proctype x() {
    byte read;
    bool saw;
    bool goes_on;
    do
    :: sent_by_z -> break
    :: else ->
        heeds = Z_ALONE;
        bell[X] = true;
        if
        :: sent_by_z -> break
        :: else
        fi;
        !bell[X] /* the nap */
    od;
    do
    :: read = sent;
        if
        :: is_decided -> break
        :: else
        fi;
        tell(read);
#ifndef BUG_heeds_late
        heeds = ANYBODY;
#endif
        bell[X] = true;
        goes_on = true;
        do
        :: goes_on ->
            read = sent;
            if
            :: is_decided -> goto over
            :: else
            fi;
#ifndef BUG_read_but_not_told
            tell(read);
#endif
            atomic { goes_on = (sent != read); read = sent };
            if
            :: is_decided -> goto over
            :: else
            fi
        :: else -> break
        od;
#ifdef BUG_heeds_late
        heeds = ANYBODY;
#endif
        !bell[X] /* the nap */
    od;
over:
    bell[X] = false
}

active proctype y() {
    bool saw;
#ifdef BUG_no_fence
    saw = bell[X];
    sent++;
    if
    :: saw -> bell[X] = false
    :: else
    fi;
#else
    sent++;
    ring_of_message(Y_ALONE);
#endif
    has_bound = true;
    saw = watches_y;
    if
    :: saw -> tell_watcher(watches_y)
    :: else
    fi
}

active proctype z() {
    sent_by_z = true;
    ring_of_message(Z_ALONE)
}

#define IS_FIRST (has_bound && is_blocked && told == sent)

active proctype r() {
    do
    :: IS_FIRST -> break
    :: else ->
#ifdef BUG_bits_before_the_bell
        watches_x = true;
        watches_y = true;
        bell[R] = true;
#else
        bell[R] = true;
        watches_x = true;
        watches_y = true;
#endif
        if
        :: IS_FIRST -> break
        :: else
        fi;
        !bell[R] /* the nap */
    od;
    is_decided = true;
    ring(X)
}
