// SPDX-License-Identifier: MIT
// A worker that has work: it runs events until it has to wait, or until something that others can
// notice lies in its future.
#include "run.hpp"

#include <cassert>

namespace saguaro::sim {

// Fences of others stop a worker wherever it is; it learns of them when its event comes.
bool run::is_interrupted(worker &w, unsigned me, ps now) {
    if (w.fences_seen == out_.fences) [[likely]]
        return false;
    const ps lost = static_cast<ps>(out_.fences - w.fences_seen) * price_.interrupted;
    w.fences_seen = out_.fences;
    out_.fencing += lost;
    clocks_.set(me, now + lost);
    return true;
}

void run::work(unsigned me, ps now) {
    worker &w = workers_[me];
    if (is_interrupted(w, me, now))
        return;
    cursor c(program_, w.at);
    for (ps at = now;;) {
        if (c.peek() == kind::work) {
            c.next();
            const ps time = static_cast<ps>(c.number()) * a_nanosecond;
            draw(me, activity::work, at, at + time);
            at += time;
            w.slack += time;
            out_.working += time;
            ++out_.events;
            continue;
        }
        if (c.peek() == kind::reuse) { // in the cache: the work has its time
            c.next();
            c.range();
            ++out_.events;
            continue;
        }
        if (at > now) {
            w.at = c.at();
            clocks_.set(me, at);
            return;
        }
        ++out_.events;
        at = act(c.next(), c, me, now);
        if (at == stops)
            return;
    }
}

ps run::act(kind what, cursor &c, unsigned me, ps now) {
    const std::uint32_t mine = workers_[me].frame;
    switch (what) {
    case kind::spawn:
        return spawn(c, me, now);
    case kind::child_ends:
        return end_child(c, me, now);
    case kind::sync:
        return frames_[mine].apart == 0 ? now : wait_in(mine, c.at(), me, now);
    case kind::call:
        workers_[me].frame = frames_.make(mine);
        return now;
    case kind::leave:
        if (frames_[mine].apart != 0)
            return wait_in(mine, c.at() - 1, me, now); // comes back here
        workers_[me].frame = frames_[mine].parent;
        frames_.end(mine);
        return now;
    case kind::object:
        memory_.make(c.object(), has_spawned_);
        return now;
    case kind::free:
        memory_.free(c.number());
        return now;
    case kind::touch:
        return touch(c, me, now);
    case kind::end:
        if (frames_[mine].apart != 0)
            return wait_in(mine, c.at() - 1, me, now);
        is_over_ = true;
        out_.time = now;
        return stops;
    case kind::work: // the caller's
    case kind::reuse:
    case kind::loop: // never in a program
        break;
    }
    return now;
}

ps run::spawn(cursor &c, unsigned me, ps now) {
    worker &w = workers_[me];
    slots &own = slots_[me];
    const bool is_first = own.is_empty();
    own.push({w.frame, c.continuation()});
    w.frame = frames_.make(w.frame);
    has_spawned_ = true;
    out_.working += price_.spawn;
    if (is_first && with_work_++ == 0)
        feed_hungry(now);
    return now + price_.spawn + wake_one(now);
}

// The owner takes its newest slot back. Gives the time that this takes.
ps run::pop(unsigned me, ps now) {
    slots &own = slots_[me];
    ps cost = 0;
    if (how_ == steals::open) {
        cost = price_.ask;
    } else if (how_ == steals::request && own.is_requested()) {
        cost = price_.ask;
        answer(me, now);
    } else if (how_ == steals::request && own.is_newest_public()) {
        cost = price_.ask;
        own.asked_in_vain();
    }
    own.pop();
    with_work_ -= own.is_empty();
    return cost;
}

ps run::end_child(cursor &c, unsigned me, ps now) {
    worker &w = workers_[me];
    const std::uint32_t child = w.frame;
    if (frames_[child].apart != 0)
        return wait_in(child, c.at() - 1, me, now);
    const std::uint32_t parent = frames_[child].parent;
    frames_.end(child);
    w.frame = parent;
    if (!slots_[me].is_empty())
        return now + pop(me, now); // the continuation is what follows
    // A thief has it, and what is older than it as well.
    frame &joined = frames_[parent];
    assert(joined.apart > 0);
    --joined.apart;
    if (joined.apart == 0 && joined.is_waiting) {
        joined.is_waiting = false;
        c.move(joined.resume);
        return now + price_.robbed;
    }
    begin_looking(me, now + price_.robbed);
    return stops;
}

// The last child that arrives goes on at `resume`.
ps run::wait_in(std::uint32_t waiting, position resume, unsigned me, ps now) {
    assert(slots_[me].is_empty());
    frames_[waiting].is_waiting = true;
    frames_[waiting].resume = resume;
    begin_looking(me, now);
    return stops;
}

ps run::touch(cursor &c, unsigned me, ps now) {
    worker &w = workers_[me];
    const ps longer = memory_.touch(c.range(), machine_.node_of(me), now, w.slack);
    draw(me, activity::memory, now, now + longer);
    w.slack = 0;
    return now + longer;
}

void run::begin_looking(unsigned me, ps now) {
    worker &w = workers_[me];
    w.doing = state::looking;
    w.idle_since = now;
    w.failed = 0;
    clocks_.set(me, now);
}

} // namespace saguaro::sim
