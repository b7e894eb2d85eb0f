/* SPDX-License-Identifier: MIT */
/*
 * The life of a page, of the table that it belongs to, and of those that wait for it: README.md.
 *
 * Space A produces a page that two others consume. It fixes the page, gives it up, or extends it,
 * which it may do EXTENSIONS times: each table here has one page, and the last consumer that leaves
 * a table recycles it for a later generation. With HEIR, space A transfers the first page to space
 * B instead, and ends. KILLS spaces are killed, each at any of its steps. Consumers follow: they
 * expand what was extended, and read what was fixed.
 *
 * Checked: nobody reads a page that is not fixed, or that its producer can still write; nobody
 * looks at a table that was recycled; a table is recycled once, when nobody refers to it; who
 * sleeps for a page that is produced is woken, unless who was to wake it was killed; who sleeps for
 * a page that never comes ends, and nobody ends for one that may still come.
 *
 * Abstracted: memory is sequentially consistent, because each shared word is changed by
 * read-modify-write operations, or published by one. A nap is over only when there is something
 * that nobody wakes for: so a wake that is forgotten shows, instead of being late. With SHORT_NAPS
 * a nap is over at any time, and what a space finds out then is checked. The search for a deadlock
 * is one step.
 */

#ifndef EXTENSIONS
#define EXTENSIONS 1
#endif
#ifndef KILLS
#define KILLS 1
#endif
#define TABLES 3
#define NONE 9

#define A 0
#define C1 1
#define C2 2
#define B 3
#define SPACES 4

/* The state of a page. */
#define UNTOUCHED 0
#define FIXED 2
#define EXTENDED 3
#define WAITERS 4
#define KIND(w) (w & 3)

/* A table, and its page. */
byte word[TABLES];
byte other[TABLES];
byte references[TABLES];
byte producers[TABLES];
byte owner[TABLES];

/* What is true of it, whatever the counts say. */
byte users[TABLES];
byte generation[TABLES];
bool is_free[TABLES];
bool is_writable[TABLES]; /* in the producer's memory */
byte holder[TABLES];      /* who can fix it */
bool is_dropped[TABLES];  /* that one has given it up */

/* Spaces. */
bool has_ended[SPACES]; /* as others see it */
bool is_gone[SPACES];   /* as it is */
bool asleep[SPACES];
byte sleeps_on[SPACES]; /* a table, or NONE: for a grant */
byte expected[SPACES];
byte kills = KILLS;
bool was_killed;

/* What B is given. */
byte grant = NONE;
byte grants_made;

#define MY_WORD(p) (sleeps_on[p] == NONE -> grants_made : word[sleeps_on[p] % TABLES])
#ifdef BUG_a_pending_grant_is_a_wait
#define IS_GIVEN(p) false
#else
#define IS_GIVEN(p) (sleeps_on[p] == NONE && grant != NONE)
#endif
#define WAITS(p) (asleep[p] && MY_WORD(p) == expected[p] && !IS_GIVEN(p))
#define IS_QUIET(p) (has_ended[p] || WAITS(p))
#define OTHERS_ARE_QUIET(p) ((p == A || IS_QUIET(A)) && (p == C1 || IS_QUIET(C1)) && \
                             (p == C2 || IS_QUIET(C2)) && (p == B || IS_QUIET(B)))
#define ALL_SLEEP ((has_ended[A] || asleep[A]) && (has_ended[C1] || asleep[C1]) && \
                   (has_ended[C2] || asleep[C2]) && (has_ended[B] || asleep[B]))

/* The next step may be the last one. */
inline may_die() {
    if
    :: kills > 0 -> kills--; was_killed = true; goto gone
    :: skip
    fi
}

/* The end of a space. */
inline end_of(p) {
    atomic { is_gone[p] = true; asleep[p] = false; forget(p) };
    has_ended[p] = true
}

/* So that states that differ in nothing are one. */
inline forget(p) {
    expected[p] = 0;
    sleeps_on[p] = 0
}

/* A piece of generation `g` is what gives the right to look. */
inline must_be_there(t, g) {
    assert(!is_free[t] && generation[t] == g)
}

inline wake_one(p, t) {
    if
    :: asleep[p] && sleeps_on[p] == t -> asleep[p] = false
    :: else
    fi
}

inline wake_all(t) {
    wake_one(A, t);
    wake_one(C1, t);
    wake_one(C2, t);
    wake_one(B, t)
}

/* `produce` in regions.cpp. */
inline produce(t, kind) {
#ifdef BUG_stores_the_state
    seen = word[t];
    word[t] = kind;
#else
    atomic { seen = word[t]; word[t] = kind };
#endif
    if
    :: seen >= WAITERS -> atomic { seen = 0; may_die(); wake_all(t) }
    :: else
    fi
}

/* `release` in tables.cpp, of a piece: and of what its page was expanded to. */
inline release(what) {
    r = what;
    users[r]--;
    do
    :: r != NONE ->
        atomic {
            assert(references[r] > 0);
            references[r]--;
            if
            :: references[r] > 0 -> r = NONE
            :: else
            fi
        };
        if
        :: r != NONE ->
            assert(users[r] == 0 && !is_free[r]);
            atomic {
                next = (KIND(word[r]) == EXTENDED -> other[r] : NONE);
                word[r] = UNTOUCHED;
                other[r] = NONE;
                is_free[r] = true;
                producers[r] = 0;
                owner[r] = 0;
                holder[r] = 0;
                generation[r] = 0;
                is_dropped[r] = false;
                r = next;
                next = NONE;
                if
                :: r != NONE -> users[r]--
                :: else
                fi
            }
        :: else
        fi
    :: else -> break
    od
}

/* `new_table`: any that is free. */
inline make_table(out, g) {
    out = 0;
    do
    :: !is_free[out] -> out++
    :: else -> break
    od;
    is_free[out] = false;
    generation[out] = g;
    references[out] = 1;
    users[out] = 1;
    producers[out] = 1;
    owner[out] = me;
    holder[out] = me;
    is_writable[out] = true
}

inline drop_as_producer(t) {
    atomic { may_die(); is_dropped[t] = true; is_writable[t] = false; producers[t]-- };
    release(t)
}

inline fix(t) {
#ifdef BUG_publishes_before_it_protects
    produce(t, FIXED);
    is_writable[t] = false;
#else
    atomic { may_die(); is_writable[t] = false };
    produce(t, FIXED);
#endif
    drop_as_producer(t)
}

inline extend(t) {
    atomic {
        may_die();
        make_table(fresh, g + 1);
        users[fresh]++; /* the page refers to it, once it is known */
#ifndef BUG_the_page_does_not_refer
        references[fresh]++;
#endif
        is_writable[t] = false
    };
#ifdef BUG_expansion_after_the_state
    produce(t, EXTENDED);
    other[t] = fresh;
#else
    atomic { may_die(); other[t] = fresh };
    produce(t, EXTENDED);
#endif
    drop_as_producer(t);
    atomic {
        t = fresh;
        fresh = NONE;
        g++
    }
}

inline leave_a_grant() {
    atomic { may_die(); grant = t; holder[t] = B }
}

/* `spmc_transfer_ownership` to B. */
inline transfer(t) {
    atomic { may_die(); is_writable[t] = false; owner[t] = B };
#ifdef BUG_counts_down_before_the_grant
    producers[t]--;
#endif
    atomic { may_die(); references[t]++; users[t]++ };
    atomic { may_die(); producers[t]++ };
#ifdef BUG_counts_the_grant_before_it_is_there
    grants_made++;
    atomic { wake_all(NONE) };
    leave_a_grant();
#else
    leave_a_grant();
    atomic { may_die(); grants_made++ };
    atomic { may_die(); wake_all(NONE) };
#endif
#ifndef BUG_counts_down_before_the_grant
    atomic { may_die(); producers[t]-- };
#endif
    release(t)
}

/* Asleep while the word is as expected: `nap`. What was seen is in expected[me]. */
inline nap(t) {
    atomic {
        sleeps_on[me] = t;
#ifdef BUG_sleeps_without_comparing
        asleep[me] = true
#else
        if
        :: MY_WORD(me) == expected[me] -> asleep[me] = true
        :: else
        fi
#endif
    };
    if
    :: !asleep[me]
#ifdef SHORT_NAPS
    :: asleep[me] -> asleep[me] = false
#else
    :: asleep[me] && (ALL_SLEEP || (t != NONE &&
                      (has_ended[owner[t % TABLES]] || producers[t % TABLES] == 0))) ->
        atomic {
            asleep[me] = false;
            /* Nobody forgot to wake it. */
            assert(was_killed || (MY_WORD(me) == expected[me] && (t != NONE || grant == NONE)))
        }
#endif
    :: kills > 0 -> atomic { kills--; was_killed = true; goto gone }
    fi
}

/* Nobody ends for a page that may still come. */
#define NEVER_COMES(t) \
    (KIND(word[t]) < FIXED && (is_gone[holder[t]] || is_gone[owner[t]] || is_dropped[t]))

/* `end_if_in_vain`, and then `end_in_a_cycle`. */
inline end_if_in_vain(t) {
    peer = owner[t];
    is_over = has_ended[peer];
    is_over = is_over || producers[t] == 0;
#ifdef BUG_no_look_after_the_end
    is_same = true;
#else
    is_same = word[t] == expected[me];
#endif
#ifndef BUG_no_second_look_at_the_producer
    is_same = is_same && owner[t] == peer;
#endif
    atomic {
        if
        :: is_over && is_same -> assert(NEVER_COMES(t)); goto gone
        :: else
        fi;
        is_over = false;
        is_same = false;
        peer = 0;
        if
        :: OTHERS_ARE_QUIET(me) && word[t] == expected[me] -> assert(NEVER_COMES(t)); goto gone
        :: else
        fi;
        forget(me)
    }
}

proctype producer() {
    byte me = A, t = 0, g = 0, fresh = NONE, next = NONE, r = NONE, seen;
#ifdef HEIR
    transfer(t);
#else
    do
    :: fix(t); break
    :: drop_as_producer(t); break
    :: g < EXTENSIONS -> extend(t)
    od;
#endif
gone:
    end_of(me)
}

/* B: `find_or_wait`, and then it produces. */
proctype heir() {
    byte me = B, t = NONE, next = NONE, r = NONE, seen;
    do
    :: expected[me] = grants_made;
        atomic { t = grant; grant = NONE };
        if
        :: t != NONE -> break
        :: else
        fi;
        nap(NONE);
        atomic {
            if
            :: grant == NONE && grants_made == expected[me] && OTHERS_ARE_QUIET(me) ->
                assert(is_gone[A]);
                goto gone
            :: else
            fi
        }
    od;
    is_writable[t] = true;
    if
    :: fix(t)
    :: drop_as_producer(t)
    fi;
gone:
    end_of(me)
}

proctype consumer(byte me) {
    byte t = 0, g = 0, expansion = NONE, next = NONE, r = NONE, peer;
    bool is_over, is_same;
look:
    atomic { must_be_there(t, g); expected[me] = word[t] };
    if
    :: KIND(expected[me]) == UNTOUCHED ->
#ifndef BUG_sleeps_without_a_word
        atomic { may_die(); must_be_there(t, g); word[t] = word[t] | WAITERS };
#endif
        atomic { must_be_there(t, g); expected[me] = word[t] };
        if
        :: KIND(expected[me]) == UNTOUCHED ->
            nap(t);
            end_if_in_vain(t)
        :: else
        fi;
        goto look
    :: KIND(expected[me]) == FIXED ->
        atomic {
            forget(me);
            may_die();
            must_be_there(t, g);
            /* Reads. */
            assert(!is_writable[t] && KIND(word[t]) == FIXED)
        };
        release(t)
    :: KIND(expected[me]) == EXTENDED ->
        atomic {
            forget(me);
            may_die();
            must_be_there(t, g);
            expansion = other[t];
            assert(expansion != NONE)
        };
#ifdef BUG_leaves_before_it_refers
        release(t);
#endif
        atomic {
            may_die();
            must_be_there(expansion, g + 1);
            references[expansion]++;
            users[expansion]++
        };
#ifndef BUG_leaves_before_it_refers
        release(t);
#endif
        atomic {
            t = expansion;
            expansion = NONE;
            g++
        };
        goto look
    fi;
gone:
    end_of(me)
}

init {
    byte t;
    atomic {
        for (t : 0 .. TABLES - 1) {
            other[t] = NONE;
            is_free[t] = t != 0
        }
        /* All have a piece of the first table. */
        references[0] = 3;
        users[0] = 3;
        producers[0] = 1;
        is_writable[0] = true;
        run producer();
        run consumer(C1);
        run consumer(C2);
#ifdef HEIR
        run heir()
#else
        is_gone[B] = true;
        has_ended[B] = true
#endif
    }
}
