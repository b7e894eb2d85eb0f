// SPDX-License-Identifier: MIT
// How threads of a rank wait beside each other.
#include "mpi/core/waiting/thread_waits.hpp"

#include "mpi/core/waiting/threads.hpp"
#include "mpi/core/waiting/waiter.hpp"
#include "platform/arch.hpp"

#include <algorithm>
#include <sched.h>

namespace saguaro::mpi {

namespace {

// Before it sleeps.
constexpr int shared_looks = 100;

} // namespace

// All waits of the rank's threads as one: over when any of them is.
class thread_waits::all_of_them final : public awaited_event {
public:
    explicit all_of_them(std::vector<thread_wait *> &all) : all_(all) { asks_by_any_order = true; }

    // That thread looks again itself: meanwhile another may take what it has found.
    bool is_over(const clock_bounds &known) override {
        bool any = false;
        for (thread_wait *const w : all_) {
            if (!w->looks_again && w->what.is_over(known))
                w->looks_again = true;
            any = any || w->looks_again;
        }
        return any;
    }

    bool describe(blockage &out) const override {
        clock_value least = forever;
        std::uint32_t hop = hop_of_message;
        for (const thread_wait *const w : all_) {
            if (w->looks_again || !w->what.describe(out))
                return false;
            least = std::min(least, out.least);
            hop = std::min(hop, out.hop);
        }
        out.least = least;
        out.hop = hop;
        return true;
    }

private:
    std::vector<thread_wait *> &all_;
};

bool thread_waits::describe(const clock_bounds &known, blockage &out) {
    all_of_them all(waits_);
    if (!all.is_over(known))
        return all.describe(out);
    gate.wake_others();
    return false;
}

void thread_waits::sleep_alone(waiter &by, awaited_event &what) {
    if (!gate.is_guarded() || what.is_alone) {
        by.sleep(what);
        return;
    }
    thread_wait own{what};
    waits_.push_back(&own);
    has_sleeper_ = true;
    by.sleep(what);
    has_sleeper_ = false;
    std::erase(waits_, &own);
    if (gate.is_shared()) {
        gate.wake_others();
        wait(by, what);
    }
}

// One of the threads that wait looks and sleeps for all of them.
void thread_waits::wait(waiter &by, awaited_event &what) {
    thread_wait own{what};
    waits_.push_back(&own);
    // Unsaid before each look: a rank one of whose threads goes on is not blocked, so the look
    // would lack the bounds that follow from the rank's own blockage.
    for (; !by.look(what, false); own.looks_again = false) {
        if (has_sleeper_) {
            by.wake_threads();
            while (has_sleeper_ && !own.looks_again)
                gate.sleep();
            continue;
        }
        has_sleeper_ = true;
        all_of_them all(waits_);
        bool is_over = false;
        for (int i = 0; i < shared_looks && !is_over; ++i) {
            gate.let_others_in();
            is_over = by.look(all, false);
            platform::cpu_relax();
        }
        if (!is_over)
            by.sleep(all);
        has_sleeper_ = false;
        gate.wake_others();
        if (!own.looks_again) {
            // Another thread's is over, which comes in now.
            gate.open();
            sched_yield();
            gate.close();
        }
    }
    std::erase(waits_, &own);
    gate.wake_others();
    by.bounds_.board.say_running();
}

} // namespace saguaro::mpi
