// SPDX-License-Identifier: MIT
// When a recording dozes and how the watcher thread wakes it.
#include "record/dozing.hpp"

#include "platform/thread.hpp"
#include "record/tick_clock.hpp"
#include "scheduler/observer.hpp"

#include <exception>
#include <mutex>
#include <type_traits>

unsigned sg_recording_dozes = 0;

namespace saguaro::record {

namespace {

// Calls f(row) if there is one.
template <class Rows, class F>
void if_any(const Rows &rows, F f) {
    std::visit(
        [&](auto row) {
            if constexpr (std::is_pointer_v<decltype(row)>)
                f(*row);
        },
        rows);
}

void pause(std::chrono::nanoseconds length) {
    if (told_time *const told = tick_clock::told(); told != nullptr)
        told->pause_watcher(length.count());
    else
        std::this_thread::sleep_for(length);
}

void tell(told_time::watcher state) {
    if (told_time *const told = tick_clock::told(); told != nullptr)
        told->tell(state);
}

} // namespace

dozing::~dozing() {
    if (!watcher_.joinable())
        return;
    {
        const std::lock_guard guard(lock_);
        over_ = true;
    }
    rouse();
    tell(told_time::watcher::ends);
    watcher_.join();
}

template <class Row>
bool dozing::begin_in(Row &row, typename Row::slot slot, const void *end) {
    if (!watcher_.joinable() && !start_to_watch())
        return false;
    {
        const std::lock_guard guard(lock_);
        ++number_;
        slot_ = slot;
        row_ = &row;
        row.pass_from(slot);
    }
    end_ = end;
    // Relaxed: the watcher falls asleep under the lock, having looked at what was written there.
    if (sleeps_.load(std::memory_order_relaxed))
        rouse();
    scheduler::spawn_observer::hear_pushes(false);
    return true;
}

template bool dozing::begin_in(deque &d, sg_frame **slot, const void *end);
template bool dozing::begin_in(chain &c, deque **slot, const void *end);

void dozing::end() {
    if (end_ == nullptr) {
        sg_recording_dozes = calls_ = 0;
        return;
    }
    scheduler::spawn_observer::hear_pushes(true);
    const std::lock_guard guard(lock_);
    if_any(row_, [](auto &row) { row.ask_again(); });
    row_ = {};
    end_ = slot_ = nullptr;
}

// Relaxed, here and in `watch`: what the watcher looks at is written and read under the lock.
void dozing::rouse() {
    tell(told_time::watcher::runs);
    sleeps_.store(false, std::memory_order_relaxed);
    sleeps_.notify_one();
}

// False: there can be no more threads.
bool dozing::start_to_watch() {
    if (is_refused_)
        return false;
    const platform::signals_blocked none; // the program's handlers are not for this thread
    tell(told_time::watcher::runs);
    try {
        watcher_ = std::thread([this] { watch(); });
    } catch (const std::exception &) { // no thread, or no memory for one
        is_refused_ = true;
        tell(told_time::watcher::ends);
        return false;
    }
    platform::set_thread_name(watcher_, "saguaro/dozing");
    return true;
}

void dozing::watch() {
    constexpr int patience = 20; // looks at nothing
    const platform::punctual here;
    std::uint64_t seen = 0;
    for (int idle = 0;; ++idle) {
        pause(at_most_);
        std::unique_lock guard(lock_, std::try_to_lock);
        if (!guard.owns_lock()) // one begins or ends
            continue;
        if (over_)
            return;
        if (number_ != seen)
            idle = 0;
        else
            if_any(row_, [](auto &row) { row.ask_from_outside(); });
        seen = number_;
        if (idle < patience || row_.index() != 0)
            continue;
        sleeps_.store(true, std::memory_order_relaxed);
        guard.unlock();
        tell(told_time::watcher::sleeps);
        sleeps_.wait(true, std::memory_order_relaxed);
        idle = 0;
    }
}

} // namespace saguaro::record
