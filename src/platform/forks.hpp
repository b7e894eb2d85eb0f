// SPDX-License-Identifier: MIT
// What a fork that another thread makes at any moment leaves whole in its child: values that are
// made at their first use, and locks.
#pragma once

#include "platform/copies.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"

#include <atomic>
#include <memory>
#include <pthread.h>

namespace saguaro::platform {

// A value that the first `get` makes. It stands where a function's static variable would: that one
// is locked while it is made, and in a child of a fork made meanwhile it would stay so for ever.
// Here several threads may make the value at once, and the first one's stays. Never destroyed.
template <class T>
class made_once {
public:
    template <class Make>
    const T &get(Make make) {
        // Acquire: pairs with the release below; what the value consists of is visible.
        if (const T *const made = made_.load(std::memory_order_acquire)) [[likely]] {
            take_over(this);
            return *made;
        }
        std::unique_ptr<const T> fresh(new T(make()));
        hand_over(this);
        const T *first = nullptr;
        // Release as said; acquire for another thread's.
        if (made_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel,
                                          std::memory_order_acquire))
            return *fresh.release();
        take_over(this);
        return *first;
    }

private:
    std::atomic<const T *> made_{nullptr};
};

// From now on nobody else holds the lock while this process forks, so that the child can take it;
// `in_child()` comes first there. Whoever holds the lock does not call pthread_atfork: handlers
// that are registered while another thread forks are not called in that child, and glibc
// before 2.36 has a lock for it. By a constructor of the library, before anybody can hold the lock;
// one with a lower number if this lock is taken while another one is held that is kept so. Ends the
// program if there is no memory.
template <auto &Lock, void (*in_child)() = nullptr>
void hold_across_forks() {
    if (is_displaced())
        return;
    const auto lock = [] { Lock.lock(); };
    const auto unlock = [] { Lock.unlock(); };
    const auto begin_child = [] {
        if constexpr (in_child != nullptr)
            in_child();
        Lock.unlock();
    };
    if (pthread_atfork(lock, unlock, begin_child) != 0)
        end_without_memory("what is to be done at a fork");
}

} // namespace saguaro::platform
