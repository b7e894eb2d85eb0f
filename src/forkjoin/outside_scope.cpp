// SPDX-License-Identifier: MIT
// Scopes outside of any run: the children that wait in the heap, the root that begins them, and the
// sync.
#include "hyperobjects/view_set.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace saguaro::forkjoin {

namespace {

using namespace scheduler;
using detail::outside_child;

// While it lives, the flow or thread has no node. The children that it begins have their own.
class without_node {
public:
    without_node() : before_(detail::strand_node()) { detail::set_strand_node(nullptr); }
    ~without_node() { detail::set_strand_node(before_); }
    without_node(const without_node &) = delete;
    without_node &operator=(const without_node &) = delete;

private:
    detail::ancestor *const before_;
};

[[noreturn]] void give_up_in_child() {
    std::fputs("saguaro: a process that forked between a scope's spawn and its sync needs a thread "
               "that only its parent has; sync before fork\n",
               stderr);
    std::_Exit(1);
}

// Of one scope. README.md has the protocol.
class children_outside final : public scheduler::outside_children {
public:
    ~children_outside() override = default;

    // The thread that owns the scope, outside of any run.
    void add(outside_child &child) noexcept;

    void wait() noexcept override;

private:
    // The root that begins children while the owner is outside.
    struct helper {
        explicit helper(children_outside &children) : of(children) {}

        children_outside &of;
        std::optional<threadless_hold> held{std::in_place};
        ready_work beginning;
    };

    // The owner, parked in a run until the helper has ended. On its own stack.
    struct parked_owner {
        explicit parked_owner(children_outside &children) : of(children) {}

        children_outside &of;
        runtime &rt = current_worker()->rt;
        ready_work again;
    };

    static void help(void *argument);
    static void arrive(worker &w, void *argument);
    void send_helper();
    void call_back_helper();
    void wait_for_all() noexcept;
    outside_child *take(bool for_helper);
    void begin_all(scope &s, bool for_helper);
    void wait_in_run();
    void park_for_helper();
    void look_for_fork();

    // More children than this do not wait in the heap: a spawn waits for them.
    static constexpr unsigned most = 1024;

    platform::spin_lock lock_; // guards what follows, up to the views
    outside_child *first_ = nullptr;
    outside_child **end_ = &first_;
    unsigned count_ = 0;
    bool is_helped_ = false;
    bool is_begun_ = false;      // and the helper has
    bool is_waited_for_ = false; // the owner begins the rest
    bool is_waiting_ = false;    // it is in `wait`
    parked_owner *parked_ = nullptr;
    // Of the children that helpers have begun, in serial order: the helper's while there is one.
    hyperobjects::view_set views_;

    // The owner's.
    bool may_help_ = true;                    // there is a thread for a helper
    unsigned forks_ = 0;                      // when the last helper was sent
    helper *sent_ = nullptr;                  // the last one; it is there until it has begun
    std::optional<root> root_{std::in_place}; // what the owner enters with; its helpers work for it
};

// In the child of a fork there is no helper, and the lock may be held for ever.
void children_outside::look_for_fork() {
    if (forks_ == forks_so_far())
        return;
    if (is_helped_ && is_begun_)
        give_up_in_child();
    is_helped_ = false;
    forks_ = forks_so_far();
    lock_.unlock();
}

void children_outside::add(outside_child &child) noexcept {
    look_for_fork();
    platform::hand_over(&child);
    bool sends, is_full;
    {
        const std::lock_guard guard(lock_);
        *end_ = &child;
        end_ = &child.next;
        is_full = ++count_ >= most;
        sends = may_help_ && !is_helped_;
        is_helped_ = is_helped_ || sends;
    }
    if (sends)
        send_helper();
    if (is_full)
        wait();
}

void children_outside::send_helper() {
    // A thread that ends would have a runtime of its own each time.
    if (!this_thread_ends()) {
        threadless_hold workers; // the helper may be over at once, and the workers be stopped
        std::unique_ptr<helper> fresh(new (std::nothrow) helper(*this));
        if (fresh != nullptr && workers.has_thread()) {
            fresh->beginning.what = {.suspended = nullptr, .body = help, .argument = fresh.get()};
            fresh->beginning.of = {&*root_, nullptr};
            fresh->beginning.is_runtimes = true;
            fresh->held->waits_for_thread();
            sent_ = fresh.release();
            workers->ready.push(sent_->beginning);
            call_for_threadless(*workers.operator->());
            return;
        }
    }
    // The sync begins them.
    may_help_ = false;
    const std::lock_guard guard(lock_);
    is_helped_ = false;
}

// If no thread has begun the helper, none may do so for long.
void children_outside::call_back_helper() {
    std::unique_ptr<helper> called_back;
    const std::lock_guard guard(lock_);
    if (is_helped_ && !is_begun_ && (*sent_->held)->ready.remove(sent_->beginning)) {
        sent_->held->waits_no_more();
        called_back.reset(sent_);
        is_helped_ = false;
    }
}

// The oldest; null: there is none, or they are the owner's to begin.
outside_child *children_outside::take(bool for_helper) {
    const std::lock_guard guard(lock_);
    if (first_ == nullptr || (for_helper && is_waited_for_))
        return nullptr;
    outside_child *const child = first_;
    first_ = child->next;
    if (first_ == nullptr)
        end_ = &first_;
    --count_;
    platform::take_over(child);
    return child;
}

// As children in `s`, a scope of the flow that runs.
void children_outside::begin_all(scope &s, bool for_helper) {
    while (outside_child *const child = take(for_helper)) {
        detail::spawn_deque &here = *current_deque();
        if (here.spawned != nullptr || detail::attach_child_by_call(here))
            s.start_by_call(here, child->entry, child);
        else
            detail::end_outside_child(*child, true);
    }
}

void children_outside::help(void *argument) {
    const std::unique_ptr<helper> mine(static_cast<helper *>(argument));
    children_outside &of = mine->of;
    parked_owner *parked = nullptr;
    mine->held->waits_no_more();
    platform::take_over(&of);
    {
        const std::lock_guard guard(of.lock_);
        of.is_begun_ = true;
    }
    current_worker()->views.put(std::exchange(of.views_, {}));
    for (bool is_over = false; !is_over;) {
        {
            scope s;
            of.begin_all(s, true);
            s.sync();
        }
        sync_all_scopes();
        const hyperobjects::view_set views = current_worker()->views.take();
        platform::hand_over(&of);
        {
            const std::lock_guard guard(of.lock_);
            is_over = of.first_ == nullptr || of.is_waited_for_;
            if (is_over) {
                // Here, since the owner may stop the workers as soon as it has returned.
                mine->held.reset();
                of.views_ = views;
                of.is_helped_ = of.is_begun_ = false;
                parked = std::exchange(of.parked_, nullptr);
            }
        }
        // The owner may have returned from its sync, but for one that is parked.
        if (!is_over)
            current_worker()->views.put(views);
    }
    if (parked != nullptr)
        make_ready(parked->rt, parked->again);
}

// Called by the worker's loop once the owner's flow has left its stack.
void children_outside::arrive(worker &w, void *argument) {
    auto &mine = *static_cast<parked_owner *>(argument);
    mine.again.of = w.whose();
    mine.again.is_runtimes = w.guest == nullptr;
    {
        const std::lock_guard guard(mine.of.lock_);
        if (mine.of.is_helped_) {
            mine.of.parked_ = &mine;
            return;
        }
    }
    w.next = mine.again.what;
}

void children_outside::park_for_helper() {
    {
        const std::lock_guard guard(lock_);
        if (!is_helped_)
            return;
    }
    parked_owner mine(*this);
    mine.again.what.suspended = current_deque()->home();
    leave_parents_to_others();
    park(arrive, &mine);
}

// The views of the flow stay apart meanwhile. The views of the helpers' children come after them,
// and those of the children that the sync begins come last.
void children_outside::wait_in_run() {
    const hyperobjects::view_set before = current_worker()->views.take();
    call_back_helper();
    // With one worker the helper begins all, one after the other: also while a child waits in a
    // blocking scope.
    if (runtime &rt = current_worker()->rt; !is_shared(rt.size(), rt.seating()))
        park_for_helper();
    {
        const std::lock_guard guard(lock_);
        is_waited_for_ = true;
    }
    {
        scope s;
        begin_all(s, false);
        s.sync();
    }
    const hyperobjects::view_set rest = current_worker()->views.take();
    park_for_helper();
    platform::take_over(this);
    const merging here(*current_worker());
    hyperobjects::local &views = current_worker()->views;
    views.put(before);
    views.append(std::exchange(views_, {}));
    views.append(rest);
    is_waited_for_ = false;
}

void children_outside::wait() noexcept {
    look_for_fork();
    const worker *const w = current_worker();
    {
        const std::lock_guard guard(lock_);
        // A child would wait for itself. Helpers, and an owner that has come from outside, work for
        // the root.
        if (is_waiting_ || (w != nullptr && w->whose().entered == &*root_)) [[unlikely]]
            refuse_sync();
        if (first_ == nullptr && !is_helped_ && views_.empty()) {
            platform::take_over(this);
            return;
        }
        is_waiting_ = true;
    }
    wait_for_all();
    const std::lock_guard guard(lock_);
    is_waiting_ = false;
}

// In `wait`: there may be some.
void children_outside::wait_for_all() noexcept {
    const without_node hidden;
    if (current_worker() != nullptr) {
        refuse_wait_without_flow();
        wait_in_run();
        return;
    }
    const held_runtime workers;
    root_->function = [](void *children) {
        static_cast<children_outside *>(children)->wait_in_run();
    };
    root_->argument = this;
    workers->enter(*root_, workers.is_alone());
    root_.emplace();
}

} // namespace

} // namespace saguaro::forkjoin

namespace saguaro::detail {

bool is_outside() noexcept {
    return scheduler::current_worker() == nullptr;
}

void spawn_outside(scope &owner, std::uint64_t key, outside_child &child) noexcept {
    child.owner = &owner;
    child.key = key;
    if (ancestor *const node = strand_node()) {
        child.has_node = true;
        child.node = node->next_child();
    }
    // An observer of spawns follows one flow, which may wait for this thread.
    if (scheduler::spawn_observer::now() != nullptr) {
        end_outside_child(child, true);
        return;
    }
    std::unique_ptr<scheduler::outside_children> &children = scheduler::record_for(owner).outside;
    if (children == nullptr)
        children.reset(new (std::nothrow) forkjoin::children_outside);
    if (children != nullptr)
        static_cast<forkjoin::children_outside &>(*children).add(child);
    else
        end_outside_child(child, true); // there are none before it
}

void wait_outside(scope &owner) noexcept {
    if (scheduler::outside_children *const children = scheduler::record_for(owner).outside.get())
        children->wait();
}

void end_outside_child(outside_child &child, bool runs) noexcept {
    ancestor *const before = strand_node();
    if (child.has_node)
        set_strand_node(&child.node);
    try {
        if (runs && !child.node.cancelled())
            child.call();
    } catch (...) {
        keep_error(*child.owner, child.key);
    }
    if (child.has_node)
        set_strand_node(before);
    delete &child;
}

} // namespace saguaro::detail
