// SPDX-License-Identifier: MIT
// The time of a recorded run, which passes where the test says: whatever else the machine does, the
// recording is the same.
#pragma once

#include "record/tick_clock.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace saguaro::test {

// So much work is one unit of a recording's shape.
inline constexpr std::int64_t unit_ns = 3'000'000;

// Time passes by `pass` and `lose`, and a little at each reading of the clock, which the recorder
// takes off. The thread that watches a doze looks only in `pass`, each time that its pause is over,
// and `pass` goes on when it has looked.
//
// Its functions are called by the thread that works, those of the watcher's by the threads that
// `told_time` says.
class test_time final : public record::told_time {
public:
    static constexpr std::int64_t reading = 20; // ns

    std::int64_t wall() override {
        ++readings_;
        return now_ += reading;
    }
    std::int64_t own() override { return now_ - others_; }

    // The strand works for so many ns.
    void pass(std::int64_t ns) {
        const std::int64_t end = now_ + ns;
        while (let_watcher_look(end)) {
        }
        now_ = end;
    }
    // Another thread has the processor for so many ns, and the watcher has none.
    void lose(std::int64_t ns) {
        now_ += ns;
        others_ += ns;
    }
    std::uint64_t readings() const { return readings_; }

    // Whether the watcher sleeps until something dozes.
    bool watcher_is_asleep() {
        std::unique_lock guard(lock_);
        await_watcher(guard);
        return state_ == watcher::sleeps;
    }

    void tell(watcher state) override {
        const std::lock_guard guard(lock_);
        if (state_ == watcher::ends && state == watcher::sleeps)
            return; // it has yet to see that it is to end
        state_ = state;
        if (state == watcher::runs)
            since_ = now_;
        is_pausing_ = false;
        changed_.notify_all();
    }
    void pause_watcher(std::int64_t ns) override {
        std::unique_lock guard(lock_);
        if (state_ == watcher::ends)
            return;
        next_look_ = since_ + ns;
        is_pausing_ = true;
        changed_.notify_all();
        changed_.wait(guard, [this] { return !is_pausing_; });
    }

private:
    // Until it is known how long the watcher pauses or sleeps.
    void await_watcher(std::unique_lock<std::mutex> &guard) {
        changed_.wait(guard, [this] { return is_pausing_ || state_ != watcher::runs; });
    }
    // False: it does not look again until `end`.
    bool let_watcher_look(std::int64_t end) {
        std::unique_lock guard(lock_);
        await_watcher(guard);
        if (!is_pausing_ || next_look_ > end)
            return false;
        since_ = now_ = std::max(now_, next_look_);
        is_pausing_ = false;
        changed_.notify_all();
        await_watcher(guard);
        return true;
    }

    std::int64_t now_ = 1'000'000'000;
    std::int64_t others_ = 0;
    std::uint64_t readings_ = 0;

    std::mutex lock_; // of all that follows
    std::condition_variable changed_;
    watcher state_ = watcher::ends;
    bool is_pausing_ = false;
    std::int64_t since_ = 0; // when it last began to run
    std::int64_t next_look_ = 0;
};

inline test_time time;

// Works for so many units, and a little more, which no shape shows.
inline void busy(int units) {
    time.pass(units * unit_ns + unit_ns / 10);
}

} // namespace saguaro::test
