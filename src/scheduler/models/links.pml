/* SPDX-License-Identifier: MIT */
/*
 * Suspended calls: README.md, "C functions: unwinding, links". Who waits for a function and who
 * ends it meet at full_frame::link.
 *
 * A native stack holds, from its first function on: a plain C function, its callee of level
 * LEVELS - 1, that one's callee, and so on to level 0, which has spawned a leaf. Each level has
 * either spawned or called the one below. Whoever spawned has been robbed of its frame by a thief
 * of its own. Worker 0 ends the leaf and unwinds while the thieves go on, sync and end. All
 * combinations of spawned and called levels, and of called levels that are fast or, on the bottom
 * of the stack, slow clones.
 *
 * Checked: each part of each function runs once; each receives its callee's result; the views of
 * all strands come together, none twice, none lost; a stack is not continued before it is left; no
 * full frame is touched after it is freed, and all are freed; a worker has one thing to go on with;
 * all come to their end.
 *
 * Abstracted: memory is sequentially consistent (a link is only exchanged, and an exchange is a
 * fence; joins have a lock, see joins.pml, and arrive in one step); a set of views is a set of
 * bits.
 */

#define LEVELS 3
#define WORKERS 4 /* 0 unwinds; thief k has the frame of level k - 1 */

/* full_frame::link. */
#define nobody 0
#define ended 1
#define stub 2   /* the spawned_child of the level above */
#define caller 3 /* the full frame of the level above */
#define parked 4 /* the plain C function's stack */

/* Where a frame goes on: its site's entry. Or what it holds in place of its variables: once it has
 * ended without anybody waiting, its result. */
#define behind_spawn 1
#define behind_sync 2
#define behind_call 3
#define holds_result 4

/* How level k has started the one below. */
#define spawned 1
#define called_by_fast 2
#define called_by_slow 3 /* the slow clone is the first function on the stack */

typedef full_frame {
    byte link;
    byte content;   /* an entry, or holds_result */
    byte result;    /* once it has ended */
    byte received;  /* the result of the child or callee */
    byte out;       /* join::out_ */
    byte left;      /* views that strands have left at the join */
    byte end_views;
    bool made;
    bool freed
}

full_frame frames[LEVELS];
byte how[LEVELS];

/* What a worker has: its private views, and worker::next: a level + 1, the stack, or nothing. */
#define nothing 0
#define the_stack 9
byte views[WORKERS];
byte next[WORKERS];

bool stack_is_left;
bool c_went_on;
byte c_received;
byte top; /* of the levels that there are */
bool second_run[LEVELS]; /* a frame's part behind the spawn or call has run */

#define result_of(level) (level + 1)
#define result_of_leaf 9
#define bit_of(level) (2 << level)
#define bit_of_leaf 1

inline check_alive(level) {
    assert(frames[level].made && !frames[level].freed)
}

inline go_on_with(w, what) {
    assert(next[w] == nothing);
    next[w] = what
}

inline add_views(w, more) {
    assert((views[w] & (more)) == 0);
    views[w] = views[w] | (more)
}

/* local::put: the private set must be empty. */
inline put_views(w, set) {
    assert(views[w] == 0);
    views[w] = set
}

inline free(level) {
    d_step {
        check_alive(level);
        frames[level].freed = true
    }
}

/* join::arrive; `last` is what it returns. */
inline arrive(w, level) {
    d_step {
        check_alive(level);
        frames[level].out--;
        if
        :: frames[level].out == 0 ->
            /* The join is as new. */
            frames[level].out = 1;
            add_views(w, frames[level].left);
            frames[level].left = 0;
            last = true
        :: else ->
            assert((frames[level].left & views[w]) == 0);
            frames[level].left = frames[level].left | views[w];
            views[w] = 0;
            last = false
        fi
    }
}

/* waiter::proceed, of whoever waits for the function below level `up`, which has ended with the
 * result `value`. */
inline proceed(w, who, up, value) {
    if
    :: who == stub -> /* end_spawned_child */
        d_step {
            check_alive(up);
            frames[up].received = value
        }
        arrive(w, up);
        if
        :: last -> go_on_with(w, up + 1)
        :: else
        fi
    :: who == caller -> /* continue_caller */
        d_step {
            check_alive(up);
            frames[up].received = value;
            go_on_with(w, up + 1)
        }
    :: who == parked -> /* continue_parked */
        d_step {
            c_received = value;
            go_on_with(w, the_stack)
        }
    fi
}

/* full_frame::wait. `must_wait` is what it returns. */
inline wait(level, who) {
#ifdef BUG_wait_without_exchange
    check_alive(level);
    before = frames[level].link;
    if
    :: before != ended -> frames[level].link = who
    :: else
    fi;
    must_wait = before != ended;
#else
    d_step {
        check_alive(level);
        must_wait = frames[level].link != ended;
        frames[level].link = who
    }
#endif
}

/* take_over, without the views. It copies as many bytes as the function's result has; whoever asked
 * the frame for its site then would find the result in its place. */
inline copy_result(level, to) {
    check_alive(level);
#ifdef BUG_size_from_the_frame
    assert(frames[level].content != holds_result);
#endif
    to = frames[level].result
}

/* full_frame::finish. */
inline finish(w, level) {
    check_alive(level);
    who = frames[level].link;
    if
    :: who == nobody ->
#ifndef BUG_views_after_the_mark
        frames[level].end_views = views[w];
        views[w] = 0;
#endif
#ifndef BUG_result_after_the_mark
        frames[level].result = result_of(level);
        frames[level].content = holds_result;
#endif
#ifdef BUG_finish_without_exchange
        frames[level].link = ended;
#else
        d_step {
            who = frames[level].link;
            frames[level].link = ended
        }
#endif
#ifdef BUG_views_after_the_mark
        check_alive(level);
        frames[level].end_views = views[w];
        views[w] = 0;
#endif
#ifdef BUG_result_after_the_mark
        check_alive(level);
        frames[level].result = result_of(level);
        frames[level].content = holds_result;
#endif
        if
        :: who != nobody -> put_views(w, frames[level].end_views)
        :: else
        fi
    :: else
    fi;
    if
    :: who != nobody ->
        proceed(w, who, level + 1, result_of(level));
        free(level)
    :: else
    fi;
    who = nobody
}

/* sg_sync, in a slow clone. Leaves `last`. */
inline sync(w, level) {
    check_alive(level);
#ifdef BUG_site_after_arriving
    arrive(w, level);
    frames[level].content = behind_sync
#else
    frames[level].content = behind_sync;
    arrive(w, level)
#endif
}

/* resume_full_frame, and the slow clone of `level`. */
inline resume(w, level) {
    check_alive(level);
    last = true;
    if
    :: frames[level].content == behind_spawn ->
        assert(!second_run[level]);
        second_run[level] = true;
        add_views(w, bit_of(level));
        sync(w, level)
    :: frames[level].content == behind_call ->
        assert(!second_run[level]);
        second_run[level] = true;
        assert(frames[level].received == result_of(level - 1));
        add_views(w, bit_of(level))
    :: else ->
        assert(frames[level].content == behind_sync)
    fi;
    if
    :: last ->
        if
        :: level == 0 -> assert(frames[level].received == result_of_leaf)
        :: else -> assert(frames[level].received == result_of(level - 1))
        fi;
        finish(w, level)
    :: else
    fi;
    last = false
}

/* The plain C function goes on, on whichever worker. */
inline go_on_in_c(w) {
    d_step {
        assert(!c_went_on);
        c_went_on = true;
        assert(c_received == result_of(top - 1));
        /* All views there are, the leaf's and those of each level. */
        assert(views[w] == (2 << top) - 1)
    }
}

/* worker_loop: runs what is next until there is nothing. */
inline loop(w) {
    do
    :: next[w] == nothing -> break
    :: next[w] == the_stack ->
        d_step {
            next[w] = nothing;
            assert(stack_is_left)
        }
        go_on_in_c(w);
        break
    :: else ->
        d_step {
            at = next[w] - 1;
            next[w] = nothing
        }
        resume(w, at);
        at = 0
    od
}

proctype thief(byte me) {
    byte at, who, before;
    bool last;
    loop(me)
}

/* What the unwinding at `level` does with the function below, which is `incomplete`, or has
 * returned a value: level + 1, or 0. */

/* sg_is_stolen, at `level`. */
inline is_stolen() {
    if
    :: incomplete == 0 -> proceed(0, stub, level, value)
    :: else ->
        assert(incomplete == level);
        wait(level - 1, stub);
        if
        :: !must_wait ->
            put_views(0, frames[level - 1].end_views);
            copy_result(level - 1, value);
            proceed(0, stub, level, value);
            free(level - 1)
        :: else
        fi
    fi;
    incomplete = level + 1
}

/* sg_suspend, if it is needed, and what a clone does then. */
inline suspend() {
    if
    :: incomplete != 0 ->
        d_step {
            assert(incomplete == level);
            frames[level].made = true;
            frames[level].freed = false;
            frames[level].out = 1;
            frames[level].content = behind_call
        }
        wait(level - 1, caller);
        if
        :: must_wait -> incomplete = level + 1
        :: else ->
            frames[level].made = how[level] == called_by_slow;
            copy_result(level - 1, value);
            put_views(0, frames[level - 1].end_views);
            free(level - 1);
            incomplete = 0
        fi
    :: else
    fi;
    if
    :: incomplete == 0 ->
        /* It goes on on this stack. */
        assert(value == result_of(level - 1) && !second_run[level]);
        second_run[level] = true;
        add_views(0, bit_of(level));
        value = result_of(level)
    :: else
    fi
}

/* sg_await. */
inline await() {
#ifndef BUG_wait_before_parking
    stack_is_left = true; /* park: the context is complete */
#endif
    wait(top - 1, parked); /* wait_parked */
    if
    :: !must_wait ->
        copy_result(top - 1, c_received);
        put_views(0, frames[top - 1].end_views);
        free(top - 1);
        go_on_with(0, the_stack)
    :: else
    fi;
    stack_is_left = true
}

proctype unwinder() {
    byte at, who, before, level, incomplete, value;
    bool last, must_wait;
    /* The leaf ends, and the pop of level 0 finds its frame gone. */
    add_views(0, bit_of_leaf);
    value = result_of_leaf;
    proceed(0, stub, 0, value);
    incomplete = 1;
    level = 1;
    do
    :: level == top -> break
    :: else ->
        if
        :: how[level] == spawned -> is_stolen()
        :: else -> suspend()
        fi;
        level++
    od;
    if
    :: how[top - 1] == called_by_slow ->
        /* The slow clone returns to the loop: it has ended, or waits. */
        if
        :: incomplete == 0 -> finish(0, top - 1)
        :: else
        fi
    :: how[top - 1] != called_by_slow && incomplete != 0 -> await()
    :: else ->
        c_received = value;
        go_on_in_c(0)
    fi;
    loop(0)
}

inline start_thief(level) {
    how[level] = spawned;
    frames[level].made = true;
    frames[level].content = behind_spawn;
    frames[level].out = 2; /* the owner and the child */
    next[level + 1] = level + 1;
    run thief(level + 1)
}

init {
    byte level;
    atomic {
        start_thief(0);
        top = 1;
        do
        :: top < LEVELS ->
            if
            :: start_thief(top)
            :: how[top] = called_by_fast
            :: how[top] = called_by_slow;
                /* The C function has been parked before, and waits for it. */
                frames[top].made = true;
                frames[top].out = 1;
                frames[top].link = parked;
                stack_is_left = true;
                top++;
                break
            fi;
            top++
        :: else -> break
        od;
        run unwinder()
    }
    _nr_pr == 1;
    assert(c_went_on);
    for (level : 0 .. LEVELS - 1) {
        assert(!frames[level].made || frames[level].freed);
        assert(level >= top || second_run[level])
    }
}
