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

// Where a flow of control was left: the runtime's.
namespace stacks {
struct context;
}

namespace detail {

// A spawn in four steps, so that no more than two calls nest between parent and child: with more,
// the processor loses count of its return addresses, which costs more than all the rest.

// The deque of an empty stack for the child that is number `key` of `owner`, spawned by the flow on
// `parent`. Null: there is none.
sg_deque *prepare_child(sg_deque *parent, scope &owner, std::uint64_t key) noexcept;

// Calls entry(argument) on the child's stack. Returns when the child has ended or the continuation
// was taken, on whichever worker.
void start_child(sg_deque *parent, sg_deque *child, stacks::context *(*entry)(void *),
                 void *argument) noexcept;

// On the child's stack, once it needs nothing more of the parent's: thieves may take the parent's
// continuation from now on.
void publish_parent(sg_deque *child) noexcept;

// In a handler: the child has ended with the current exception.
void fail_child(sg_deque *child) noexcept;

// The end of the child: what its first function returns.
stacks::context *end_child(sg_deque *child) noexcept;

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
    template <class F>
    void spawn(F &&f) {
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
            sg_deque *const child = detail::prepare_child(parent, *this, key);
            if (child == nullptr) [[unlikely]] {
                call(std::forward<F>(f), key);
                return;
            }
            start<F> from{std::addressof(f), child};
            detail::start_child(parent, child, &run_child<F>, &from);
        }
    }

    // Returns when all children have ended. Rethrows the exception of the child that was spawned
    // first among those that threw. The worker does something else while it waits. Only from the
    // flow that the scope belongs to. Children of another scope of the same flow may be waited for
    // as well, if scopes are not synced in the reverse order of their first spawns.
    void sync() {
        if (record_ != nullptr) [[unlikely]]
            detail::sync_scope(record_);
        error_.rethrow();
    }

    // For the runtime. The first thief's record; null while nobody has taken a continuation.
    void *&record() { return record_; }
    detail::first_error &error() { return error_; }

private:
    // What the child finds on its parent's stack.
    template <class F>
    struct start {
        std::remove_reference_t<F> *closure;
        sg_deque *child;
    };

    // The first function on the child's stack.
    template <class F>
    static stacks::context *run_child(void *argument) {
        const start<F> &from = *static_cast<start<F> *>(argument);
        sg_deque *const child = from.child;
        try {
            std::decay_t<F> f(std::forward<F>(*from.closure));
            detail::publish_parent(child);
            f();
        } catch (...) {
            detail::fail_child(child);
        }
        return detail::end_child(child);
    }

    template <class F>
    void call(F &&f, std::uint64_t key) {
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
template <class Body>
void with_scope(Body &&body) {
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
