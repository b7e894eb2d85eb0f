/* SPDX-License-Identifier: MIT */
/*
 * Two ranks join over a socket: core/spawn/README.md, "A socket".
 *
 * Each end writes a greeting, which arrives later, and waits for the other's. Meanwhile it may tell
 * that it is blocked until somebody knocks. An end that has the other's greeting knocks, and waits
 * for the other's knock.
 *
 * Checked: while both tell that they are blocked, a knock has been sent, which others find on its
 * way or as a candidate. So nobody takes two ranks that will go on by the sockets for blocked. And
 * both ends get through.
 *
 * Abstracted: memory is sequentially consistent; a look and what it leads to are steps of their own.
 */

bool is_written[2]; /* the greeting of each, into the socket */
bool is_there[2];   /* and at the other end */
bool has_knocked[2];
bool is_blocked[2];

#define OTHER (1 - me)

proctype end(byte me) {
    bool is_delivered;
    bool is_greeted;
    is_written[me] = true;
    do
    :: is_greeted -> break
    :: else ->
#ifdef BUG_asks_behind_the_look
        is_greeted = is_there[OTHER];
        is_delivered = is_there[me];
#elif defined(BUG_blocked_at_once)
        is_delivered = true;
        is_greeted = is_there[OTHER];
#else
        is_delivered = is_there[me];
        is_greeted = is_there[OTHER];
#endif
        if
        :: !is_greeted && is_delivered ->
            is_blocked[me] = true;
            is_there[OTHER] /* the nap */
        :: else
        fi
    od;
    is_blocked[me] = false;
#ifdef BUG_blocked_before_it_knocks
    is_blocked[me] = true;
    has_knocked[me] = true;
#else
    has_knocked[me] = true;
    is_blocked[me] = true;
#endif
    has_knocked[OTHER]
}

proctype network(byte me) {
    is_written[me];
    is_there[me] = true
}

/* Who derives bounds, at any moment. */
active proctype observer() {
    assert(!is_blocked[0] || !is_blocked[1] || has_knocked[0] || has_knocked[1])
}

init {
    atomic {
        run end(0);
        run end(1);
        run network(0);
        run network(1)
    }
}
