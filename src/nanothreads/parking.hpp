// SPDX-License-Identifier: MIT
// Processors that find nothing to run, and the end of a run.
//
// A processor that found nothing for a while counts itself idle, looks once more, and sleeps until
// it is woken. Who makes a thread ready looks at the count afterwards: with the fences between, one
// of the two sees the other, and no wake-up is lost. A processor is off the count before it is
// woken, and only a processor that is not idle makes threads ready: when all are idle, nothing runs
// and nothing is ready, and nothing ever will be. The run is over then, whether its threads have
// ended or are left waiting for each other. README.md has the proof, models/parking.pml searches
// it.
#pragma once

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
    bool any_idle() const { return idle_.load(std::memory_order_relaxed) != 0; }

    // Wakes one processor that is idle, if there is one. A system call if so.
    void wake_one();

    // Whether the run is over. Acquire pairs with the release in `end`.
    bool over() const { return over_.load(std::memory_order_acquire); }

    // Ends the run: the `others`, so many processors, which find nothing any more, take a ticket
    // each. For a run that could not begin: otherwise `sleep` does it.
    void end(unsigned others);

private:
    bool count_idle();
    void sleep_until_woken();
    void stay_awake();

    const unsigned processors_;
    std::atomic<std::uint32_t> idle_{0};
    // Wake-ups granted and not yet taken: who wakes takes one off `idle_` and adds one here.
    std::atomic<std::uint32_t> tickets_{0};
    std::atomic<bool> over_{false};
};

template <class Look>
bool parking::sleep(Look anything_ready) {
    if (count_idle())
        return false;
    platform::heavy_fence();
    if (anything_ready())
        stay_awake();
    else
        sleep_until_woken();
    return !over();
}

} // namespace saguaro::nanothreads
