/* SPDX-License-Identifier: MIT */
/*
 * A rank that waits for any rank, while one is spawned: ../core/spawn/README.md, "Why there is one
 * outcome".
 *
 * Rank A accepts at a port. Rank S computes, spawns rank N with a clock of 1, and goes on far beyond.
 * N knocks at A, or ends without. If it has knocked, A sends R a message with the stamp 4. R has to
 * know that A sends it nothing with a stamp up to K any more, and derives A's bound from a snapshot.
 *
 * Checked: once R has decided, A has sent it no stamp up to K that it has not read, and sends none;
 * and R decides in the end.
 *
 * Abstracted: memory is sequentially consistent; R looks again whenever something has changed, and A
 * when N has knocked or been spawned. A's naps end by themselves, so it may do so late. Between N's
 * knock and its end nothing of N matters.
 */

#define K 5
#define STAMP 4 /* of A's message: N's knock has 2 */
#define HOP 2
#define FAR 20
#define FOREVER 100

#define MIN(a, b) ((a) < (b) -> (a) : (b))

byte ranks = 2; /* A and S; then N as well */
byte bound_of_s;
byte bound_of_n;

/* A's record. */
byte bound;
byte epoch;
bool is_blocked;
byte waits_for_all; /* it has told of so many ranks */
byte told;          /* messages from N that it tells to have read */

byte knocks; /* from N */
byte read;
byte to_r; /* the stamp of A's message to R; 0: there is none */
byte changes;
bool is_decided;

inline say_blocked(known) {
    epoch++;
    d_step {
        is_blocked = true;
        waits_for_all = known;
        told = read;
        epoch++;
        changes++
    }
}

active proctype a() {
    byte known;
    bool says;
end_nap:
    do
    :: knocks > read ->
        if
        :: is_blocked ->
            epoch++;
            d_step {
                is_blocked = false;
                epoch++
            }
        :: else
        fi;
        read++;
        d_step {
            assert(!is_decided);
            to_r = STAMP
        };
        bound = FOREVER;
        changes++;
        break
#ifdef BUG_tells_once
    :: knocks == read && !says ->
#else
    :: knocks == read && (!says || known != ranks) ->
#endif
        says = true;
        known = ranks;
        say_blocked(known)
    od
}

active proctype s() {
    bound_of_s = 1;
    changes++;
    if
    :: true ->
        d_step {
            bound_of_n = 1;
            ranks = 3
        };
        changes++;
        run n()
    :: true
    fi;
    bound_of_s = FAR;
    changes++
}

proctype n() {
    if
    :: true -> knocks++
    :: true
    fi;
    bound_of_n = FOREVER;
    changes++
}

active proctype r() {
    byte before;
    byte count;
    byte version;
    bool blocked;
    byte b; /* what R knows of A's bound */
    byte of_s;
    byte of_n;
    byte last;
    do
    :: true ->
        before = changes;
        do
        :: true ->
            count = ranks;
            d_step {
                version = epoch;
                blocked = is_blocked && version % 2 == 0;
#ifndef BUG_believes_old_records
                blocked = blocked && waits_for_all >= count;
#endif
            };
            b = bound;
            of_s = bound_of_s;
            if
            :: count == 3 -> of_n = bound_of_n
            :: else -> of_n = FOREVER
            fi;
#ifndef BUG_looks_at_no_ring
            if
            :: blocked && waits_for_all == 3 && knocks > told -> blocked = false
            :: else
            fi;
#endif
            blocked = blocked && epoch == version;
            if
            :: blocked -> b = MIN(of_s, of_n) + HOP
            :: else
            fi;
#ifdef BUG_counts_once
            break
#else
            if
            :: count == ranks -> break
            :: else
            fi
#endif
        od;
        last = to_r;
        if
        :: b >= K -> break
        :: else -> changes != before /* the nap */
        fi
    od;
    assert(last == to_r);
    is_decided = true
}
