// SPDX-License-Identifier: MIT
// A worker without work: it looks for a victim, and sleeps when it has looked long enough.
#include "run.hpp"

#include "scheduler/fence_turns.hpp"

#include <algorithm>

namespace saguaro::sim {

namespace {

// A thief looks for an answer for this part of a fence's time.
constexpr ps look_part = 4;

// The pause after a fence, in times that a fence takes.
constexpr ps fence_pause = scheduler::fence_turns::pause;

// A cost between two workers, in proportion to the latency from one to the other.
ps scaled(ps cost, const machine &on, unsigned a, unsigned b) {
    return static_cast<ps>(static_cast<double>(cost) * on.latency_of_workers(a, b));
}

} // namespace

void run::look(unsigned me, ps now) {
    worker &w = workers_[me];
    w.doing = state::looking;
    if (with_work_ == 0) {
        starve(me, now);
        return;
    }
    ++out_.events;
    const int victim = policy_->choose_victim(me, w.failed);
    if (victim < 0)
        fail(me, me, now);
    else
        try_victim(me, static_cast<unsigned>(victim), now);
}

void run::try_victim(unsigned me, unsigned victim, ps now) {
    slots &theirs = slots_[victim];
    if (theirs.is_empty() || now < theirs.locked_until)
        fail(me, victim, now);
    else if (how_ == steals::open || (how_ == steals::request && theirs.is_oldest_public()))
        take(me, victim, now);
    else if (how_ == steals::fence)
        begin_fence(me, victim, now);
    else if (!theirs.is_requested())
        request(me, victim, now);
    else if (now - theirs.requested_at() >= price_.fence && now >= theirs.fenced_until &&
             now >= next_fence_)
        begin_fence(me, victim, now);
    else
        fail(me, victim, now);
}

void run::take(unsigned me, unsigned victim, ps now) {
    worker &w = workers_[me];
    slots &theirs = slots_[victim];
    const slot taken = theirs.take();
    with_work_ -= theirs.is_empty();
    ++frames_[taken.frame].apart; // the child that the victim runs
    const ps cost = scaled(price_.steal, machine_, me, victim);
    theirs.locked_until = now + cost / 2;
    w.doing = state::working;
    w.frame = taken.frame;
    w.at = taken.continuation;
    w.slack = 0;
    w.failed = 0;
    w.fences_seen = out_.fences;
    slots_[me].open_oldest(); // who has stolen expects thieves
    ++out_.steals[machine_.crossed(machine_.node_of(me), machine_.node_of(victim))];
    out_.stealing += cost;
    clocks_.set(me, now + cost + wake_one(now));
}

void run::fail(unsigned me, unsigned victim, ps now) {
    worker &w = workers_[me];
    w.doing = state::looking;
    ++w.failed;
    ++out_.failed_looks;
    clocks_.set(me, now + std::max<ps>(1, scaled(price_.look, machine_, me, victim)));
}

void run::request(unsigned me, unsigned victim, ps now) {
    ++out_.requests;
    slots_[victim].request(now, me);
    workers_[me].doing = state::waiting;
    workers_[me].victim = victim;
    clocks_.set(me, now + scaled(price_.look, machine_, me, victim) + price_.fence / look_part);
}

// The owner has come to its lock and finds a request.
void run::answer(unsigned owner, ps now) {
    const unsigned asker = slots_[owner].asker();
    slots_[owner].open_oldest();
    if (asker == slots::nobody)
        return;
    workers_[asker].doing = state::invited;
    clocks_.set(asker, now + scaled(price_.look, machine_, asker, owner));
}

void run::begin_fence(unsigned me, unsigned victim, ps now) {
    slots &theirs = slots_[victim];
    fences_until_ = std::max(fences_until_, now) + price_.fence;
    next_fence_ = fences_until_ + fence_pause * price_.fence;
    out_.fencing += price_.fence;
    ++out_.fences;
    // Only where each steal takes one does the thief hold the lock meanwhile.
    (how_ == steals::fence ? theirs.locked_until : theirs.fenced_until) = fences_until_;
    workers_[me].doing = state::fencing;
    workers_[me].victim = victim;
    clocks_.set(me, fences_until_);
}

void run::end_fence(unsigned me, ps now) {
    const unsigned victim = workers_[me].victim;
    slots &theirs = slots_[victim];
    theirs.open_oldest();
    if (how_ == steals::request)
        try_victim(me, victim, now);
    else if (theirs.is_empty())
        fail(me, victim, now);
    else
        take(me, victim, now);
}

// As long as all deques are empty, all looks fail: they need no events. The thief's times go on.
void run::starve(unsigned me, ps now) {
    workers_[me].doing = state::hungry;
    workers_[me].looks_next = now;
    hungry_.push_back(me);
    clocks_.set(me, clocks::never);
}

void run::feed_hungry(ps now) {
    for (const unsigned me : hungry_) {
        worker &w = workers_[me];
        if (now - w.idle_since >= price_.spin) {
            sleep(me, std::max(w.looks_next, w.idle_since + price_.spin));
            continue;
        }
        const ps each = std::max<ps>(1, mean_look_[machine_.node_of(me)]);
        const ps missed = now > w.looks_next ? (now - w.looks_next + each - 1) / each : 0;
        w.failed += static_cast<unsigned>(missed);
        out_.failed_looks += static_cast<std::uint64_t>(missed);
        w.doing = state::looking;
        clocks_.set(me, w.looks_next + missed * each);
    }
    hungry_.clear();
}

void run::sleep(unsigned me, ps now) {
    workers_[me].doing = state::asleep;
    workers_[me].idle_since = now;
    sleepers_.push_back(me);
    clocks_.set(me, clocks::never);
}

// Of the one that fell asleep last.
unsigned run::end_sleep(ps now) {
    const unsigned who = sleepers_.back();
    sleepers_.pop_back();
    const ps slept = std::max<ps>(0, now - workers_[who].idle_since);
    out_.sleeping += slept;
    draw(who, activity::sleep, now - slept, now);
    return who;
}

// The worker that fell asleep last. Gives the cost to the worker that wakes it.
ps run::wake_one(ps now) {
    if (sleepers_.empty())
        return 0;
    const unsigned who = end_sleep(now);
    ++out_.wakes;
    workers_[who].idle_since = now + price_.wake;
    workers_[who].failed = 0;
    clocks_.set(who, workers_[who].idle_since);
    return price_.waking;
}

} // namespace saguaro::sim
