// SPDX-License-Identifier: MIT
// Spawning any number of children from any control flow, and waiting for them.
#pragma once

#include "saguaro/detail/cxx20.hpp"
#include "saguaro/detail/first_error.hpp"

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/outside_child.hpp"
#include "saguaro/detail/race_names.h"
#include "saguaro/detail/region.h"
#include "saguaro/detail/spawn.hpp"
#include "saguaro/detail/strand_node.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if SG_RACE
#include "saguaro/detail/race_scope.hpp"
#endif

namespace saguaro {

#if !SG_RACE
// A group of children. The function that spawns owns the scope, or one of its callers on the same
// stack does. A spawn from elsewhere, for example from a child, is a plain call.
//
// A thread outside of any run may use a scope as well. The thread itself stays outside: its
// children wait in the heap, and the workers begin them, in the order of their spawns; what they
// have not begun, the sync does, which enters a run. While a recording is made they are calls.
// Reducers have the value that the serial program would have, if the thread updated none between
// its first spawn and the sync: its own updates come before those of the children.
//
//     saguaro::scope s;
//     for (node *n = list; n != nullptr; n = n->next)
//         s.spawn([n] { visit(n); });
//     s.sync();
class scope : public detail::scope_head {
public:
    scope() : scope_head(SG_REGION_GET(sg_deque *, deque)) {}

    // Waits for the children. Drops an exception of a child that no sync has rethrown: call sync,
    // or use with_scope.
    ~scope() {
        if (detail::scope_record *const r = record()) [[unlikely]]
            detail::free_scope(*r);
    }

    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

    // Calls f() as a child: at once, on this worker, on a stack of its own. Meanwhile another
    // worker may run what follows the spawn. The scope moves `f` to the child; that move must not
    // spawn or sync. An exception of f() waits for the sync. If the scope is cancelled
    // (cancellable_scope.hpp), f() is not called. A spawn costs 10 to 30 ns more than a call.
    //
    // Outside of any run, f() begins later, on a worker, and the scope must have been made by the
    // calling thread. The spawn costs an allocation and a lock, some 0.1 µs, and now and then the
    // wake-up of a thread. If 1024 children wait, or there is no memory for one more, it waits for
    // them as sync does.
    template <class F>
    void spawn(F &&f) {
        if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
            spawn(&f);
        } else {
            if (SG_REGION_GET(sg_deque *, deque) != home()) [[unlikely]] {
                // Another flow's scope: all is that flow's, the number of children as well.
                call(std::forward<F>(f));
                return;
            }
            count_child();
            auto &mine = *static_cast<detail::spawn_deque *>(home());
            if (mine.spawned == nullptr) [[unlikely]]
                if (!detail::attach(mine)) {
                    spawn_without_stack(std::forward<F>(f));
                    return;
                }
            mine.spawning = this;
            detail::start_child(mine, *mine.spawned, &run_child<F>,
                                const_cast<void *>(static_cast<const void *>(std::addressof(f))));
        }
    }

    // Returns when all children have ended. Rethrows an exception of a child; if several have
    // thrown, that of the child that was spawned first. While it waits, the worker does something
    // else. Only the flow that owns the scope may call it, and not a child: once another worker
    // has taken a part, or a child has thrown, that ends the program with one line. If a flow syncs
    // its scopes in another order than the reverse of their first spawns, a sync may also wait for
    // children of another scope. A scope that was made outside of any run may be synced in one.
    void sync() {
        if (detail::scope_record *const r = record()) [[unlikely]]
            detail::sync_scope_of(home(), *r);
    }

    // For the runtime: calls entry(argument) as the next child, on the stack that attach has
    // given to `mine`, the deque of the flow that runs and owns the scope.
    void start(detail::spawn_deque &mine, detail::child_entry entry, void *argument) {
        count_child();
        mine.spawning = this;
        detail::start_child(mine, *mine.spawned, entry, argument);
    }

    // The same on the stack that attach_child_by_call has given.
    void start_by_call(detail::spawn_deque &mine, detail::child_entry entry, void *argument) {
        count_child();
        mine.spawning = this;
        detail::start_child_by_call(mine, *mine.spawned, entry, argument);
    }

    // For the runtime: the scope of the flow whose deque is `home`.
    explicit scope(sg_deque *home) : scope_head(home) {}

    // For the runtime: the deque of the flow that owns the scope.
    using scope_head::home;

private:
    // Its address stands for the spawns of such a closure.
    template <class F>
    [[gnu::visibility("hidden")]] static constexpr char site_of = 0;

    // The first function on the child's stack.
    template <class F>
    static stacks::context *run_child(void *argument) {
        auto &closure = *static_cast<std::remove_reference_t<F> *>(argument);
        bool published = false;
        SG_TRY {
            std::decay_t<F> f(std::forward<F>(closure));
            published = true;
            if (detail::publish_parent(&site_of<F>)) [[likely]]
                f();
        }
        SG_CATCH_ALL {
            if (!published)
                return detail::refuse_child();
            detail::fail_child();
        }
        return detail::end_child();
    }

    template <class F>
    struct kept_closure final : detail::outside_child {
        explicit kept_closure(F &&from)
            : outside_child(&run_outside_child<F>), f(std::forward<F>(from)) {}
        void call() override { f(); }

        std::decay_t<F> f;
    };

    // The same for a child that was spawned outside of any run.
    template <class F>
    static stacks::context *run_outside_child(void *argument) {
        const bool runs = detail::publish_parent(&site_of<F>);
        detail::end_outside_child(*static_cast<detail::outside_child *>(argument), runs);
        return detail::end_child();
    }

    // Outside of any run, or where there is no stack for a child.
    template <class F>
    [[gnu::noinline, gnu::cold]] void spawn_without_stack(F &&f) {
        if (detail::is_outside()) {
            const std::uint64_t key = spawned() - 1;
            detail::outside_child *child = nullptr;
            SG_TRY {
                child = new (std::nothrow) kept_closure<F>(std::forward<F>(f));
            }
            SG_CATCH_ALL {
                detail::keep_error(*this, key);
                return;
            }
            if (child != nullptr) [[likely]] {
                detail::spawn_outside(*this, key, *child);
                return;
            }
            detail::wait_outside(*this);
        }
        call_as_child(std::forward<F>(f));
    }

    // On the parent's stack, as a part of the flow.
    template <class F>
    [[gnu::noinline, gnu::cold]] static void call(F &&f) {
        std::decay_t<F> local(std::forward<F>(f));
        const detail::descend here;
        if (!here.cancelled())
            local();
    }

    // On the parent's stack, but as a child.
    template <class F>
    [[gnu::noinline, gnu::cold]] void call_as_child(F &&f) {
        const std::uint64_t key = spawned() - 1;
        SG_TRY {
            call(std::forward<F>(f));
        }
        SG_CATCH_ALL {
            detail::keep_error(*this, key);
        }
    }
};
#endif

// Calls body(s) with a scope `s`, and syncs the scope. If the children or the body throw, the
// exception leaves that the serial program would have met first: that of a child comes before that
// of the body.
template <class Body>
void with_scope(Body &&body) {
    scope s;
    std::exception_ptr late;
    SG_TRY {
        std::forward<Body>(body)(s);
    }
    SG_CATCH_ALL {
        late = detail::caught_error();
    }
    s.sync();
    if (late != nullptr)
        std::rethrow_exception(late);
}

} // namespace saguaro
