// SPDX-License-Identifier: MIT
// Steals exactly when and where a test says.
//
// With this policy no worker steals by itself. User code calls force_steal() at the point where it
// wants to be robbed: it returns when a thief has taken the oldest thing that the calling worker
// has to offer, or says that none did. One call brings one steal at most, and none later.
#pragma once

#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"
#include "scheduler/steal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <sched.h>
#include <vector>

namespace saguaro::test {

class scripted_policy final : public scheduler::steal_policy {
public:
    void start(unsigned workers, const std::vector<int> &) override {
        slip().victim = nullptr;
        looks() = std::vector<std::atomic<std::uint64_t>>(workers);
    }
    void start_worker(unsigned) override {}

    int choose_victim(unsigned thief, unsigned) override {
        ++looks()[thief];
        wish &w = slip();
        const std::lock_guard guard(w.lock);
        const int self = static_cast<int>(thief);
        // The one who asks waits, so it is never the thief. A thief that comes back and has not
        // robbed anybody tries again.
        if (w.victim == nullptr || w.victim->id == thief || w.fulfilled() ||
            (w.thief != nobody && w.thief != self))
            return nobody;
        w.thief = w.withdrawn ? nobody : self;
        return w.withdrawn ? nobody : static_cast<int>(w.victim->id);
    }

    void stop_worker(unsigned) override {}
    void stop() override {}

    // What the one victim at a time has asked for.
    struct wish {
        platform::spin_lock lock;
        scheduler::worker *victim = nullptr;
        std::uint64_t robbed_before = 0;
        int thief = nobody;     // who tries
        bool withdrawn = false; // nobody shall begin to try

        bool fulfilled() const { return victim->count.robbed.load() != robbed_before; }
    };

    // Asks for `victim` to be robbed, unless another one asks.
    static bool ask(scheduler::worker &victim) {
        wish &w = slip();
        const std::lock_guard guard(w.lock);
        if (w.victim != nullptr)
            return false;
        w.victim = &victim;
        w.robbed_before = victim.count.robbed.load();
        w.thief = nobody;
        w.withdrawn = false;
        return true;
    }

    // Whether the wish has come to its end: fulfilled, or `late` and no thief is at it.
    static bool has_ended(bool late, bool &fulfilled) {
        wish &w = slip();
        const std::lock_guard guard(w.lock);
        w.withdrawn = late;
        fulfilled = w.fulfilled();
        if (!fulfilled && !(late && w.thief == nobody))
            return false;
        w.victim = nullptr;
        return true;
    }

    // How often each worker has looked for work: done with what it ran before, to the last step.
    static std::vector<std::atomic<std::uint64_t>> &looks() {
        static std::vector<std::atomic<std::uint64_t>> of_each;
        return of_each;
    }

private:
    static constexpr int nobody = -1;

    static wish &slip() {
        static wish the_one;
        return the_one;
    }
};

// Lets a thief rob the calling worker once. False if there is nothing to take, or if no thief came
// in time. Whatever the caller knew of its worker is out of date only if it then spawns or syncs.
inline bool force_steal(std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    using clock = std::chrono::steady_clock;
    scheduler::worker &me = *scheduler::current_worker();
    if (!scheduler::looks_rich(me))
        return false;
    const auto deadline = clock::now() + patience;
    while (!scripted_policy::ask(me)) {
        if (clock::now() > deadline)
            return false;
        sched_yield();
    }
    // What looked like work may be an empty rest: then nobody needs to wait.
    bool fulfilled = false;
    while (!scripted_policy::has_ended(clock::now() > deadline || !scheduler::looks_rich(me),
                                       fulfilled))
        sched_yield();
    return fulfilled;
}

// The scripted runtime, for as long as the object lives. Its workers look for work so long before
// they sleep.
class scripted_workers {
public:
    explicit scripted_workers(unsigned workers,
                              std::chrono::nanoseconds spin = std::chrono::hours(1)) {
        scheduler::settings s = scheduler::settings_from_environment();
        s.workers = workers;
        s.spin_ns = spin.count();
        const int error = scheduler::start_with(s, std::make_unique<scripted_policy>());
        EXPECT_EQ(error, 0);
    }
    ~scripted_workers() { EXPECT_EQ(sg_stop(), 0); }

    scripted_workers(const scripted_workers &) = delete;
    scripted_workers &operator=(const scripted_workers &) = delete;
};

} // namespace saguaro::test
