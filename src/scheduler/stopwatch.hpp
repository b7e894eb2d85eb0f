// SPDX-License-Identifier: MIT
// The division of a worker's time into work, search and sleep. Readable at any moment: what is
// under way counts up to the reading, so the times of a computation are complete as soon as its
// result is there.
#pragma once

#include "platform/clock.hpp"
#include "platform/spin_lock.hpp"

#include <array>
#include <cstdint>
#include <mutex>

namespace saguaro::scheduler {

class stopwatch {
public:
    enum account : unsigned { working, searching, sleeping };
    using times = std::array<std::int64_t, 3>; // nanoseconds, by account

    // From now on the worker sleeps. Until then, or if nobody calls it, all times are 0 and `enter`
    // does nothing. The thread that has the worker calls both.
    void start() {
        const std::lock_guard guard(lock_);
        since_ = platform::now_ns();
    }

    // From now on the time goes to `next`. A reading of the clock.
    void enter(account next) {
        if (since_ == 0) // without the lock: no other thread writes it
            return;
        const std::lock_guard guard(lock_);
        const std::int64_t now = platform::now_ns();
        spent_[doing_] += now - since_;
        since_ = now;
        doing_ = next;
    }

    // Any thread.
    times read() const {
        const std::lock_guard guard(lock_);
        times sum = spent_;
        if (since_ != 0)
            sum[doing_] += platform::now_ns() - since_;
        return sum;
    }

private:
    mutable platform::spin_lock lock_; // guards what follows
    times spent_{};                    // up to `since_`
    std::int64_t since_ = 0;           // 0: not started
    account doing_ = sleeping;
};

} // namespace saguaro::scheduler
