// SPDX-License-Identifier: MIT
// Processors that find nothing to run, what comes from outside, and the end of a run.
//
// A processor that found nothing for a while counts itself idle, looks once more, and sleeps until
// it is woken. Who makes a thread ready looks at the count afterwards: with the fences between, one
// of the two sees the other, and no wake-up is lost. A processor is off the count before it is
// woken, and only a processor that is not idle makes threads ready, or a thread outside the run for
// which a nano-thread has taken a hold: when all are idle and there is no hold, nothing runs and
// nothing is ready, and nothing ever will be. The run is over then, whether its threads have ended
// or are left waiting for each other. README.md has the proof, models/parking.pml searches it.
#pragma once

#include "nanothreads/thread.hpp"
#include "platform/fence.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::nanothreads {

class parking {
public:
    explicit parking(unsigned processors) : processors_(processors) {}

    parking(const parking &) = delete;
    parking &operator=(const parking &) = delete;

    // For a processor whose own queue is empty. `anything_ready()`: whether there is something in
    // anybody's. Returns when it should look again; false: the run is over.
    template <class Look>
    bool sleep(Look anything_ready);

    // Whether a processor is idle. Called after a thread was made ready and a fence, light or real
    // as the ready queues'. A load.
    // Relaxed: pairs with the count in `sleep` by those fences.
    bool any_idle() const { return idle_of(counts_.load(std::memory_order_relaxed)) != 0; }

    // Wakes one processor that is idle, if there is one. A system call if so.
    void wake_one();

    // Whether the run is over. Acquire pairs with the release in `end`.
    bool over() const { return over_.load(std::memory_order_acquire); }

    // Ends the run: the `others`, so many processors, which find nothing any more, take a ticket
    // each. For a run that could not begin: otherwise `sleep` does it.
    void end(unsigned others);

    // ---- From outside ----

    // By a nano-thread: the run is not over before one more `arrive`.
    // Relaxed: the caller's processor is not idle, so the run goes on meanwhile.
    void hold() { counts_.fetch_add(one_hold, std::memory_order_relaxed); }

    // How many there are: a hint, but to whoever has one.
    std::uint32_t holds() const {
        return static_cast<std::uint32_t>(counts_.load(std::memory_order_relaxed) / one_hold);
    }

    // By a thread for which there is a hold, and which is none of the run's: makes `t`, which is
    // the caller's, ready, unless it is null, and uses the hold up. The run may be over, and this
    // object gone, once no other thread keeps it from that: runs.hpp. False: there was no hold, and
    // the counts are wrong now.
    bool arrive(thread *t);

    // Whether a thread has arrived that no processor has taken. Relaxed: a hint; where it decides,
    // the fences of `sleep` and `arrive` come before.
    bool any_arrived() const { return arrived_.load(std::memory_order_relaxed) != nullptr; }

    // Takes all that have arrived: the latest first, linked by `next`.
    // Acquire pairs with the release in `arrive`.
    thread *take_arrived() { return arrived_.exchange(nullptr, std::memory_order_acquire); }

private:
    // What count_idle finds.
    enum class found : std::uint8_t { counted, arrived, end };

    static constexpr std::uint64_t one_hold = std::uint64_t{1} << 32;
    static std::uint32_t idle_of(std::uint64_t counts) {
        return static_cast<std::uint32_t>(counts);
    }

    found count_idle();
    bool release_hold();
    void sleep_until_woken();
    void stay_awake();

    const unsigned processors_;
    // Processors that are idle in the lower half, holds in the upper. All are idle and there is no
    // hold: the run is over unless something has arrived. Only whoever made it so changes this
    // then: ends the run, or takes one off the idle.
    std::atomic<std::uint64_t> counts_{0};
    // Wake-ups granted and not yet taken: who wakes takes one off the idle and adds one here.
    std::atomic<std::uint32_t> tickets_{0};
    std::atomic<bool> over_{false};
    // On a line that processors only read while nothing comes from outside.
    alignas(64) std::atomic<thread *> arrived_{nullptr};
};

template <class Look>
bool parking::sleep(Look anything_ready) {
    const found first = count_idle();
    if (first != found::counted)
        return first == found::arrived;
    platform::heavy_fence();
    if (any_arrived() || anything_ready())
        stay_awake();
    else
        sleep_until_woken();
    return !over();
}

} // namespace saguaro::nanothreads
