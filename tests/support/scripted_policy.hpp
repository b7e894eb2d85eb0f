// SPDX-License-Identifier: MIT
// Steals exactly when and where a test says.
//
// With this policy no worker steals by itself. User code calls force_steal() at the point where it
// wants to be robbed: it returns when a thief has taken the oldest thing that the calling worker
// has to offer, or says that none did.
#pragma once

#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"
#include "scheduler/steal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <sched.h>

namespace saguaro::test {

class scripted_policy final : public scheduler::steal_policy {
public:
    void start(unsigned, const std::vector<int> &) override { wanted() = nobody; }
    void start_worker(unsigned) override {}

    int choose_victim(unsigned thief) override {
        int victim = wanted().load();
        // The one who asks waits, so it is never the thief.
        if (victim == nobody || victim == static_cast<int>(thief))
            return -1;
        return wanted().compare_exchange_strong(victim, nobody) ? victim : -1;
    }

    void stop_worker(unsigned) override {}
    void stop() override {}

    static constexpr int nobody = -1;

    // The worker that wants to be robbed.
    static std::atomic<int> &wanted() {
        static std::atomic<int> worker{nobody};
        return worker;
    }
};

// Lets a thief rob the calling worker once. False if there is nothing to take, or if no thief came
// in time. Whatever the caller knew of its worker is out of date only if it then spawns or syncs.
inline bool force_steal(std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    scheduler::worker &me = *scheduler::current_worker();
    if (!scheduler::looks_rich(me))
        return false;
    const std::uint64_t before = me.count.robbed.load();
    const auto robbed = [&] { return me.count.robbed.load() != before; };
    std::atomic<int> &wanted = scripted_policy::wanted();
    const auto deadline = std::chrono::steady_clock::now() + patience;
    // A thief takes the request before it tries; a try that failed is asked for again. At the end
    // no request is left behind, or somebody would be robbed who did not ask.
    while (!robbed() && std::chrono::steady_clock::now() < deadline) {
        int none = scripted_policy::nobody;
        if (wanted.compare_exchange_strong(none, static_cast<int>(me.id)))
            for (int looks = 0; looks < 1000 && !robbed(); ++looks)
                sched_yield();
        int mine = static_cast<int>(me.id);
        wanted.compare_exchange_strong(mine, scripted_policy::nobody);
        sched_yield();
    }
    return robbed();
}

// The scripted runtime, for as long as the object lives. Its workers do not sleep.
class scripted_workers {
public:
    explicit scripted_workers(unsigned workers) {
        scheduler::settings s = scheduler::settings_from_environment();
        s.workers = workers;
        s.spin_ns = 3'600'000'000'000;
        const int error = scheduler::start_with(s, std::make_unique<scripted_policy>());
        EXPECT_EQ(error, 0);
    }
    ~scripted_workers() { EXPECT_EQ(sg_stop(), 0); }

    scripted_workers(const scripted_workers &) = delete;
    scripted_workers &operator=(const scripted_workers &) = delete;
};

} // namespace saguaro::test
