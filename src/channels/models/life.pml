/* SPDX-License-Identifier: MIT */
/*
 * The life of a channel with one consumer, from its making until its place serves another channel:
 * README.md, "The life of a channel".
 *
 * The maker M takes the producer's end or not, begins a child C or not, and frees the channel. C
 * takes the consumer's end, if that is free; it may begin a child G, which tries to take either.
 * With MESSAGE there is no G but E, an older child of the maker's, which got the name by a message.
 * C, G and E give up what they have or leave that to the thread that watches over them.
 * With RACE it is another thread of the maker's that begins C, at any moment, and C uses the channel
 * if it has a copy of the handle. KILLS of them are killed, each at any of its steps. A killed space
 * takes its child along, but the child may take some more steps.
 *
 * Checked: the messages are given back once, when no process that runs uses an end; the place
 * serves another channel once, after that, and no child that knows the channel tries to take an end
 * then; and if none is killed, all is given back.
 *
 * Abstracted: memory is sequentially consistent, because what changes the counts is a
 * read-modify-write operation with acquire and release. What is done with an end is one use.
 */

#ifndef KILLS
#define KILLS 1
#endif

#define M 0
#define C 1
#define G 2
#define E 3

/* What a space has of the channel. */
#define PRODUCER 0
#define CONSUMER 1
#define HANDLE 2
#define ITEM(space, what) ((space) * 3 + (what))

#define FREE 9
#define LEFT 16

/* The channel. */
byte slot[2] = FREE;
byte ends = 2;
byte parts = 2;

/* What spaces have noted, and the maker's lists and lock. */
bool item[12];
bool is_kept;
bool lock;

/* How many children have begun, and had when the channel was made; whether the maker's variables
 * have the handle, and the child a copy of it. */
byte children;
byte made_after;
bool is_stored = true;
bool knows = true;

/* Spaces. */
bool has_begun[4];
bool is_dead[4];
bool has_ended_well[4];
bool is_recorded[4];
byte kills = KILLS;

/* What is true, whatever the counts say. */
bool uses[4];
bool is_given_back;
bool is_recycled;

#define RUNS(s) (uses[s] && !is_dead[s])
#define NOBODY_USES (!RUNS(M) && !RUNS(C) && !RUNS(G) && !RUNS(E))

/* Each process has a lock of its own; only that of the maker's has two users. */
inline acquire_lock(is_makers) { atomic { !is_makers || !lock -> lock = lock || is_makers } }
inline release_lock(is_makers) { lock = lock && !is_makers }

inline lose_part() {
#ifdef BUG_parts_in_two_steps
    is_last = (parts == 1);
    parts--;
#else
    atomic { parts--; is_last = (parts == 0) };
#endif
    if
    :: is_last ->
        assert(is_given_back && !is_recycled && NOBODY_USES);
        is_recycled = true
    :: else
    fi
}

inline lose_end() {
    atomic { ends--; is_last = (ends == 0) };
    if
    :: is_last ->
        assert(NOBODY_USES && !is_given_back);
        is_given_back = true;
        lose_part()
    :: else
    fi
}

/* The calling space takes an end if that is free, uses it, and gives it up or not. */
inline take_and_use(me, what) {
    if
    /* Who comes by a message knows a channel that is there. */
    :: atomic { slot[what] == FREE && !is_recycled -> slot[what] = me };
        atomic { item[ITEM(me, what)] = true };
        atomic { uses[me] = true; assert(!is_given_back) };
        uses[me] = false;
        if
        :: leave(me, what)
        :: me != M /* is given back after its end */
        fi
    :: atomic { slot[what] != FREE || is_recycled -> assert(!is_recycled || me == E) }
    fi
}

inline leave(me, what) {
#ifdef BUG_forgets_behind_the_count
    slot[what] = slot[what] | LEFT;
    lose_end();
    item[ITEM(me, what)] = false
#else
    item[ITEM(me, what)] = false;
    slot[what] = slot[what] | LEFT;
    lose_end()
#endif
}

/* No space takes that end any more. */
inline close_unclaimed(what) {
#ifdef BUG_closes_by_a_store
    if
    :: slot[what] == FREE ->
        slot[what] = LEFT;
        lose_end()
    :: else
    fi
#else
    if
    :: atomic { slot[what] == FREE -> slot[what] = LEFT };
        lose_end()
    :: atomic { slot[what] != FREE -> skip }
    fi
#endif
}

inline drop_handle() {
    close_unclaimed(PRODUCER);
    close_unclaimed(CONSUMER);
    lose_part()
}

inline give_back_item(whose, what) {
    if
    :: atomic { item[ITEM(whose, what)] -> item[ITEM(whose, what)] = false };
        lose_end()
    :: atomic { !item[ITEM(whose, what)] -> skip }
    fi
}

/* Neither it nor a descendant runs any more. */
#ifdef BUG_killed_is_gone
#define IS_GONE(s) true
#else
#define IS_GONE(s) (s != C || !has_begun[G] || has_ended_well[C])
#endif

/* In the thread that watches over a space's children. */
inline record_end(whose, keeps) {
    acquire_lock((whose != G));
    if
    :: IS_GONE(whose) ->
        give_back_item(whose, PRODUCER);
        give_back_item(whose, CONSUMER);
        if
        :: keeps && is_kept ->
            is_kept = false;
            drop_handle()
        :: else
        fi
    :: else
    fi;
    is_recorded[whose] = true;
    release_lock((whose != G))
}

#ifdef RACE
/* Another thread of the maker's, in spmc_space_create. */
proctype beginner() {
    acquire_lock(true);
    children++;
    atomic { knows = is_stored; has_begun[C] = true; run child(); run watch(C, true) };
    release_lock(true)
}
#endif

proctype maker() {
    bool is_last;
#ifdef RACE
#ifdef BUG_counts_without_the_lock
    made_after = children;
#else
    acquire_lock(true);
    made_after = children;
    release_lock(true);
#endif
    is_stored = true;
#else
    if
    :: has_begun[C] = true; run child(); run watch(C, true)
    :: skip
    fi;
#endif
    if
    :: take_and_use(M, PRODUCER)
    :: skip
    fi;
    /* It frees the channel. A program does not use the handle from here on. */
    is_stored = false;
    acquire_lock(true);
    if
#ifndef BUG_keeps_nothing
    :: has_begun[C] && made_after == 0 && (!is_recorded[C] || !IS_GONE(C)) -> is_kept = true
    :: else ->
#else
    :: true ->
#endif
        drop_handle()
    fi;
    release_lock(true)
}

proctype child() {
    bool is_last;
    {
#ifndef MESSAGE
        if
        :: knows -> has_begun[G] = true; run grandchild(); run watch(G, false)
        :: skip
        fi;
#endif
        if
        :: knows -> take_and_use(C, CONSUMER)
        :: else
        fi;
        !has_begun[G] || is_recorded[G];
        has_ended_well[C] = true
    } unless { is_dead[C] };
    is_dead[C] = true
}

proctype grandchild() {
    bool is_last;
    {
        if
        :: take_and_use(G, CONSUMER)
        :: take_and_use(G, PRODUCER)
        fi
    } unless { is_dead[G] };
    is_dead[G] = true
}

proctype elder() {
    bool is_last;
    {
        if
        :: take_and_use(E, CONSUMER)
        :: take_and_use(E, PRODUCER)
        fi
    } unless { is_dead[E] };
    is_dead[E] = true
}

/* That of the child ends with the child. */
proctype watch(byte whose; bool keeps) {
    bool is_last;
    {
#ifdef BUG_does_not_wait_for_the_end
        skip;
#else
        is_dead[whose];
#endif
        record_end(whose, keeps)
    } unless { whose == G && is_dead[C] }
}

proctype killer() {
    byte whom;
    do
    :: atomic { kills > 0 && has_begun[C] && !is_dead[C] -> kills--; is_dead[C] = true }
    :: atomic { kills > 0 && has_begun[G] && !is_dead[G] -> kills--; is_dead[G] = true }
    :: atomic { kills > 0 && has_begun[E] && !is_dead[E] -> kills--; is_dead[E] = true }
    /* The kernel does that, a moment later. */
    :: atomic { has_begun[G] && is_dead[C] && !is_dead[G] -> is_dead[G] = true }
    :: break
    od
}

init {
    atomic {
#ifdef RACE
        is_stored = false;
        run beginner();
#endif
        run maker();
#ifdef MESSAGE
        has_begun[E] = true;
        run elder();
        run watch(E, false);
#endif
        run killer()
    };
    _nr_pr == 1;
    assert(kills < KILLS || (is_given_back && is_recycled))
}
