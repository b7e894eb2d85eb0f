/* SPDX-License-Identifier: MIT */
/*
 * How a lock is released to who waits for it: core/windows/README.md, "A lock".
 *
 * The holder has the lock, releases it, and asks for it again, later than the waiter: so it is
 * granted the second time behind the waiter's release. The waiter, meanwhile, does so twice as well.
 *
 * Checked: nobody waits for ever, never do both hold it, and no message is left over.
 *
 * Abstracted: which request is the earlier one is known, as clocks are; a message is a count.
 */

#define TURNS 2

byte asked[2];    /* the request, numbered; 0: none */
bool waits[2];    /* [x]: the other one waits for the release of x */
byte messages[2]; /* [x]: from x that it has released */
byte released;    /* requests, of both */
byte holders;

inline acquire(me, other, before) {
    /* `before` requests are earlier: the last one is the other's, if it is not over. */
    seen = asked[other];
    if
    :: seen == 0 || seen > mine -> skip
    :: else ->
#ifdef BUG_looks_first
        seen_again = asked[other];
        waits[other] = true;
#else
        waits[other] = true;
        seen_again = asked[other];
#endif
        if
        :: seen_again == seen -> messages[other] > 0; messages[other]--
        :: else ->
#ifdef BUG_leaves_the_bit
            skip
#else
            atomic { was_set = waits[other]; waits[other] = false };
            if
            :: was_set -> skip
            :: else ->
#ifndef BUG_no_message_when_both_saw
                messages[other] > 0; messages[other]--
#else
                skip
#endif
            fi
#endif
        fi
    fi;
    assert(released >= before);
    holders++;
    assert(holders == 1)
}

inline release(me) {
    holders--;
    released++;
    asked[me] = 0;
    atomic { was_set = waits[me]; waits[me] = false };
    if
    :: was_set -> messages[me]++
    :: else
    fi
}

/* Requests 1, 3, ... are the first one's, 2, 4, ... the second one's. */
proctype user(byte me) {
    byte mine = me + 1;
    byte turn;
    byte seen;
    byte seen_again;
    bool was_set;
    do
    :: turn < TURNS ->
        asked[me] = mine;
        /* All earlier requests are visible: the clocks have passed. */
        (asked[1 - me] >= mine - 1 || released >= mine - 1 || mine == 1);
        acquire(me, 1 - me, mine - 1);
        release(me);
        mine = mine + 2;
        turn++
    :: else -> break
    od
}

init {
    atomic { run user(0); run user(1) };
    (_nr_pr == 1);
    assert(messages[0] == 0 && messages[1] == 0);
    assert(released == 2 * TURNS)
}
