/* SPDX-License-Identifier: MIT */
/*
 * What others derive of a rank that waits until its synchronous send is matched: README.md, "A
 * receive that is cancelled" and "Bounds".
 *
 * S sends synchronously to V and waits for the match; then it sends V a message and R another one.
 * V has posted a receive that takes S's message at time T, later than V's clock. Meanwhile V tells
 * that time in `untold`. It makes its clock as high and tells S; or waits for S's next message and
 * tells S while it waits; or cancels the receive, so that there was no match, and posts another one
 * later. Or V's clock is far ahead already when the message comes, but its receive takes messages of
 * anybody and was posted early: for a while V does not know that S's message is the first one. R
 * looks at all this, and derives a bound of S.
 *
 * Checked: S sends R no stamp up to that bound which R has not read, and all get on.
 *
 * Abstracted: memory is sequentially consistent, as in bounds.pml, which has the sleepers. A rank
 * that waits only for the match of a send has read all that was sent to it.
 */

#define S 0
#define V 1
#define T 2 /* the message has stamp 1, and arrives 1 later */
#define AHEAD 6
#define LATENCY 1
#define HOP 2
#define FOREVER 100

#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MIN(a, b) ((a) < (b) -> (a) : (b))

byte bound[2];
byte epoch[2]; /* odd while the record changes */
bool is_blocked[2];
byte least[2];
byte told[2]; /* messages from the other one that it tells to have read */

byte sent[2]; /* [x]: records from the other one to x */
byte read[2];
byte when; /* what S's record says: the time of the match */
byte to_r; /* the stamp of S's message to R */

bool unmatched; /* V tells: S's send is matched, or waits for a receive that is still to be posted */
byte untold;    /* V tells: the time of a match of which it has not told S; 0: none */

byte promised; /* what R has derived */
bool is_over;

inline say_blocked(me, clock) {
    epoch[me]++;
    d_step {
        is_blocked[me] = true;
        least[me] = clock + 1;
        told[me] = read[me];
        epoch[me]++
    }
}

inline say_running(me) {
    epoch[me]++;
    d_step {
        is_blocked[me] = false;
        epoch[me]++
    }
}

active proctype s() {
    byte clock = 1;
    sent[V] = 1;
    bound[S] = clock;
    say_blocked(S, clock);
    sent[S] > 0; /* the record of the match */
    say_running(S);
    read[S] = 1;
    clock = MAX(clock, when + LATENCY) + 1;
    d_step {
        assert(clock > promised);
        to_r = clock
    };
    sent[V] = 2;
    bound[S] = clock
}

/* Behind the records of matches, and before the clock is published that counts on it. */
inline tell_match(at) {
#ifdef BUG_untold_before_the_record
    untold = 0;
#endif
    d_step {
        when = at;
        sent[S] = 1
    };
    untold = 0
}

inline post_another(clock) {
    /* A receive that is posted at the clock takes the message at once, not before it has arrived. */
    clock = MAX(clock + 1, T);
#ifdef BUG_clock_before_the_record
    bound[V] = clock;
#endif
    tell_match(clock);
    bound[V] = clock
}

inline wait_for_first() {
    if
    :: true
    :: say_blocked(V, clock); /* for S's second message */
       sent[V] > 0;
       say_running(V)
    fi;
    sent[V] > 0;
    read[V] = 1
}

/* The receive of anybody's message: decided after a while. */
inline decide_late() {
    clock = AHEAD;
    bound[V] = clock;
    wait_for_first();
#ifdef BUG_unmatched_before_the_record
    unmatched = true;
#endif
    tell_match(T);
    unmatched = true
}

inline decide_at_once() {
    wait_for_first();
#ifdef BUG_unmatched_before_untold
    unmatched = true;
    say_blocked(V, clock);
    say_running(V);
    untold = T;
#else
    untold = T;
    unmatched = true;
#endif
    if
    :: clock = T + 2;
       tell_match(T);
       bound[V] = clock
    :: say_blocked(V, clock);
       /* Its own bound, which follows from that of S, has come to T. */
       tell_match(T);
       sent[V] > 1;
       say_running(V)
    :: clock = 1; /* MPI_Cancel */
       untold = 0;
       bound[V] = clock;
       post_another(clock)
    fi;
}

active proctype v() {
    byte clock;
    if
    :: decide_late()
    :: decide_at_once()
    fi;
    is_over = true
}

/* ---- R ---- */

inline look_at(which, blocked, version) {
    d_step {
        version = epoch[which];
        blocked = is_blocked[which] && version % 2 == 0;
        at_least[which] = least[which]
    };
    b[which] = bound[which]
}

inline look_at_ring(which, blocked) {
    blocked = blocked && sent[which] == told[which]
}

inline look_at_match() {
#ifndef BUG_believes_each_wait
    s_is_blocked = s_is_blocked && unmatched;
#endif
#ifdef BUG_looks_at_no_untold
    candidate = FOREVER;
#else
    candidate = (untold != 0 -> untold : FOREVER);
#endif
}

inline derive() {
    d_step {
        if
        :: s_is_blocked && v_is_blocked ->
            b[S] = (candidate < FOREVER -> MAX(at_least[S], candidate + LATENCY) : FOREVER)
        :: s_is_blocked && !v_is_blocked ->
            b[S] = MAX(at_least[S], MIN(b[V] + HOP, candidate + LATENCY))
        :: else
        fi
    }
}

active proctype r() {
    byte b[2];
    byte at_least[2];
    byte s_version;
    byte v_version;
    byte candidate;
    bool s_is_blocked;
    bool v_is_blocked;
    do
    :: !is_over ->
        look_at(S, s_is_blocked, s_version);
        look_at(V, v_is_blocked, v_version);
#ifdef BUG_looks_at_the_ring_first
        look_at_ring(S, s_is_blocked);
        look_at_match();
#else
        look_at_match();
        look_at_ring(S, s_is_blocked);
#endif
        look_at_ring(V, v_is_blocked);
        s_is_blocked = s_is_blocked && epoch[S] == s_version;
        v_is_blocked = v_is_blocked && epoch[V] == v_version;
        derive();
        d_step {
            /* The rings are read behind: a message up to the bound is there. */
            if
            :: to_r == 0 && b[S] > promised -> promised = b[S]
            :: else
            fi;
            b[S] = 0;
            b[V] = 0;
            at_least[S] = 0;
            at_least[V] = 0;
            s_version = 0;
            v_version = 0;
            candidate = 0;
            s_is_blocked = false;
            v_is_blocked = false
        }
    :: is_over -> break
    od
}
