// SPDX-License-Identifier: MIT
// Sleeping on a word of memory.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>

namespace saguaro::platform {

// To wake everybody.
inline constexpr int everybody = INT_MAX;

// A time that never comes.
inline constexpr std::int64_t never = -1;

// Whose threads sleep on a word and wake its sleepers. The kernel knows the word by its address in
// this process, which is quicker, or by the place that it has in a shared file or mapping.
enum class futex_scope { this_process, all_processes };

// Sleeps while `word` holds `expected`, until somebody wakes it or `now_ns()` (clock.hpp) has
// reached `until_ns`. True: woken, or the word has another value, or a signal came (look at the
// word again, and wait until the same time); false: time is up. The kernel compares and goes to
// sleep in one step, so a `futex_wake` after a store to the word is never missed. Some 5 µs to
// sleep and be woken on one core.
//
// A point in time, not a span: a caller that is interrupted again and again, by a profiler's timer
// or by wake-ups that somebody else has taken, would otherwise begin its span anew each time and
// never come to its end.
bool futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected,
                std::int64_t until_ns = never, futex_scope scope = futex_scope::this_process);

// Wakes at most `count` sleepers of `word` (`everybody`: all) and returns how many there were. Only
// those that sleep with the same scope. The new value of the word must have been stored before. A
// system call even when nobody sleeps: the caller keeps count of sleepers if that matters.
int futex_wake(std::atomic<std::uint32_t> &word, int count,
               futex_scope scope = futex_scope::this_process);

} // namespace saguaro::platform
