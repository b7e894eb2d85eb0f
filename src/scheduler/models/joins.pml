/* SPDX-License-Identifier: MIT */
/*
 * A join: README.md, "Joins". View transferal into a full frame by several children.
 *
 * In each of two rounds the owner is robbed CHILDREN times, before, while and after the children
 * that are out already arrive, and then comes to its sync. By default the children are spawned
 * ones, which come before what the owner still has to do (add_before_owner); with -DCUT they are
 * what thieves cut off the owner's range, each before those that were cut off earlier
 * (add_after_owner).
 *
 * Checked: views are only ever joined with their neighbours' in the serial order, left with right,
 * so that the views of all strands of a round become one set, none lost, none twice; the owner goes
 * on once a round, with all views, on a join that is as new; no strand is touched after it is
 * freed, nor the join after the owner has gone on for the last time; all come to their end.
 *
 * Abstracted: memory is sequentially consistent (all that is shared is under the join's lock, and
 * what follows the last arrival is ordered by it); a set of views is the interval [low, high] of
 * serial positions that it covers. What a merge does with two sets is tests/hyperobjects'.
 */

#define CHILDREN 3
#define ROUNDS 2

/* Strands: the owner, and the children in the order of their thefts, from 1 on. */
#define OWNER 0
#define STRANDS 4
#define none 255

/* The serial position of a strand in its round: 1 to STRANDS. */
#ifdef CUT
#define position_of(strand) (strand == OWNER -> 1 : STRANDS + 1 - strand)
#else
#define position_of(strand) (strand == OWNER -> STRANDS : strand)
#endif

typedef view_set {
    byte low; /* 0: empty */
    byte high
}

typedef strand_record {
    byte before;
    byte after;
    view_set views;
    bool arrived;
    bool freed
}

/* The join: its list, its lock and out_. */
strand_record strands[STRANDS];
bool locked;
byte out;
bool join_freed;

byte round;
byte went_on; /* times that the owner was continued in this round */
view_set total; /* what it then had */

inline check_alive(strand) {
    assert(!strands[strand].freed && !join_freed)
}

inline lock() {
#ifdef BUG_no_lock
    skip
#else
    atomic { assert(!join_freed); !locked -> locked = true }
#endif
}

inline unlock() {
    locked = false
}

/* local::merge: left (x) right. */
inline merge(left, right, result) {
    assert(left.low != 0 && right.low != 0);
    assert(left.high + 1 == right.low);
    result.high = right.high;
    result.low = left.low
}

/* unlink. */
inline unlink(strand) {
    if
    :: strands[strand].before != none ->
        strands[strands[strand].before].after = strands[strand].after
    :: else
    fi;
    if
    :: strands[strand].after != none ->
        strands[strands[strand].after].before = strands[strand].before
    :: else
    fi;
    strands[strand].before = none;
    strands[strand].after = none
}

/* absorb: takes the neighbour's views. */
inline absorb(neighbour) {
    other = neighbour; /* which is an expression that unlink changes */
    d_step {
        check_alive(other);
        taken.low = strands[other].views.low;
        taken.high = strands[other].views.high;
        strands[other].views.low = 0;
        strands[other].views.high = 0
    }
    d_step {
        unlink(other);
        strands[other].freed = other != OWNER;
        other = 0
    }
}

/* join::collapse. */
inline collapse() {
    do
    :: strands[me].before != none ->
        absorb(strands[me].before);
#ifdef BUG_collapse_joins_the_wrong_way
        merge(mine, taken, mine)
#else
        merge(taken, mine, mine)
#endif
    :: else -> break
    od;
    do
    :: strands[me].after != none ->
        absorb(strands[me].after);
        merge(mine, taken, mine)
    :: else -> break
    od;
    atomic {
        strands[me].freed = me != OWNER;
#ifndef BUG_owner_stays_arrived
        strands[OWNER].arrived = false
#endif
    }
}

/* Whoever is last goes on with the owner. */
inline go_on_with_owner() {
    d_step {
        total.low = mine.low;
        total.high = mine.high;
        went_on++;
        assert(went_on == 1)
    }
}

/* The end of `arrive` for one who is not the last: `s` has arrived. */
inline leave() {
#ifndef BUG_views_after_arriving
    strands[me].views.low = mine.low;
    strands[me].views.high = mine.high;
#endif
#ifndef BUG_arrived_while_merging
    strands[me].arrived = true;
    out--;
#endif
    unlock();
#ifdef BUG_views_after_arriving
    check_alive(me);
    strands[me].views.low = mine.low;
    strands[me].views.high = mine.high;
#endif
    mine.low = 0;
    mine.high = 0
}

/* join::arrive, of the strand `me` with the private views `mine`. Locals: taken, other. */
inline arrive() {
    lock();
    check_alive(me);
    if
    :: out == 1 ->
        unlock();
        collapse();
        go_on_with_owner()
    :: else ->
#ifdef BUG_arrived_while_merging
        strands[me].arrived = true;
        out--;
#endif
        do
#ifndef BUG_last_does_not_look_again
        :: out == 1 ->
            /* The others have arrived while this one merged. */
            unlock();
            collapse();
            go_on_with_owner();
            break
#define others_are_out out > 1
#else
#define others_are_out true
#endif
        :: others_are_out ->
            if
            :: strands[me].before != none && strands[strands[me].before].arrived ->
                absorb(strands[me].before);
                unlock();
                merge(taken, mine, mine);
                lock()
            :: !(strands[me].before != none && strands[strands[me].before].arrived) &&
               strands[me].after != none && strands[strands[me].after].arrived ->
                absorb(strands[me].after);
                unlock();
                merge(mine, taken, mine);
                lock()
            :: else ->
                leave();
                break
            fi
        od
    fi;
    taken.low = 0;
    taken.high = 0
}

/* join::add_before_owner. */
inline add_before_owner(strand) {
    lock();
    out++;
    d_step {
        strands[strand].before = strands[OWNER].before;
        strands[strand].after = OWNER;
        if
        :: strands[strand].before != none -> strands[strands[strand].before].after = strand
        :: else
        fi;
        strands[OWNER].before = strand
    }
    unlock()
}

/* join::add_after_owner. */
inline add_after_owner(strand) {
    lock();
    out++;
    d_step {
        strands[strand].after = strands[OWNER].after;
        strands[strand].before = OWNER;
        if
        :: strands[strand].after != none -> strands[strands[strand].after].before = strand
        :: else
        fi;
        strands[OWNER].after = strand
    }
    unlock()
}

/* Runs the strand `me`, a child, to its end. */
proctype child(byte me) {
    view_set mine, taken;
    byte other;
    mine.low = position_of(me);
    mine.high = position_of(me);
    arrive()
}

/* The owner up to its sync, on whichever worker. */
inline run_owner() {
    for (strand : 1 .. CHILDREN) {
        d_step {
            strands[strand].before = none;
            strands[strand].after = none;
            strands[strand].arrived = false;
            strands[strand].freed = false
        }
#if defined(CUT) != defined(BUG_child_on_the_wrong_side)
        add_after_owner(strand);
#else
        add_before_owner(strand);
#endif
        run child(strand)
    }
    mine.low = position_of(OWNER);
    mine.high = position_of(OWNER);
    arrive()
}

proctype owner() {
    byte strand;
    view_set mine, taken;
    byte other;
    byte me = OWNER;
    for (round : 1 .. ROUNDS) {
        run_owner();
        went_on == 1;
        d_step {
            assert(total.low == 1 && total.high == STRANDS);
            assert(out == 1 && !locked && !strands[OWNER].arrived);
            assert(strands[OWNER].before == none && strands[OWNER].after == none);
            for (strand : 1 .. CHILDREN) {
                assert(strands[strand].freed)
            }
            went_on = 0;
            mine.low = 0;
            mine.high = 0;
            strand = 0
        }
    }
    join_freed = true
}

init {
    atomic {
        out = 1;
        strands[OWNER].before = none;
        strands[OWNER].after = none;
        run owner()
    }
}
