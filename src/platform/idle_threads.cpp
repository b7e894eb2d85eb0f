// SPDX-License-Identifier: MIT
// Counting the threads that do nothing until another one lets them.
#include "platform/idle_threads.hpp"

#include <pthread.h>

namespace saguaro::platform {

namespace {

// See idle_word.
std::atomic<std::uint64_t> word{0};

constexpr std::uint64_t change = std::uint64_t{1} << 32;

// Threads that are idle are not in a fork's child. Where there is no memory for the handler, none
// is counted.
bool child_forgets = false;

[[gnu::constructor(101)]] void handle_forks() {
    child_forgets =
        pthread_atfork(nullptr, nullptr, [] { word.store(0, std::memory_order_relaxed); }) == 0;
}

} // namespace

// Release, here and below, pairs with the acquire in idle_word: what the thread did before, and for
// one that wakes another, what that other did before it was idle.
void begin_to_idle() {
    if (child_forgets)
        word.fetch_add(change + 1, std::memory_order_release);
}

// Acquire as well: of a chain of changes the last one stands for all.
void end_idling(unsigned threads) {
    if (child_forgets)
        word.fetch_add(threads * (change - 1), std::memory_order_acq_rel);
}

void joined_threads::begin_to_join(int threads) {
    // Relaxed: of this and the last `leave`, the later one sees the other's sum.
    if (left_.fetch_add(threads, std::memory_order_relaxed) + threads > 0)
        begin_to_idle();
}

void joined_threads::leave() {
    // Release: what others of the group did, who left before, is done when this one is seen.
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        end_idling();
}

std::uint64_t idle_word() {
    return word.load(std::memory_order_acquire);
}

} // namespace saguaro::platform
