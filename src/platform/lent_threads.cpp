// SPDX-License-Identifier: MIT
// The list of the threads that rest, and what such a thread does.
#include "platform/lent_threads.hpp"

#include "platform/forks.hpp"
#include "platform/futex.hpp"
#include "platform/process.hpp"
#include "platform/sanitizer.hpp"
#include "platform/thread.hpp"

#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <utility>

namespace saguaro::platform {

namespace {

// What a kept thread is told.
constexpr std::uint32_t rest = 0;
constexpr std::uint32_t work_now = 1;
constexpr std::uint32_t end_now = 2;

} // namespace

struct kept_thread {
    void live();
    void work_for_borrower();
    void tell(std::uint32_t what);

    std::thread thread;
    // While it rests, guarded by the lock of the list; then its borrower's.
    kept_thread *next = nullptr;
    std::string name;
    lent_threads *of = nullptr;
    void (*work)(void *) = nullptr;
    void *argument = nullptr;
    std::atomic<std::uint32_t> told{rest};
};

namespace {

// Guards what follows. A leaf. Not held while a thread begins or ends.
constinit std::mutex list_lock;
constinit kept_thread *resting = nullptr; // the latest first
constinit bool ends_at_exit = false;      // whether end_at_exit is going to be called

// Written where there is one thread.
constinit unsigned forks = 0;

// They are not in the child. Their memory stays: the forking flow may be one's.
void forget_in_child() {
    ++forks;
    resting = nullptr;
}

[[gnu::constructor]] void keep_list_across_forks() {
    hold_across_forks<list_lock, forget_in_child>();
}

void end_at_exit(void *) {
    {
        const std::lock_guard guard(list_lock);
        // Exit handlers that were registered earlier run later, and may borrow once more.
        ends_at_exit = false;
    }
    end_resting_threads();
}

// Off the list: one of that name, or the latest; null: there is none.
kept_thread *take(const std::string &name) {
    const std::lock_guard guard(list_lock);
    if (!ends_at_exit)
        ends_at_exit = at_exit(end_at_exit);
    kept_thread **link = &resting;
    while (*link != nullptr && (*link)->name != name)
        link = &(*link)->next;
    if (*link == nullptr)
        link = &resting;
    kept_thread *const found = *link;
    if (found != nullptr)
        *link = found->next;
    return found;
}

void put_to_rest(kept_thread &who) {
    // Before anybody can wake it, who takes this back.
    begin_to_idle();
    const std::lock_guard guard(list_lock);
    who.next = std::exchange(resting, &who);
}

} // namespace

void kept_thread::tell(std::uint32_t what) {
    hand_over(&told);
    // Release: pairs with the acquire in `live`; the call is visible.
    told.store(what, std::memory_order_release);
    futex_wake(told, 1);
}

// In between the thread handles no signals: those of the process are for the program's threads.
void kept_thread::work_for_borrower() {
    sched_setaffinity(0, of->cpus_.bytes(), of->cpus_.data());
    pthread_sigmask(SIG_SETMASK, &of->signals_, nullptr);
    work(argument);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

void kept_thread::live() {
    const unsigned forks_at_birth = forks;
    for (;;) {
        // Acquire: pairs with `tell`.
        while (told.load(std::memory_order_acquire) == rest)
            futex_wait(told, rest);
        take_over(&told);
        // Relaxed: nobody tells it anything before it is in the list.
        if (told.exchange(rest, std::memory_order_relaxed) == end_now)
            return;
        work_for_borrower();
        // The only thread of a fork's child ends with its function, as any other would.
        if (forks != forks_at_birth)
            return;
        lent_threads &borrower = *of;
        hand_over(&borrower);
        // The borrower counts again before this thread does not. Another one may have this thread
        // from put_to_rest on.
        borrower.joined_.leave();
        put_to_rest(*this);
        // Release: pairs with the acquire in `join`. From here on the borrower may be gone: the
        // futex only needs its address.
        std::atomic<std::uint32_t> &under_way = borrower.under_way_;
        if (under_way.fetch_sub(1, std::memory_order_release) == 1)
            futex_wake(under_way, 1);
    }
}

lent_threads::lent_threads() : cpus_(cpu_mask::of_thread(0)) {
    pthread_sigmask(SIG_SETMASK, nullptr, &signals_);
}

lent_threads::~lent_threads() {
    join();
}

void lent_threads::start(const std::string &name, void (*work)(void *), void *argument) {
    kept_thread *who = take(name);
    std::unique_ptr<kept_thread> fresh;
    if (who == nullptr) {
        fresh = std::make_unique<kept_thread>();
        who = fresh.get();
        // No signal for it before it has its work.
        const signals_blocked none;
        fresh->thread = std::thread([who] { who->live(); });
    } else {
        end_idling();
    }
    if (who->name != name) {
        who->name.assign(name, 0, 15); // needs no memory
        set_thread_name(who->thread, name);
    }
    who->of = this;
    who->work = work;
    who->argument = argument;
    ++started_;
    // Relaxed: `tell` orders it.
    under_way_.fetch_add(1, std::memory_order_relaxed);
    fresh.release();
    who->tell(work_now);
}

void lent_threads::join() {
    if (started_ == 0)
        return;
    joined_.begin_to_join(std::exchange(started_, 0));
    // Acquire: pairs with the release in `live`.
    while (const std::uint32_t left = under_way_.load(std::memory_order_acquire))
        futex_wait(under_way_, left);
    take_over(this);
}

void end_resting_threads() {
    kept_thread *all;
    {
        const std::lock_guard guard(list_lock);
        all = std::exchange(resting, nullptr);
    }
    for (kept_thread *each = all; each != nullptr; each = each->next) {
        end_idling();
        each->tell(end_now);
    }
    while (all != nullptr) {
        all->thread.join();
        delete std::exchange(all, all->next);
    }
}

std::size_t resting_threads() {
    const std::lock_guard guard(list_lock);
    std::size_t count = 0;
    for (const kept_thread *each = resting; each != nullptr; each = each->next)
        ++count;
    return count;
}

} // namespace saguaro::platform
