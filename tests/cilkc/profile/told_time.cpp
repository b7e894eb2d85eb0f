// SPDX-License-Identifier: MIT
// The time of a measured program: it passes in busy() alone, so that work and span are known
// exactly.
#include "cilk/profile.hpp"
#include "record/tick_clock.hpp"
#include "support/test_time.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

// Of this thread: others' work is not in what its strands measure.
thread_local std::int64_t now = 1'000'000'000;

[[gnu::noinline]] std::int64_t own_time() {
    return now;
}

// A recorder hears one thread at a time, and has a thread of its own that watches: this is its
// time.
const bool is_recorded = std::getenv("TOLD_TO_RECORDER") != nullptr;

const bool is_told = [] {
    saguaro::cilk::measure_by(own_time);
    if (is_recorded)
        saguaro::record::tick_clock::replace_by(&saguaro::test::time);
    return true;
}();

} // namespace

extern "C" [[gnu::noinline]] void busy(int microseconds) {
    const std::int64_t ns = std::int64_t{microseconds} * 1000;
    now += ns;
    if (is_recorded)
        saguaro::test::time.pass(ns);
}
