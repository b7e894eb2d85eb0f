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
    // What `make()` has returned.
    template <class Make>
    T &get(Make make) {
        // Acquire: pairs with the release in make_first; what the value consists of is visible.
        T *const made = made_.load(std::memory_order_acquire);
        if (made == nullptr) [[unlikely]]
            return make_first(make);
        take_over(this);
        return *made;
    }

    // In the child of a fork, before it has another thread: another value in the place of the
    // parent's, which stays as it is. False: there is none.
    template <class Make>
    bool renew(Make make) {
        // Relaxed, both: there is one thread.
        if (made_.load(std::memory_order_relaxed) == nullptr)
            return false;
        made_.store(new T(make()), std::memory_order_relaxed);
        return true;
    }

private:
    template <class Make>
    [[gnu::noinline]] T &make_first(Make make) {
        std::unique_ptr<T> fresh(new T(make()));
        hand_over(this);
        T *first = nullptr;
        // Release as said; acquire for another thread's.
        if (made_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel,
                                          std::memory_order_acquire))
            return *fresh.release();
        take_over(this);
        return *first;
    }

    std::atomic<T *> made_{nullptr};
};

// pthread_atfork, by a constructor of the library: handlers that are registered while another
// thread forks are not called in that child. Not with a lock that one of them takes: glibc
// before 2.36 has one of its own for it. Ends the program if there is no memory.
inline void at_forks(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    if (!is_displaced() && pthread_atfork(before, in_parent, in_child) != 0)
        end_without_memory("what is to be done at a fork");
}

// From now on nobody else holds the lock while this process forks, so that the child can take it;
// `in_child()` comes first there. Before anybody can hold the lock; by a constructor with a lower
// number if this lock is taken while another one is held that is kept so.
template <auto &Lock, void (*in_child)() = nullptr>
void hold_across_forks() {
    const auto unlock = [] { Lock.unlock(); };
    const auto begin_child = [] {
        if constexpr (in_child != nullptr)
            in_child();
        Lock.unlock();
    };
    at_forks([] { Lock.lock(); }, unlock, begin_child);
}

} // namespace saguaro::platform
