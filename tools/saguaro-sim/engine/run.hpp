// SPDX-License-Identifier: MIT
// One simulation that runs. Each worker acts at its own time; the one whose time is the earliest
// acts next. Computing moves a worker's own time only, so events that others can notice (a push, a
// pop, a sync, misses) happen in the order of all times.
#pragma once

#include "clocks.hpp"
#include "frames.hpp"
#include "scheduler/policy.hpp"
#include "simulation.hpp"
#include "slots.hpp"

#include <memory>
#include <vector>

namespace saguaro::sim {

class run {
public:
    run(const program &what, const machine &on, const setup &how);

    outcome to_end();

private:
    enum class state {
        working,
        looking, // for work
        waiting, // for the answer to its request
        invited, // it has the answer
        fencing, // until all processors have passed a fence
        hungry,  // all deques are empty: looks again when one is not
        asleep
    };

    struct worker {
        state doing = state::looking;
        std::uint32_t frame = frames::none;
        position at = 0;
        ps slack = 0;        // it has worked so long since its last misses
        ps idle_since = 0;   // of a thief
        ps looks_next = 0;   // of a hungry one
        unsigned failed = 0; // looks since it found something
        unsigned victim = 0; // of one that waits or fences
        std::uint64_t fences_seen = 0;
    };

    // A worker that has work (run_working.cpp).
    void work(unsigned me, ps now);
    bool is_interrupted(worker &w, unsigned me, ps now);
    // Each event gives the time at which it is over, or `stops`: the worker has no more to do.
    static constexpr ps stops = -1;
    ps act(kind what, cursor &c, unsigned me, ps now);
    ps spawn(cursor &c, unsigned me, ps now);
    ps end_child(cursor &c, unsigned me, ps now);
    ps touch(cursor &c, unsigned me, ps now);
    ps wait_in(std::uint32_t frame, position resume, unsigned me, ps now);
    ps pop(unsigned me, ps now);
    void begin_looking(unsigned me, ps now);

    // A worker that looks for work (run_looking.cpp).
    void look(unsigned me, ps now);
    void try_victim(unsigned me, unsigned victim, ps now);
    void take(unsigned me, unsigned victim, ps now);
    void fail(unsigned me, unsigned victim, ps now);
    void request(unsigned me, unsigned victim, ps now);
    void begin_fence(unsigned me, unsigned victim, ps now);
    void end_fence(unsigned me, ps now);
    void answer(unsigned owner, ps now);
    void starve(unsigned me, ps now);
    void feed_hungry(ps now);
    void sleep(unsigned me, ps now);
    ps wake_one(ps now);
    unsigned end_sleep(ps now);

    void draw(unsigned me, activity what, ps from, ps to) {
        if (picture_ != nullptr)
            picture_->add(me, what, from, to);
    }

    // In picoseconds.
    struct prices {
        explicit prices(const costs &c);
        ps spawn, ask, look, steal, robbed, fence, interrupted, wake, waking, spin;
    };

    const program &program_;
    const machine &machine_;
    const prices price_;
    const steals how_;
    timeline *const picture_;
    std::unique_ptr<scheduler::steal_policy> policy_;
    memory memory_;
    clocks clocks_;
    frames frames_;
    std::vector<worker> workers_;
    std::vector<slots> slots_;
    std::vector<ps> mean_look_; // of a thief in each node, over all victims
    std::vector<unsigned> hungry_;
    std::vector<unsigned> sleepers_;
    unsigned with_work_ = 0; // deques that are not empty
    ps fences_until_ = 0;    // one at a time: a mutex of the kernel's
    ps next_fence_ = 0;      // no thief that has asked begins one before
    bool has_spawned_ = false;
    bool is_over_ = false;
    outcome out_;
};

} // namespace saguaro::sim
