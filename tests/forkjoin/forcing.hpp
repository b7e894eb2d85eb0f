// SPDX-License-Identifier: MIT
// Forced steals for the tests of the constructs: waiting for what workers do, and counting what
// lives.
#pragma once

#include "saguaro/detail/sanitizers.h"
#include "support/scripted_policy.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <sched.h>

namespace saguaro::test {

// Programs are ten times slower then, the generic port's for the system calls in each switch of
// stacks, and a test may do less.
#if defined(SG_TEST_EMULATED) || defined(SG_GENERIC)
inline constexpr bool is_slow = true;
#else
inline constexpr bool is_slow = SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER;
#endif

// Waits until `reached()`. False, and a failure of the test, if that takes longer than a minute.
template <class Reached>
bool wait_until(Reached reached) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!reached()) {
        if (std::chrono::steady_clock::now() > deadline) {
            ADD_FAILURE() << "what the test waits for does not come";
            return false;
        }
        sched_yield();
    }
    return true;
}

// Must succeed, if it is wanted.
inline void force_steal_if(bool wanted) {
    if (wanted)
        EXPECT_TRUE(force_steal());
}

inline scheduler::worker &worker_number(unsigned i) {
    return scheduler::running()->worker_at(i);
}

// Whether no flow runs on worker `i`: it looks for work.
inline bool is_idle(unsigned i) {
    return worker_number(i).active() == nullptr;
}

// How often flows of worker `i` have stopped at a join.
inline std::uint64_t parks_of(unsigned i) {
    return worker_number(i).count.parks.load();
}

inline unsigned me() {
    return static_cast<unsigned>(sg_worker_id());
}

// With two workers: the other one.
inline unsigned other() {
    return 1 - me();
}

// The other of two workers has come to the end of what it took; the caller knows that it has begun.
inline void wait_for_the_thief() {
    wait_until([] { return is_idle(other()); });
}

// What a stolen part calls to let the flow that it was taken from arrive at the join first. With
// two workers; `parks` is the number before the steal.
inline void wait_for_the_owner_to_park(std::uint64_t parks) {
    const unsigned owner = other();
    wait_until([=] { return parks_of(owner) > parks && is_idle(owner); });
    // It arrives once it has left its stack. After that, and not before, it looks for work.
    const auto &looks = scripted_policy::looks()[owner];
    wait_until([&, before = looks.load()] { return looks != before; });
}

// The calling thread, and with it its workers to come, has one processor while the object lives.
class on_one_processor {
public:
    on_one_processor() {
        EXPECT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    }
    ~on_one_processor() { EXPECT_EQ(sched_setaffinity(0, sizeof before_, &before_), 0); }
    on_one_processor(const on_one_processor &) = delete;
    on_one_processor &operator=(const on_one_processor &) = delete;

private:
    cpu_set_t before_;
};

// The calling thread stops from now on as soon as it has woken another one of its processor.
inline void give_way_to_the_woken() {
    const sched_param none{};
    EXPECT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
}

// An object that counts how many of its kind live. Copies are counted as well.
class counted {
public:
    explicit counted(int v = 0) : value(v) { ++alive(); }
    counted(const counted &from) : value(from.value) { ++alive(); }
    counted(counted &&from) noexcept : value(from.value) { ++alive(); }
    counted &operator=(const counted &) = default;
    counted &operator=(counted &&) = default;
    ~counted() { --alive(); }

    static std::atomic<int> &alive() {
        static std::atomic<int> number{0};
        return number;
    }

    int value;
};

// An exception that is counted and says who threw it.
struct thrown : counted, std::exception {
    explicit thrown(int who) : counted(who) {}
    const char *what() const noexcept override { return "thrown by the test"; }
};

// The value of the exception that leaves `f`; -1 if none does.
template <class F>
int who_throws(F &&f) {
    try {
        f();
    } catch (const thrown &e) {
        return e.value;
    }
    return -1;
}

// Fails the test of whoever leaves objects behind.
class nothing_leaks {
public:
    nothing_leaks() : before_(counted::alive()) {}
    ~nothing_leaks() { EXPECT_EQ(counted::alive(), before_) << "objects that were not destroyed"; }
    nothing_leaks(const nothing_leaks &) = delete;
    nothing_leaks &operator=(const nothing_leaks &) = delete;

private:
    int before_;
};

} // namespace saguaro::test
