// SPDX-License-Identifier: MIT
// Sleeping on a word of memory. Process-private: the word must not lie in memory shared with
// another process.
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

namespace saguaro::platform {

// To wake everybody.
inline constexpr int everybody = INT_MAX;

// Sleeps while `word` holds `expected`, until somebody wakes it or `timeout` is over; a negative
// timeout never is. True: woken, or the word has another value, or a signal came (look at the
// word again); false: time is up. The kernel compares and goes to sleep in one step, so a
// `futex_wake` after a store to the word is never missed. Some 5 µs to sleep and be woken on one
// core.
bool futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected,
                std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

// Wakes at most `count` sleepers of `word` (`everybody`: all) and returns how many there were. The
// new value of the word must have been stored before. A system call even when nobody sleeps: the
// caller keeps count of sleepers if that matters.
int futex_wake(std::atomic<std::uint32_t> &word, int count);

} // namespace saguaro::platform
