// SPDX-License-Identifier: MIT
// How threads of a rank wait beside each other.
#include "mpi/core/waiting/threads.hpp"

#include "mpi/core/rank.hpp"
#include "platform/arch.hpp"

#include <algorithm>
#include <sched.h>

namespace saguaro::mpi {

namespace {

// Before it sleeps.
constexpr int shared_looks = 100;

} // namespace

void thread_gate::let_others_in() {
    if (entering_.load(std::memory_order_relaxed) == 0)
        return;
    mutex_.unlock();
    sched_yield();
    lock();
}

void thread_gate::sleep() {
    std::unique_lock<std::mutex> held(mutex_, std::adopt_lock);
    changed_.wait(held);
    held.release();
}

void core::inside::leave() {
    // What this thread has done may be what another waits for.
    if (rank::mine != nullptr)
        rank::mine->stir();
    gate.leave();
}

// All waits of the rank's threads as one: over when any of them is.
class rank::wait_of_threads final : public awaited_event {
public:
    explicit wait_of_threads(std::vector<thread_wait *> &all) : all_(all) {
        asks_by_any_order = true;
    }

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

bool rank::describe_threads(blockage &out) {
    wait_of_threads all(waits_);
    if (!all.is_over(known_))
        return all.describe(out);
    gate.wake_others();
    return false;
}

void rank::stir() {
    if (!waits_.empty())
        world_.ring_bell(me_);
}

// The only thread that is inside sleeps. Another one may begin a session meanwhile, and finds this
// wait among those of the rank: it wakes this thread, which then waits as all do.
void rank::sleep_alone(awaited_event &what) {
    if (!gate.is_guarded() || what.is_alone) {
        sleep(what);
        return;
    }
    thread_wait own{what};
    waits_.push_back(&own);
    has_sleeper_ = true;
    sleep(what);
    has_sleeper_ = false;
    std::erase(waits_, &own);
    if (gate.is_shared()) {
        gate.wake_others();
        wait_among_threads(what);
    }
}

// One of the threads that wait looks and sleeps for all of them.
void rank::wait_among_threads(awaited_event &what) {
    thread_wait own{what};
    waits_.push_back(&own);
    // Unsaid before each look: a rank one of whose threads goes on is not blocked, so the look
    // would lack the bounds that follow from the rank's own blockage.
    for (; !look(what, false); own.looks_again = false) {
        if (has_sleeper_) {
            stir();
            while (has_sleeper_ && !own.looks_again)
                gate.sleep();
            continue;
        }
        has_sleeper_ = true;
        wait_of_threads all(waits_);
        bool is_over = false;
        for (int i = 0; i < shared_looks && !is_over; ++i) {
            gate.let_others_in();
            is_over = look(all, false);
            platform::cpu_relax();
        }
        if (!is_over)
            sleep(all);
        has_sleeper_ = false;
        gate.wake_others();
        if (!own.looks_again) {
            // Somebody else's is over, who comes in now.
            gate.open();
            sched_yield();
            gate.close();
        }
    }
    std::erase(waits_, &own);
    gate.wake_others();
    bounds_.say_running();
}

} // namespace saguaro::mpi
