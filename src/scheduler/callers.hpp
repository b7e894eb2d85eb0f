// SPDX-License-Identifier: MIT
// The workers of threads that enter: one for each thread that is inside at the same time.
#pragma once

#include "platform/sanitizer.hpp"
#include "scheduler/worker.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace saguaro::scheduler {

// A table that grows and never moves what is in it. Worker 0 comes first; the others are made when
// a thread enters and finds all taken, and stay until the runtime ends, for others to take. Their
// number has no limit but the machine's: each needs some 15 KB, and addresses for its chain and its
// region.
class callers {
public:
    callers(runtime &rt, unsigned workers) : rt_(rt), workers_(workers) {}
    ~callers();
    callers(const callers &) = delete;
    callers &operator=(const callers &) = delete;

    // Before any thread enters.
    void open(worker &first) { first_ = &first; }

    // A worker for the calling thread, which enters: worker 0 if it is `alone`, or else the one
    // that it had last if that is free, or another, or a new one. One exchange most often. Ends the
    // program with one line if there is no memory for a new one.
    worker &take(bool alone);

    // One besides worker 0 for a thread of the runtime's, which keeps it. Null: there is no memory.
    worker *take_for_good();

    // The thread has left it.
    static void give(worker &w) {
        platform::hand_over(&w);
        // Release: pairs with try_take; what this thread has left there is visible.
        w.is_taken.store(false, std::memory_order_release);
    }

    // How many there are besides worker 0, or are about to be. Relaxed: a hint; at() looks.
    unsigned others() const { return others_.load(std::memory_order_relaxed); }

    // One of them; null if it is not there yet.
    worker *other_at(unsigned i) const;

    // Calls visit(worker &) for each that no thread has, one at a time: it is taken meanwhile.
    template <class Visit>
    void visit_free(Visit visit) {
        for (unsigned i = 0; i <= others(); ++i)
            if (worker *const w = at(i); w != nullptr && try_take(*w)) {
                visit(*w);
                give(*w);
            }
    }

private:
    // Row r has 16 << r places.
    static constexpr unsigned first_row = 16;
    static constexpr unsigned rows = 24;
    struct place {
        unsigned row;
        unsigned column;
    };
    static place place_of(unsigned i);

    worker *at(unsigned i) const { return i == 0 ? first_ : other_at(i - 1); }
    worker *take_any();
    worker *try_make();

    static bool try_take(worker &w) {
        // Relaxed: a hint, the exchange decides. Acquire: pairs with the release in `give`.
        if (w.is_taken.load(std::memory_order_relaxed) ||
            w.is_taken.exchange(true, std::memory_order_acquire))
            return false;
        platform::take_over(&w);
        return true;
    }

    runtime &rt_;
    const unsigned workers_; // the numbers of the others follow
    worker *first_ = nullptr;
    std::atomic<unsigned> others_{0};
    std::array<std::atomic<std::atomic<worker *> *>, rows> table_{};
};

} // namespace saguaro::scheduler
