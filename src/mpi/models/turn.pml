/* SPDX-License-Identifier: MIT */
/*
 * The order of steps at one target: core/windows/README.md, "A turn".
 *
 * Two origins have three steps each, at rising clocks of any distance, at the target or at another
 * one.
 *
 * Checked: steps at the target take effect in the order of (clock, rank), one at a time, and nobody
 * waits for ever.
 *
 * Abstracted: memory is sequentially consistent, which releases and acquires see to.
 */

#define STEPS 3

byte bound[2];     /* published clocks */
byte clock[2];     /* of the step that waits or takes effect; 0: none */
bool is_there[2];  /* the bits: the step is at the target */
byte last;         /* clock and rank of the last step that took effect at the target */
bool is_busy;      /* a step takes effect there */

/* A lesser rank may have a step at the same clock, and that would be earlier. */
#define NEEDED (now - (other > me -> 1 : 0))
#define IS_EARLIER(c) (c != 0 && (c < now || (c == now && other < me)))

active [2] proctype origin() {
    byte me = _pid;
    byte other = 1 - _pid;
    byte now;
    byte turn;
    byte seen;
    bool at;
    do
    :: turn < STEPS ->
        if
        :: now = now + 1
        :: now = now + 2
        fi;
        if
        :: at = true
        :: at = false
        fi;
#ifdef BUG_publishes_first
        bound[me] = now;
#endif
        is_there[me] = at;
        clock[me] = now;
        bound[me] = now;
        bound[other] >= NEEDED;
#ifndef BUG_looks_at_bounds_alone
        do
        :: seen = clock[other];
            if
            :: !IS_EARLIER(seen) -> break
            :: else ->
                if
                :: at && is_there[other] -> clock[other] != seen || !is_there[other]
                :: else -> break
                fi
            fi
        od;
#endif
        if
        :: at ->
            assert(!is_busy);
            is_busy = true;
            assert(last < now * 2 + me);
            last = now * 2 + me;
            is_busy = false
        :: else
        fi;
#ifdef BUG_publishes_what_comes_next
        bound[me] = now + 1;
#endif
        clock[me] = 0;
        turn++
    :: else -> break
    od;
    bound[me] = 99
}
