// SPDX-License-Identifier: MIT
// What each process has of its own, and a child of a fork anew, since its parent's is its parent's.
#pragma once

#include "platform/copies.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>

namespace saguaro::channels {

// The object that the first `get` makes. Never destroyed: a thread may use it until the process is
// gone. A child's is a new one, if a constructor of the library has called `renew_in_children`.
// Nothing has a lock while it is made: see platform/forks.hpp.
// `prepare()` comes before it is there, perhaps more than once, and `in_child()` after a child's
// is.
template <class Object, void (*prepare)() = nullptr, void (*in_child)() = nullptr>
class per_process {
public:
    static Object &get() {
        // Acquire: pairs with the release below.
        Object *const known = current_.load(std::memory_order_acquire);
        if (known == nullptr)
            return first();
        platform::take_over(&current_);
        return *known;
    }

    // Another number in each process that has the object, never 0. For what a thread remembers.
    static std::uint64_t number() {
        // Relaxed: only this process' one thread at a fork changes it, or `next_number`'s caller,
        // who says what that is for.
        return number_.load(std::memory_order_relaxed);
    }

    // What threads remember with the number before counts no more.
    static void next_number() { number_.fetch_add(1, std::memory_order_relaxed); }

    // Before there can be an object: a fork that has begun calls no handler that is registered
    // later.
    static void renew_in_children() {
        if (!platform::is_displaced() && pthread_atfork(nullptr, nullptr, renew) != 0)
            platform::end_without_memory("what is to be done at a fork");
    }

private:
    static void renew() {
        // Relaxed, both: there is one thread.
        if (current_.load(std::memory_order_relaxed) == nullptr)
            return;
        next_number();
        current_.store(new Object, std::memory_order_relaxed);
        if constexpr (in_child != nullptr)
            in_child();
    }

    static Object &first() {
        if constexpr (prepare != nullptr)
            prepare();
        auto fresh = std::make_unique<Object>();
        platform::hand_over(&current_);
        Object *before = nullptr;
        // Release: the object and what is prepared are visible; acquire for another thread's.
        if (current_.compare_exchange_strong(before, fresh.get(), std::memory_order_acq_rel,
                                             std::memory_order_acquire))
            return *fresh.release();
        platform::take_over(&current_);
        return *before;
    }

    static constinit inline std::atomic<Object *> current_{nullptr};
    static constinit inline std::atomic<std::uint64_t> number_{1};
};

} // namespace saguaro::channels
