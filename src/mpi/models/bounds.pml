/* SPDX-License-Identifier: MIT */
/*
 * How a rank derives the bounds of others from a snapshot: README.md, "Bounds" and "A wait".
 *
 * Rank R has to know that X sends it nothing with a stamp up to K any more: it polls for X, or has a
 * candidate of this stamp for a receive from any source. Y computes and sends X two messages. X waits
 * for the first one, and sends R something then; then it waits for R or Y, and the second message of
 * Y, which it reads, has a tag that does not let it go on. Y waits for X in the end. So R derives X's
 * bound from Y's and from its own, and Y's from X's.
 *
 * Checked: once R has decided, X has sent it no stamp up to K that it has not read, and sends none;
 * and nobody sleeps for ever.
 *
 * Abstracted: memory is sequentially consistent, which fences and the orders of the operations see
 * to. X and Y are woken by any message that they wait for and have not read: sleep.pml has their
 * bells. What a rank has read stays in its ring, or the sender has used the memory again, as chance
 * has it. Clocks count in few steps.
 */

#define X 0
#define Y 1
#define K 4
#define FOREVER 100

#ifdef BUG_hop_of_three
#define HOP 3
#else
#define HOP 2
#endif

#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* Records of X and Y. */
byte bound[2];
byte epoch[2]; /* odd while the record changes */
bool is_blocked[2];
byte least[2];
byte told[2];    /* messages from the other one that it tells to have read */
bool for_r;      /* X waits for R, too */
bool watched[2]; /* R wants to be woken */

byte sent[2]; /* [x]: from the other one to x */
byte read[2];
byte stamps[2]; /* of Y's messages */
byte to_r; /* the stamp of X's message to R */

bool bell; /* R sleeps, or is about to */
bool is_decided;

/* ---- X and Y ---- */

inline tell_watcher(me) {
    d_step {
        if
        :: watched[me] && bell -> bell = false
        :: else
        fi;
        watched[me] = false
    }
}

inline publish(me, clock) {
    bound[me] = clock;
    tell_watcher(me)
}

inline say_blocked(me, clock, number) {
    epoch[me]++;
    d_step {
        is_blocked[me] = true;
        least[me] = clock + 1;
        told[me] = number;
        epoch[me]++
    };
#ifndef BUG_blocked_wakes_nobody
    tell_watcher(me)
#endif
}

inline say_running(me) {
    if
    :: is_blocked[me] ->
        epoch[me]++;
        d_step {
            is_blocked[me] = false;
            epoch[me]++
        }
    :: else
    fi
}

/* Waits until it has read another message. */
inline wait_for_message(me, clock) {
    say_blocked(me, clock, read[me]);
    sent[me] > read[me]; /* the nap */
    take(me)
}

inline take(me) {
#ifdef BUG_reads_while_it_is_blocked
    read[me]++;
    say_running(me)
#else
    say_running(me);
    read[me]++
#endif
}

/* Messages: written, then published. */
inline send_to_r(clock) {
    clock++;
#ifdef BUG_bound_before_the_message
    publish(X, clock);
#endif
    d_step {
        assert(!is_decided || clock > K);
        to_r = clock
    };
    publish(X, clock)
}

inline send_to_x(clock) {
    clock++;
#ifdef BUG_bound_before_the_message
    publish(Y, clock);
#endif
    d_step {
        stamps[sent[X]] = clock;
        sent[X]++
    };
    publish(Y, clock)
}

active proctype x() {
    byte clock;
    wait_for_message(X, clock);
    clock = MAX(clock + 1, stamps[0] + 1);
    send_to_r(clock);
    for_r = true;
    /* The look before sleep: tells again if it has read something since it told. */
    do
    :: is_decided -> break
    :: else ->
        say_blocked(X, clock, read[X]);
        if
        :: sent[X] > read[X] ->
            take(X);
#ifdef BUG_read_but_not_told
            (is_decided || sent[X] > read[X]) /* the nap */
#endif
        :: is_decided || sent[X] == read[X] ->
            (is_decided || sent[X] > read[X]) /* the nap */
        fi
    od;
    say_running(X);
    sent[Y]++;
    publish(X, FOREVER)
}

active proctype y() {
    byte clock;
    if
    :: clock = 1; publish(Y, clock)
    :: true
    fi;
    send_to_x(clock);
    if
    :: clock = clock + 3; publish(Y, clock)
    :: true
    fi;
    send_to_x(clock);
    wait_for_message(Y, clock);
    publish(Y, FOREVER)
}

/* ---- R ---- */

byte b[2]; /* what R knows of the bounds */

inline drain() {
    last = to_r
}

#define IS_CERTAIN (MAX(b[X], last) >= K)

inline look_at(which, blocked, version) {
    d_step {
        version = epoch[which];
        blocked = is_blocked[which] && version % 2 == 0;
        at_least[which] = least[which]
    };
    b[which] = bound[which]
}

inline look_at_ring(which, blocked) {
#ifndef BUG_looks_at_no_ring
    if
    :: blocked && sent[which] > told[which] -> blocked = false
    :: blocked && read[which] > told[which] -> skip /* the memory was used again */
    :: !blocked || sent[which] == told[which]
    fi
#else
    skip
#endif
}

inline look_again(which, blocked, version) {
#ifndef BUG_no_second_look
    blocked = blocked && epoch[which] == version
#else
    skip
#endif
}

/* A blocked rank is bounded by those that it waits for: Y by X, X by Y and perhaps by R, whose own
   clock will be above K. */
inline derive() {
    d_step {
        if
        :: x_is_blocked && y_is_blocked && r_counts ->
            b[X] = MAX(at_least[X], K + 1 + HOP);
            b[Y] = MAX(at_least[Y], b[X] + HOP)
        :: x_is_blocked && y_is_blocked && !r_counts ->
            b[X] = FOREVER; /* only if both wait for each other */
            b[Y] = FOREVER
        :: x_is_blocked && !y_is_blocked && r_counts && b[Y] > K + 1 ->
            b[X] = MAX(at_least[X], K + 1 + HOP)
        :: x_is_blocked && !y_is_blocked && !(r_counts && b[Y] > K + 1) ->
            b[X] = MAX(at_least[X], b[Y] + HOP)
        :: !x_is_blocked && y_is_blocked -> b[Y] = MAX(at_least[Y], b[X] + HOP)
        :: else
        fi
    }
}

inline snapshot() {
    look_at(X, x_is_blocked, x_version);
    r_counts = for_r;
    look_at(Y, y_is_blocked, y_version);
    look_at_ring(X, x_is_blocked);
    look_at_ring(Y, y_is_blocked);
    look_again(X, x_is_blocked, x_version);
    look_again(Y, y_is_blocked, y_version);
    derive()
}

inline look() {
#ifdef BUG_drains_first
    drain();
    snapshot();
#else
    snapshot();
    drain();
#endif
    if
    :: IS_CERTAIN -> goto over
    :: else
    fi
}

active proctype r() {
    byte last;
    byte at_least[2];
    byte x_version;
    byte y_version;
    bool x_is_blocked;
    bool y_is_blocked;
    bool r_counts;
    do
    :: true ->
#ifdef BUG_bits_before_the_bell
        watched[X] = true;
        watched[Y] = true;
        bell = true;
#else
        bell = true;
        watched[X] = true;
        watched[Y] = true;
#endif
        look();
        d_step { /* so that fewer states differ */
            b[X] = 0;
            b[Y] = 0;
            last = 0;
            at_least[X] = 0;
            at_least[Y] = 0;
            x_version = 0;
            y_version = 0;
            x_is_blocked = false;
            y_is_blocked = false;
            r_counts = false
        };
        !bell /* the nap */
    od;
over:
    assert(last == to_r || to_r > K);
    is_decided = true;
    bell = false
}
