// SPDX-License-Identifier: MIT
// Tests of one processor's help for the others, forced: the test itself is another processor.
#include "nanothreads/processor.hpp"

#include "nanothreads/runtime.hpp"
#include "nanothreads/settings.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace saguaro::nanothreads {

namespace {

void wait_until(void *argument) {
    std::atomic<bool> &woken = *static_cast<std::atomic<bool> *>(argument);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!woken && std::chrono::steady_clock::now() < deadline)
        sched_yield();
    EXPECT_TRUE(woken) << "the other processor sleeps while a thread is ready";
    woken = true; // for those that follow
}

// A thief has what it takes in its hands for a moment, where no processor sees it. One that looks
// around in that moment goes to sleep although there is something to run, so the thief has to wake
// it. Here processor 0 has gone to sleep in that moment, and its queue has so many threads.
void wake_who_has_not_seen(int ready) {
    settings two = settings_from_environment();
    two.processors = 2;
    runtime run(two);
    sg_nt_mask = run.stacks().block_bytes() - 1; // as sg_nt_run would
    processor &victim = run.at(0);
    std::atomic<bool> woken{false};
    for (int i = 0; i < ready; ++i) {
        thread *const waiter = victim.create(wait_until, &woken);
        waiter->successor = nullptr;
        victim.ready.push_back(*waiter); // nobody is told
    }
    std::thread sleeper([&] {
        const auto sees_nothing = [] { return false; };
        while (run.parked().sleep(sees_nothing))
            woken = true;
    });
    while (!run.parked().any_idle())
        sched_yield();
    std::thread thief([&] { run.at(1).loop(nullptr); });
    thief.join();
    sleeper.join();
    EXPECT_EQ(run.at(1).ended, static_cast<std::uint64_t>(ready));
}

TEST(nanothreads_processor, a_thief_that_takes_several_wakes_those_that_have_not_seen_them) {
    wake_who_has_not_seen(4);
}

// It was woken itself for one of several.
TEST(nanothreads_processor, a_thief_that_leaves_some_wakes_the_next) {
    wake_who_has_not_seen(2);
}

} // namespace

} // namespace saguaro::nanothreads
