/* SPDX-License-Identifier: MIT */
/*
 * A join: README.md, "Joins". View transferal into a full frame by several children.
 *
 * In each of two rounds the owner is robbed CHILDREN times, before, while and after the children
 * that are out already arrive, and then comes to its sync. By default the children are spawned
 * ones, which come before what the owner still has to do (add_before_owner); with -DCUT they are
 * what thieves cut off the owner's range, each before those that were cut off earlier
 * (add_after_owner). With -DLENT there is one round; the children are spawned, their strands are
 * lent, that is used for something else as soon as they have arrived, and a strand has views or
 * none.
 *
 * Checked: views are only ever joined with their neighbours' in the serial order, left with right,
 * so that the views of all strands of a round become one set, none lost, none twice; the owner goes
 * on once a round, with all views, on a join that is as new; no strand is touched after it is
 * freed, nor the join after the owner has gone on for the last time; all come to their end.
 *
 * Abstracted: memory is sequentially consistent (all that is shared is under the join's lock, and
 * what follows the last arrival is ordered by it); a set of views is the interval [low, high] of
 * serial positions that it covers, and how many strands' views it holds. What a merge does with two
 * sets is tests/hyperobjects'.
 */

#define CHILDREN 3
#ifdef LENT
#define ROUNDS 1
#else
#define ROUNDS 2
#endif

/* Strands: the owner, and the children in the order of their thefts, from 1 on. Behind them, what
 * lent strands leave in the list (make_leftover). */
#define OWNER 0
#define STRANDS 4
#define leftover_of(child) (STRANDS - 1 + child)
#define RECORDS (STRANDS + CHILDREN)
#define none 255

/* The serial position of a strand in its round: 1 to STRANDS. */
#ifdef CUT
#define position_of(strand) (strand == OWNER -> 1 : STRANDS + 1 - strand)
#else
#define position_of(strand) (strand == OWNER -> STRANDS : strand)
#endif

typedef view_set {
    byte low; /* 0: empty */
    byte high;
    byte strands
}

typedef strand_record {
    byte before;
    byte after;
    view_set views;
    bool arrived;
    bool freed
}

/* The join: its list, its lock and out_. */
strand_record strands[RECORDS];
bool locked;
byte out;
bool join_freed;

byte round;
byte with_views; /* strands of this round */
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
    d_step {
        if
        :: left.low == 0 -> copy(right, result)
        :: left.low != 0 && right.low == 0 -> copy(left, result)
        :: else ->
#ifdef LENT
            assert(left.high < right.low);
#else
            assert(left.high + 1 == right.low);
#endif
            result.strands = left.strands + right.strands;
            result.high = right.high;
            result.low = left.low
        fi
    }
}

inline copy(from, into) {
    into.strands = from.strands;
    into.high = from.high;
    into.low = from.low
}

inline clear(set) {
    set.low = 0;
    set.high = 0;
    set.strands = 0
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

/* absorb: takes the neighbour's views; or, for a lent strand that has none of its own, take_out. */
inline absorb(neighbour) {
    other = neighbour; /* which is an expression that unlink changes */
    d_step {
        check_alive(other);
        copy(strands[other].views, taken);
        clear(strands[other].views)
    }
    d_step {
        unlink(other);
        if
        :: stays == none -> stays = other
        :: else -> strands[other].freed = other != OWNER
        fi;
#ifdef BUG_stand_in_is_discarded
        strands[other].freed = other != OWNER;
#endif
        other = 0
    }
}

/* replace: `stays` is in the list in place of `me`. */
inline replace() {
    d_step {
        check_alive(stays);
        strands[stays].before = strands[me].before;
        strands[stays].after = strands[me].after;
        strands[me].before = none;
        strands[me].after = none;
        strands[me].freed = true; /* its worker uses it again */
        if
        :: strands[stays].before != none -> strands[strands[stays].before].after = stays
        :: else
        fi;
        if
        :: strands[stays].after != none -> strands[strands[stays].after].before = stays
        :: else
        fi
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
        copy(mine, total);
        went_on++;
        assert(went_on == 1)
    }
}

/* The end of `arrive` for one who is not the last: `s` has arrived. */
inline leave() {
#ifdef BUG_lent_strand_stays
    strands[me].freed = stays != me;
    stays = me;
#endif
    if
    :: stays != me -> replace()
    :: else
    fi;
#ifndef BUG_views_after_arriving
    copy(mine, strands[stays].views);
#endif
#ifndef BUG_arrived_while_merging
    strands[stays].arrived = true;
    out--;
#endif
    unlock();
#ifdef BUG_views_after_arriving
    check_alive(stays);
    copy(mine, strands[stays].views);
#endif
    clear(mine)
}

#define left_arrived (strands[me].before != none && strands[strands[me].before].arrived)
#define right_arrived (strands[me].after != none && strands[strands[me].after].arrived)

/* join::arrive, of the strand `me` with the private views `mine`. Locals: taken, other, stays. */
inline arrive() {
    stays = me;
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
#ifdef LENT
        if
        :: me != OWNER && mine.low != 0 ->
            unlock();
            stays = leftover_of(me);
            d_step {
                strands[stays].arrived = false;
                strands[stays].freed = false
            }
            lock()
        :: me != OWNER && mine.low == 0 -> stays = none
        :: else
        fi;
#endif
        do
#ifndef BUG_last_does_not_look_again
        :: out == 1 ->
            /* The others have arrived while this one merged. */
            unlock();
            if
            :: stays != none && stays != me -> strands[stays].freed = true
            :: else
            fi;
            stays = me;
            collapse();
            go_on_with_owner();
            break
#define others_are_out out > 1
#else
#define others_are_out true
#endif
        :: others_are_out ->
            if
            :: stays == none && !(left_arrived && right_arrived) ->
                d_step {
                    unlink(me);
                    strands[me].freed = true; /* its worker uses it again */
                    out--
                }
                unlock();
                break
            :: stays != none && left_arrived || left_arrived && right_arrived ->
                absorb(strands[me].before);
                unlock();
                merge(taken, mine, mine);
                lock()
            :: stays != none && !left_arrived && right_arrived ->
                absorb(strands[me].after);
                unlock();
                merge(mine, taken, mine);
                lock()
            :: stays != none && !left_arrived && !right_arrived ->
                leave();
                break
            fi
        od
    fi;
    clear(taken)
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

/* What the strand `me` has done to its views when it comes to its end. */
inline make_views() {
    atomic {
        if
        :: true ->
            mine.low = position_of(me);
            mine.high = position_of(me);
            mine.strands = 1;
            with_views++
#ifdef LENT
        :: true
#endif
        fi
    }
}

/* Runs the strand `me`, a child, to its end. */
proctype child(byte me) {
    view_set mine, taken;
    byte other, stays;
    make_views();
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
    make_views();
    arrive()
}

proctype owner() {
    byte strand;
    view_set mine, taken;
    byte other, stays;
    byte me = OWNER;
    for (round : 1 .. ROUNDS) {
        run_owner();
        went_on == 1;
        d_step {
            assert(total.strands == with_views);
            assert(out == 1 && !locked && !strands[OWNER].arrived);
            assert(strands[OWNER].before == none && strands[OWNER].after == none);
            for (strand : 1 .. RECORDS - 1) {
                assert(strands[strand].freed)
            }
            went_on = 0;
            with_views = 0;
            clear(mine);
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
        strands[leftover_of(1)].freed = true;
        strands[leftover_of(2)].freed = true;
        strands[leftover_of(3)].freed = true;
        run owner()
    }
}
