// SPDX-License-Identifier: MIT
// What each process has of its own, and a child of a fork anew, since its parent's is its parent's.
#pragma once

#include "platform/forks.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::channels {

// The object that the first `get` makes. Never destroyed: a thread may use it until the process is
// gone. A child's is a new one, if a constructor of the library has called `renew_in_children`.
// `prepare()` comes before it is there, perhaps more than once, and `in_child()` after a child's
// is.
template <class Object, void (*prepare)() = nullptr, void (*in_child)() = nullptr>
class per_process {
public:
    static Object &get() {
        return object_.get([] {
            if constexpr (prepare != nullptr)
                prepare();
            return Object();
        });
    }

    // Another number in each process that has the object, never 0. For what a thread remembers.
    static std::uint64_t number() {
        // Relaxed: only this process' one thread at a fork changes it, or `next_number`'s caller,
        // who says what that is for.
        return number_.load(std::memory_order_relaxed);
    }

    // What threads remember with the number before counts no more.
    static void next_number() { number_.fetch_add(1, std::memory_order_relaxed); }

    static void renew_in_children() { platform::at_forks(nullptr, nullptr, renew); }

private:
    static void renew() {
        if (!object_.renew([] { return Object(); }))
            return;
        next_number();
        if constexpr (in_child != nullptr)
            in_child();
    }

    static constinit inline platform::made_once<Object> object_;
    static constinit inline std::atomic<std::uint64_t> number_{1};
};

} // namespace saguaro::channels
