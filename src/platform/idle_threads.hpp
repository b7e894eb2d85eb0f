// SPDX-License-Identifier: MIT
// Threads that do nothing until another thread of the process lets them: they wait for the end of
// others, or sleep until one of them wakes them. A search for a deadlock among the threads of a
// process leaves them out.
#pragma once

#include <atomic>
#include <cstdint>

namespace saguaro::platform {

// By a thread of the library's that is about to sleep until another thread of this process wakes
// it, and does nothing for the program before.
void begin_to_idle();

// By the thread that wakes it, or so many, before it does so: the one that is woken may wait for
// something else at once and count, when the waker has not come further. By the thread that was
// idle only if what it was woken for is to end.
void end_idling(unsigned threads = 1);

// A group of threads that one thread joins, which is idle meanwhile.
class joined_threads {
public:
    joined_threads() = default;
    joined_threads(const joined_threads &) = delete;
    joined_threads &operator=(const joined_threads &) = delete;

    // By the thread that made them: from now on it does nothing but wait until all have ended.
    void begin_to_join(int threads);

    // By each of them when it does nothing for the program any more. With the last one, which still
    // counts as a thread, the thread that joins counts again: it may go on from here.
    void leave();

private:
    std::atomic<int> left_{0}; // below zero if some leave before the other one begins to join
};

// How many threads of this process are not idle, while `count()` says how many there are. Some too
// many where one has begun or ended to idle meanwhile, never too few.
template <typename Count>
std::uint32_t threads_but_idle(Count count);

// The number of idle threads in its lower half, signed. Each change makes it greater, so that what
// is the same twice has not changed in between.
std::uint64_t idle_word();

template <typename Count>
std::uint32_t threads_but_idle(Count count) {
    const std::uint64_t before = idle_word();
    const std::uint32_t all = count();
    const auto idle = static_cast<std::int32_t>(static_cast<std::uint32_t>(before));
    if (idle <= 0 || static_cast<std::uint32_t>(idle) >= all || idle_word() != before)
        return all;
    return all - static_cast<std::uint32_t>(idle);
}

} // namespace saguaro::platform
