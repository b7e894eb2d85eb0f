// SPDX-License-Identifier: MIT
// What a test's program sees of the library's sleep, and what it does to its clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace saguaro::test_support {

// A number that the processes share which are forked after it was made.
class shared_count {
public:
    shared_count();
    ~shared_count();
    shared_count(const shared_count &) = delete;
    shared_count &operator=(const shared_count &) = delete;

    void add();
    int value() const;
    // Until it is so much at least.
    void await(int least) const;

private:
    std::atomic<int> *const value_;
};

// The waits of this process on futexes by `syscall`, as the library makes them.
struct futex_waits {
    std::atomic<int> without_end{0};         // under way now, and not limited in time
    std::atomic<int> woken{0};               // ended by a wake, and not by time or by a signal
    std::atomic<std::int64_t> longest_ns{0}; // the longest that was limited in time: its limit

    // From now on no wait is limited in time: a thread that is not woken sleeps for good.
    std::atomic<bool> ignore_limits{false};

    // If not null, each wait adds one before it begins, or the first of each thread does.
    std::atomic<shared_count *> count_in{nullptr};
    std::atomic<shared_count *> count_threads_in{nullptr};
};
extern futex_waits sleeps;

// While the object lives the monotonic clock of this process stands still, and goes on by `advance`
// alone. Futexes know nothing of it.
class frozen_clock {
public:
    frozen_clock();
    ~frozen_clock();
    frozen_clock(const frozen_clock &) = delete;
    frozen_clock &operator=(const frozen_clock &) = delete;

    // False, and nothing is done, where no clock is frozen.
    static bool advance(std::int64_t ns);
};

// Freezes the clock of this process. So many waits that are limited in time then are over at once,
// and the clock is at their end; the next one thaws it. How long they were to be is what it
// returns, to be read behind that.
const std::vector<std::int64_t> &pass_limits(std::size_t waits);

} // namespace saguaro::test_support
