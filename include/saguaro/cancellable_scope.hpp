// SPDX-License-Identifier: MIT
// A scope whose children can be told to stop.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/scope.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace saguaro {

// How a scope came to its sync.
enum class outcome { complete, cancelled };

// A scope that any strand may cancel. From then on the runtime starts nothing more that belongs to
// the scope. It does not interrupt what runs already; running code can ask.
//
//     saguaro::cancellable_scope s;
//     for (const job &j : jobs)
//         s.spawn([&] { if (solve(j)) s.cancel(); });
//     if (s.sync() == saguaro::outcome::cancelled) ...
//
// While the scope lives, everything that its flow does belongs to it: spawns of any scope and
// iterations of parallel_for, in children and in their children. parallel_invoke still calls its
// functions, because the program needs their results.
//
// The scope must be a local variable. What the flow spawns while it lives must be synced before it
// ends, even if it was spawned into an older scope. Inside the scope a spawn costs some 10 ns more.
class cancellable_scope {
public:
    cancellable_scope() : self_(of_this_flow()), here_(self_) {
        state_.outer = self_.cancel;
        self_.cancel = &state_;
    }

    cancellable_scope(const cancellable_scope &) = delete;
    cancellable_scope &operator=(const cancellable_scope &) = delete;
    static void *operator new(std::size_t) = delete;

    // As scope::spawn, but does not call `f` if this scope, or one around it, has been cancelled.
    template <class F>
    void spawn(F &&f) {
        children_.spawn(std::forward<F>(f));
    }

    // From now on the runtime starts nothing in this scope. Any thread may call it while the scope
    // lives. Release: pairs with cancellation::holds; a strand that sees the cancellation sees what
    // the caller did before.
    void cancel() { state_.asked.store(true, std::memory_order_release); }

    // Whether this scope, or one around it, has been cancelled. Any thread may ask. It costs a load
    // for each cancellable_scope around.
    bool cancelled() const { return state_.holds(); }

    // As scope::sync, and says whether the scope, or one around it, was cancelled. Whether it
    // returns or throws, the scope is as new afterwards.
    outcome sync() {
        struct renewed {
            detail::cancellation &state;
            // Relaxed: the children have ended, and others see the next cancel.
            ~renewed() { state.asked.store(false, std::memory_order_relaxed); }
        } const at_end{state_};
        children_.sync();
        return cancelled() ? outcome::cancelled : outcome::complete;
    }

private:
    static detail::ancestor of_this_flow() {
        detail::ancestor *const now = detail::strand_node();
        return now != nullptr ? now->next_child() : detail::ancestor();
    }

    detail::cancellation state_;
    detail::ancestor self_;
    const detail::as_strand here_;
    scope children_; // last: its end waits for the children, who see all of the above
};

// Whether a scope that the caller descends from has been cancelled: for long loops that want to
// stop early. Any strand.
bool cancelled();

} // namespace saguaro
