/* SPDX-License-Identifier: MIT */
/*
 * Suspended parents, and the order in which thieves take: README.md, "Scopes" and "The stack that
 * moved on".
 *
 * Root computations begin on worker A. Each spawns children (scope.spawn), which run on stacks of
 * their own and push a frame each; their parents wait in A's chain. The worker T steals from A: a
 * parent, which goes on at T and spawns there, or a frame. The thief B robs both, frames only. All
 * stacks come from one pool and go back to it, so that a deque that a thief has found may belong to
 * another flow, at another worker, when the thief looks at it.
 *
 * Checked: whatever a thief takes is the oldest of its flow; each parent and each frame goes on
 * once; no flow runs in two places, no stack is given away that somebody uses, no child ends apart
 * without a strand; nothing of a child's own is taken before the child knows that its parent was;
 * what waits at a join goes on; at the end all chains are empty and all stacks are back.
 *
 * Left out are store buffers, requests and fences: with memory as it is here, whoever raises `exc`
 * and looks once more has paid the fence. pop_and_steal.pml has them, for the same rows of slots.
 *
 * -DROOTS: how many root computations; with two, T takes parents only and B robs A only.
 * -DCHILDREN: how many children each root spawns, one after the other. -DDEEP: the children spawn
 * children, and these push the frame. -DBELOW: whoever spawns pushes a frame before, which thieves
 * take while it is suspended.
 */

#ifndef ROOTS
#define ROOTS 1
#endif
#ifndef CHILDREN
#define CHILDREN 1
#endif

#define highest(a, b) ((a) > (b) -> (a) : (b))

/* Workers. B has no chain: what it takes ends at once. */
#define A 0
#define T 1
#define B 2

#define STACKS 5
#define no_stack 9

/* A worker. `slots` has the slot below the first, the chain, and a null. The chain may stay where
 * thieves have left it as long as it is less than BEHIND above the first. */
#define LENGTH 6
#define FIRST 1
#define BEHIND 2
byte slots[2 * LENGTH]; /* a stack plus 1, or 0 */
#define at(w, slot) slots[LENGTH * w + slot]
byte tail[2];   /* the region's `chain`: only the flow that runs and the loop touch it */
byte head[2];   /* under the lock, or as a hint */
byte exc[2];    /* pops below it ask; slots below it are public */
bool locked[2];
byte shown[2];
byte next[2];    /* a stack to go on with */
byte closure[2]; /* a closure to run: the stack whose flow waits for it */

/* A stack, its deque and its flow. The deque has one slot, and nulls behind it. */
typedef stack {
    bool frame;
    bool is_taken; /* `head` is above the slot */
    bool asks;     /* `exc` is above the slot: it is public */
    bool locked;
    byte strand;  /* the parent at whose join the child arrives, plus 1 */
    byte spawned; /* deque::spawned */
    /* The flow. */
    byte pc;
    byte depth;
    byte left; /* to spawn */
    byte out;  /* strands that its join waits for */
    bool waits;
    /* For the checks. */
    bool has_frame; /* pushed, and neither popped nor taken */
    byte older;     /* its parent, as long as that is neither popped nor taken */
    bool runs;
    bool is_free
}
stack s[STACKS];

/* What a flow does next. */
#define PUSH 0
#define SPAWN 1
#define GO_ON 2
#define SYNC 3
#define POP 4
#define JOIN 5
#define END 6

#ifdef DEEP
#define DEEPEST 2
#else
#define DEEPEST 1
#endif

byte to_begin = ROOTS;
byte to_end = ROOTS;

inline lock(which) {
    atomic { !which -> which = true }
}

inline unlock(which) {
    which = false
}

/* stacks::cache::take; in an atomic step. */
inline take_stack(it) {
    for (it : 0 .. STACKS - 1) {
        if
        :: s[it].is_free -> break
        :: else
        fi
    }
    assert(it < STACKS);
    s[it].is_free = false
}

/* What the worker has given to its cache goes to the pool, a row of spares stack by stack. */
inline give_to_pool(it) {
    d_step {
        do
        :: it != no_stack ->
            assert(!s[it].is_free && !s[it].runs && !s[it].frame);
            s[it].is_free = true;
            other = s[it].spawned;
            s[it].spawned = no_stack;
            it = other
        :: else -> break
        od;
        other = 0
    }
}

inline begin_flow(it, how_deep) {
    s[it].depth = how_deep;
    s[it].left = (how_deep == 0 -> CHILDREN : (how_deep < DEEPEST -> 1 : 0));
    s[it].older = no_stack;
#ifdef BELOW
    s[it].pc = PUSH
#else
    s[it].pc = (how_deep == DEEPEST -> PUSH : SPAWN)
#endif
}

/* A flow goes on here: it must not run elsewhere. */
inline enter(it) {
    assert(!s[it].runs && !s[it].waits && !s[it].is_free);
    s[it].runs = true
}

/* join::arrive of a strand of the flow on `it`; the last one continues the owner on `w`. */
inline arrive(w, it) {
    assert(s[it].out > 0);
    s[it].out--;
    if
    :: s[it].out == 0 && s[it].waits ->
        assert(next[w] == no_stack);
        s[it].waits = false;
        next[w] = it
    :: else
    fi
}

/* -- What flows do. `w` is the worker, `me` the stack of the flow that runs there. */

/* scope::spawn: attach_child and start_child; then publish_parent, on the child's stack. */
inline spawn() {
    atomic {
        s[me].left--;
        s[me].pc = GO_ON;
        other = s[me].spawned;
        if
        :: other == no_stack ->
            take_stack(other);
            s[me].spawned = other
        :: else
        fi;
        begin_flow(other, s[me].depth + 1);
        s[other].older = me;
        s[me].runs = false;
        enter(other)
    }
    atomic {
        at(w, tail[w]) = me + 1;
        tail[w]++;
        me = other
    }
    shown[w] = me;
    other = 0
}

/* sg_push. */
inline push() {
    atomic {
        s[me].frame = true;
        s[me].has_frame = true;
        s[me].pc = (s[me].left > 0 -> SPAWN : POP)
    }
}

/* sg_pop, and frame_is_gone. */
inline pop() {
    atomic {
        s[me].frame = false;
        s[me].pc = JOIN
    }
    if
    :: s[me].asks ->
        lock(s[me].locked);
        atomic {
            if
            :: s[me].is_taken -> s[me].is_taken = false /* gone: restart_at */
            :: else -> keep_frame()
            fi
        }
        /* `answer`: private, or public. */
        if
        :: s[me].asks = false
        :: true
        fi;
        unlock(s[me].locked)
    :: else -> keep_frame()
    fi
}

inline keep_frame() {
    assert(s[me].has_frame);
    s[me].has_frame = false
}

/* detail::end_child, and end_child_by_lock. Leaves `apart`: the parent was taken. */
inline end_child() {
    atomic {
        tail[w]--;
        slot = tail[w];
        other = at(w, slot);
        at(w, slot) = 0
    }
    apart = false;
    if
    :: exc[w] > slot ->
        apart = (s[me].strand != 0);
        if
        :: apart -> tail[w] = slot + 1
        :: else ->
            lock(locked[w]);
            apart = head[w] > slot;
            if
            :: apart
            :: !apart && exc[w] > head[w] -> exc[w] = highest(head[w], slot) /* answer: private */
            :: !apart /* or public */
            fi;
            unlock(locked[w]);
#ifndef BUG_chain_is_kept_below_a_taken_parent
            if
            :: apart -> tail[w] = slot + 1
            :: else
            fi
#endif
        fi
    :: else
    fi;
    slot = 0
}

/* The parent goes on, on its stack. */
inline go_on_with_parent() {
    atomic {
        assert(other != 0 && s[me].older == other - 1);
        shown[w] = other - 1;
        s[me].runs = false;
        s[me].older = no_stack;
        me = other - 1;
        enter(me);
        other = 0
    }
}

/* end_apart. */
inline end_apart() {
    atomic {
        other = s[me].strand;
        assert(other != 0); /* it has a strand to end */
        s[me].strand = 0;   /* deque::reset */
    }
    atomic {
        s[me].runs = false;
        given = me;
        arrive(w, other - 1);
        other = 0
    }
#ifdef BUG_stack_is_given_before_it_is_left
    give_to_pool(given)
#endif
}

/* give_spares: the stack of the flow's child. */
inline give_spares() {
    d_step {
        spare = s[me].spawned;
        s[me].spawned = no_stack
    }
}

/* leave_chain: all thieves of this flow have moved the head. */
inline leave_chain() {
    if
    :: tail[w] < FIRST + BEHIND
    :: tail[w] > FIRST ->
        lock(locked[w]);
        slot = FIRST;
        do
        :: slot != tail[w] ->
            at(w, slot) = 0;
            slot++
        :: else -> break
        od;
        slot = 0;
        head[w] = FIRST;
        /* restart_at: the rest is private, or public. */
        if
        :: exc[w] = FIRST
        :: exc[w] = FIRST + 1
        fi;
        unlock(locked[w]);
        tail[w] = FIRST
    fi
}

/* run_next, and the flow until it leaves the worker. */
inline run_next(it) {
    atomic {
        me = it;
        it = no_stack;
        enter(me);
        shown[w] = me
    }
    do
    :: s[me].pc == PUSH -> push()
    :: s[me].pc == SPAWN || (s[me].pc == GO_ON && s[me].left > 0) -> spawn()
    :: s[me].pc == GO_ON && s[me].left == 0 -> s[me].pc = SYNC
    :: (s[me].pc == SYNC || s[me].pc == JOIN) && s[me].out > 0 ->
        /* sync_owner: park. */
        give_spares();
        parks = true;
        break
    :: s[me].pc == SYNC && s[me].out == 0 -> s[me].pc = (s[me].frame -> POP : END)
    :: s[me].pc == POP -> pop()
    :: s[me].pc == JOIN && s[me].out == 0 -> s[me].pc = END
    :: s[me].pc == END && s[me].depth > 0 ->
        end_child();
        if
        :: apart ->
            give_spares();
            end_apart();
            break
        :: else -> go_on_with_parent()
        fi
    :: s[me].pc == END && s[me].depth == 0 ->
        /* run_body. */
        give_spares();
        atomic {
            assert(s[me].older == no_stack);
            s[me].runs = false;
            given = me;
            to_end--
        }
        break
    od;
    shown[w] = no_stack;
    leave_chain();
    park();
    /* In time the cache gives to the pool what it has. */
    give_to_pool(given);
    give_to_pool(spare);
    me = 0
}

/* worker::after: the owner arrives at its join. */
inline park() {
    atomic {
        if
        :: parks ->
            parks = false;
            s[me].runs = false;
            if
            :: s[me].out == 0 ->
                assert(next[w] == no_stack);
                next[w] = me
            :: else -> s[me].waits = true
            fi
        :: else
        fi
    }
}

/* -- What thieves do. `w` is the thief, `v` the victim. */

/* The taking of the frame on `d`, which is public and whose deque is locked. */
inline take_frame(d) {
    atomic {
        assert(s[d].has_frame && !s[d].is_taken);
        assert(s[d].older == no_stack); /* oldest first */
        assert(s[d].depth == 0 || s[d].strand != 0);
        s[d].has_frame = false;
        s[d].is_taken = true;
        if
        :: w == T ->
            assert(closure[w] == no_stack);
            closure[w] = d;
            s[d].out++
        :: else
        fi
    }
}

/* steal_from_active. */
inline steal_from_active(v) {
    d = shown[v];
#ifdef BUG_is_oldest_without_a_frame
    look_for_older(v);
#endif
    atomic {
        holds = (d != no_stack && !s[d].locked);
        if
        :: holds -> s[d].locked = true
        :: else
        fi
    }
    if
    :: holds ->
        if
        :: s[d].frame && !s[d].is_taken ->
            if
            :: !s[d].asks -> s[d].asks = true
            :: else ->
#ifndef BUG_is_oldest_without_a_frame
                look_for_older(v);
#endif
                if
                :: is_oldest -> take_frame(d)
                :: else
                fi
            fi
        :: else
        fi;
        unlock(s[d].locked)
    :: else
    fi;
    atomic {
        d = 0;
        is_oldest = false
    }
}

/* is_oldest. */
inline look_for_older(v) {
#ifdef BUG_no_look_for_older
    is_oldest = true;
#else
    slot = head[v];
    other = at(v, slot);
#ifndef BUG_no_look_at_the_lock
    held = locked[v];
#endif
    atomic {
#ifdef BUG_active_is_not_compared
        is_oldest = (other == 0 || other == d + 1);
#else
        is_oldest = !held && (other != 0 -> other == d + 1 : shown[v] == d);
#ifdef BUG_no_look_at_the_lock_with_a_parent
        is_oldest = is_oldest || other == d + 1;
#endif
#endif
        slot = 0;
        other = 0;
        held = false
    }
#endif
}

/* take_parent, of the parent `d` at the chain's head; its child is `other`. */
inline take_parent(v) {
    atomic {
        /* take_continuation. */
        assert(s[d].pc == GO_ON && s[d].older == no_stack && (!s[d].frame || s[d].is_taken));
        other = s[d].spawned;
        assert(s[other].older == d);
        s[other].older = no_stack;
#ifndef BUG_child_stack_stays_with_the_parent
        s[d].spawned = no_stack;
#endif
        assert(next[w] == no_stack);
        next[w] = d
    }
#ifdef BUG_strand_before_the_join
    s[other].strand = d + 1;
    s[d].out++;
#else
    s[d].out++;
#endif
#ifdef BUG_strand_before_the_head
    s[other].strand = d + 1;
#endif
    head[v]++;
    exc[v] = highest(exc[v], head[v]);
#if !defined(BUG_strand_before_the_join) && !defined(BUG_strand_before_the_head) && \
    !defined(BUG_strand_after_the_lock)
    s[other].strand = d + 1
#endif
}

/* steal_from_chain. */
inline steal_from_chain(v) {
    atomic {
        holds = !locked[v];
        if
        :: holds -> locked[v] = true
        :: else
        fi
    }
    if
    :: holds ->
        d = at(v, head[v]);
        if
        :: d == 0
        :: d != 0 && exc[v] <= head[v] -> exc[v] = head[v] + 1
        :: d != 0 && exc[v] > head[v] -> rob_parent(v)
        fi;
        unlock(locked[v]);
#ifdef BUG_strand_after_the_lock
        if
        :: other != 0 -> s[other].strand = d + 1
        :: else
        fi
#endif
    :: else
    fi;
    atomic {
        d = 0;
        other = 0
    }
}

/* The frames of the suspended parent, or the parent. */
inline rob_parent(v) {
    d--;
    if
#ifndef BUG_parent_before_its_frames
    :: s[d].frame && !s[d].is_taken ->
        /* At rest: the parent cannot go on. */
        lock(s[d].locked);
        if
        :: s[d].frame && !s[d].is_taken ->
            s[d].asks = true;
            take_frame(d)
        :: else
        fi;
        unlock(s[d].locked)
#endif
    :: else ->
        if
        :: w == T -> take_parent(v)
        :: else
        fi
    fi
}

proctype worker_a(byte w) {
    byte me, other, slot, d;
    byte given = no_stack, spare = no_stack;
    bool apart, parks, is_oldest, holds, held;
    do
    :: next[A] != no_stack -> run_next(next[A])
    :: next[A] == no_stack && to_begin > 0 ->
        atomic {
            to_begin--;
            take_stack(other);
            begin_flow(other, 0);
            next[A] = other;
            other = 0
        }
    :: to_end == 0 -> break
    od
}

proctype worker_t(byte w) {
    byte me, other, slot, d;
    byte given = no_stack, spare = no_stack;
    bool apart, parks, is_oldest, holds, held;
    do
    :: next[T] != no_stack -> run_next(next[T])
    :: next[T] == no_stack && closure[T] != no_stack ->
        /* It has run the closure. */
        atomic {
            other = closure[T];
            closure[T] = no_stack;
            arrive(T, other);
            other = 0
        }
    :: next[T] == no_stack && closure[T] == no_stack && to_end > 0 -> steal_from_chain(A)
#if ROOTS == 1
    :: next[T] == no_stack && closure[T] == no_stack && to_end > 0 -> steal_from_active(A)
#endif
    :: to_end == 0 -> break
    od
}

proctype thief_b(byte w) {
    byte other, slot, d;
    bool is_oldest, holds, held;
    do
    :: to_end > 0 -> steal_from_active(A)
#if ROOTS == 1
    :: to_end > 0 -> steal_from_active(T)
#endif
#ifdef BELOW
    :: to_end > 0 -> steal_from_chain(A)
#endif
    :: to_end == 0 -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. STACKS - 1) {
            s[i].is_free = true;
            s[i].spawned = no_stack
        }
        for (i : A .. T) {
            tail[i] = FIRST;
            head[i] = FIRST;
            exc[i] = FIRST;
            shown[i] = no_stack;
            next[i] = no_stack;
            closure[i] = no_stack
        }
        run worker_a(A);
        run worker_t(T);
        run thief_b(B)
    }
    _nr_pr == 1;
    for (i : 0 .. STACKS - 1) {
        assert(s[i].is_free && !s[i].frame && s[i].out == 0 && s[i].strand == 0)
    }
    for (i : A .. T) {
        assert(head[i] == tail[i] && !locked[i]);
        do
        :: tail[i] < LENGTH ->
            assert(at(i, tail[i]) == 0);
            tail[i]++
        :: else -> break
        od
    }
}
