// SPDX-License-Identifier: MIT
// The steps of a wait: spin, yield, nap, and the search for a deadlock.
#include "spmc/waiting.hpp"

#include "platform/futex.hpp"
#include "platform/slices.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/spaces.hpp"

#include <algorithm>
#include <atomic>
#include <sched.h>

namespace saguaro::spmc {

namespace {

// The first nap has parts: of this length, of twice as much, and so on.
constexpr std::int64_t first_part_ns = 1'000'000;

// Naps before others are told what it waits for, and before it looks for a deadlock:
// most waits are over sooner.
constexpr unsigned naps_before_telling = 1;
constexpr unsigned naps_before_search = 3;

// A yield that took longer, while no space of ours showed up on this processor, went to a program
// that computes.
constexpr std::int64_t long_yield_ns = 300'000;

// After such a yield no space of the job yields for so long: twice as long as the last time if it
// went on yielding for less than that.
constexpr std::int64_t shortest_pause_ns = 100'000'000;
constexpr std::int64_t longest_pause_ns = 1'600'000'000;

// Of the calling thread.
constinit thread_local bool asked_for_slices = false;

std::uint32_t this_processor() {
    const int number = sched_getcpu();
    return number < 0 ? 0 : static_cast<std::uint32_t>(number) % most_processors;
}

// Set once, before any thread does what it tells.
std::atomic<void (*)()> before_sleep{nullptr};

// Words of the control area, which all processes of the job map.
constexpr platform::futex_scope among_spaces = platform::futex_scope::all_processes;

// Of several spaces that see the same stranger the first one counts. Relaxed, all: hints, as the
// tables of where spaces were seen.
void pause_offers(job_header &all, std::int64_t now) {
    const std::int64_t last_until = all.no_offers_until.load(std::memory_order_relaxed);
    if (now < last_until)
        return;
    const std::int64_t last = all.pause_of_offers.load(std::memory_order_relaxed);
    const std::int64_t length =
        now - last_until < last ? std::min(2 * last, longest_pause_ns) : shortest_pause_ns;
    all.pause_of_offers.store(length, std::memory_order_relaxed);
    all.no_offers_until.store(now + length, std::memory_order_relaxed);
}

} // namespace

void say_where() {
    const job &all = job::mine();
    const std::uint32_t here = this_processor();
    // Relaxed, all of these tables: hints, from which nothing follows but how to wait.
    all.self().processor.store(here, std::memory_order_relaxed);
    std::atomic<std::uint32_t> &seen = all.header().seen_on[here];
    if (seen.load(std::memory_order_relaxed) != all.self_slot())
        seen.store(all.self_slot(), std::memory_order_relaxed);
}

void begin_to_wait() {
    if (!asked_for_slices) {
        asked_for_slices = true;
        platform::take_short_slices(); // where the kernel refuses, waits are longer
    }
    say_where();
}

bool runs_elsewhere(slot peer) {
    const job &all = job::mine();
    const space &other = all.space_in(peer);
    const std::uint32_t there = other.processor.load(std::memory_order_relaxed);
    return there != this_processor() &&
           all.header().seen_on[there].load(std::memory_order_relaxed) == peer;
}

bool was_seen_here(slot peer) {
    const job &all = job::mine();
    return peer != all.self_slot() &&
           all.space_in(peer).processor.load(std::memory_order_relaxed) == this_processor();
}

bool offer_processor(bool is_wanted) {
    const job &all = job::mine();
    if (is_wanted) {
        sched_yield();
        say_where();
        return true;
    }
    const std::int64_t before = platform::now_ns();
    if (before < all.header().no_offers_until.load(std::memory_order_relaxed))
        return false;
    const std::uint32_t here = this_processor();
    sched_yield();
    const std::int64_t after = platform::now_ns();
    const bool to_a_stranger =
        after - before > long_yield_ns &&
        all.header().seen_on[here].load(std::memory_order_relaxed) == all.self_slot();
    say_where();
    if (to_a_stranger)
        pause_offers(all.header(), after);
    return !to_a_stranger;
}

void set_before_sleep(void (*function)()) {
    before_sleep.store(function, std::memory_order_relaxed);
}

void wake_all(std::atomic<std::uint32_t> &word) {
    platform::futex_wake(word, platform::everybody, among_spaces);
}

void sleeper::nap(std::uint32_t expected, std::int64_t most_ns) {
    // Relaxed: the function is code, and what it reads is the calling thread's own.
    if (auto *const tell = before_sleep.load(std::memory_order_relaxed); tell && napped_ns_ == 0)
        tell();
    if (naps() >= naps_before_telling) {
        told_.tell(expected);
        stay_with_parent();
    }
    // What it returns says nothing that the next look does not.
    std::int64_t now = platform::now_ns();
    const std::int64_t end = now + most_ns;
    for (std::int64_t part = naps() == 0 ? first_part_ns : most_ns; now < end; part *= 2) {
        if (platform::futex_wait(what_.word, expected, std::min(now + part, end), among_spaces))
            break;
        now = platform::now_ns();
    }
    napped_ns_ += most_ns;
}

bool sleeper::may_be_in_vain() {
    if (spmc::may_be_in_vain(what_, was_given_up_))
        return true;
    has_named_one_ = has_named_one_ || name_a_failed_space(what_);
    return false;
}

void sleeper::end() {
    end_in_vain(what_);
}

void sleeper::look_for_a_deadlock() {
    if (naps() >= naps_before_search && told_.is_told())
        end_in_a_deadlock(what_);
}

sleeper::~sleeper() {
    say_where();
}

} // namespace saguaro::spmc
