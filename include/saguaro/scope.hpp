// SPDX-License-Identifier: MIT
// Spawning any number of children from any control flow, and waiting for them.
#pragma once

#include "saguaro/first_error.hpp"
#include "saguaro/frame.h"
#include "saguaro/region.h"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace saguaro {

class scope;

namespace detail {

// A child's first function: moves the closure to its own stack, calls publish_parent(child), then
// calls the closure.
using spawned_body = void (*)(void *closure, sg_deque *child);

// Begins `body` on a stack of its own, for the child that is number `key` of `owner`, spawned by
// the flow on `parent`. Returns when the child has ended or the continuation was taken, on
// whichever worker. False: there is no stack for it; nothing was called.
bool spawn_on_stack(sg_deque *parent, scope &owner, spawned_body body, void *closure,
                    std::uint64_t key);

// From the child's stack, once it no longer needs anything of the parent's: thieves may take the
// parent's continuation from now on.
void publish_parent(sg_deque *child);

// Waits for the children of continuations that were taken; frees the record.
void sync_scope(void *record);
void free_scope(void *record);

} // namespace detail

// A group of children. Lives in the function that spawns, or in one that called it, on the same
// stack: a spawn from elsewhere (from a child, say) is a call. Outside any worker all spawns are.
//
//     saguaro::scope s;
//     for (node *n = list; n != nullptr; n = n->next)
//         s.spawn([n] { visit(n); });
//     s.sync();
class scope {
public:
    scope() : home_(SG_REGION_GET(sg_deque *, deque)) {}

    // Waits for the children. An exception of theirs that no sync has delivered is dropped: call
    // sync, or use with_scope.
    ~scope() {
        if (record_ != nullptr) [[unlikely]]
            detail::free_scope(record_);
    }

    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

    // Calls f() as a child: at once, on this worker, on a stack of its own; what follows the spawn
    // may be run by another worker meanwhile. `f` is moved to the child; its move must not spawn or
    // sync. An exception of f's waits for the sync. 10 to 30 ns more than a call.
    template <class F> void spawn(F &&f) {
        if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
            spawn(&f);
        } else {
            sg_deque *const parent = SG_REGION_GET(sg_deque *, deque);
            if (parent != home_) [[unlikely]] {
                // Another flow's scope: all is that flow's, the number of children as well.
                std::decay_t<F>(std::forward<F>(f))();
                return;
            }
            const std::uint64_t key = spawned_++;
            void *const source = const_cast<void *>(static_cast<const void *>(std::addressof(f)));
            if (!detail::spawn_on_stack(parent, *this, &run_child<std::decay_t<F>, F>, source,
                                        key)) [[unlikely]]
                call(std::forward<F>(f), key);
        }
    }

    // Returns when all children have ended. Rethrows the exception of the child that was spawned
    // first among those that threw. The worker does something else while it waits. Only from the
    // flow that the scope belongs to. Children of another scope of the same flow may be waited for as
    // well, if scopes are not synced in the reverse order of their first spawns.
    void sync() {
        if (record_ != nullptr) [[unlikely]]
            detail::sync_scope(record_);
        error_.rethrow();
    }

    // For the runtime. The first thief's record; null while nobody has taken a continuation.
    void *&record() { return record_; }
    detail::first_error &error() { return error_; }

private:
    template <class Closure, class F> static void run_child(void *closure, sg_deque *child) {
        Closure f(std::forward<F>(*static_cast<std::remove_reference_t<F> *>(closure)));
        detail::publish_parent(child);
        f();
    }

    template <class F> void call(F &&f, std::uint64_t key) {
        try {
            std::decay_t<F> local(std::forward<F>(f));
            local();
        } catch (...) {
            error_.offer(key, std::current_exception());
        }
    }

    sg_deque *const home_;
    void *record_ = nullptr;
    std::uint64_t spawned_ = 0;
    detail::first_error error_;
};

// Calls body(s) with a scope `s` and syncs it. Of the exceptions of the children and of the body
// itself, the one that the serial program would have met first leaves: any child's comes before
// the body's.
template <class Body> void with_scope(Body &&body) {
    scope s;
    std::exception_ptr late;
    try {
        std::forward<Body>(body)(s);
    } catch (...) {
        late = std::current_exception();
    }
    s.sync();
    if (late != nullptr)
        std::rethrow_exception(late);
}

} // namespace saguaro
