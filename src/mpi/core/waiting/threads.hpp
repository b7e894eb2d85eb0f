// SPDX-License-Identifier: MIT
// Threads of a rank: one at a time is inside the core. ../../README.md, "Threads".
#pragma once

#include "mpi/core/clock/work.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace saguaro::mpi {

// Open while the program has one thread: a load and a branch are all it costs.
//
// Guarded from MPI_THREAD_FUNNELED on: one thread calls, but another may begin a session of its own
// at any time, even while the first is inside. So each call has the lock already. Shared when
// several threads may be inside, of which all but one wait.
class thread_gate {
public:
    // Relaxed, all: a thread that may call beside others has been told so by the thread that got
    // the permission, or has got it itself within the lock.
    bool is_guarded() const { return is_guarded_.load(std::memory_order_relaxed); }
    bool is_shared() const { return is_shared_.load(std::memory_order_relaxed); }
    void guard() { is_guarded_.store(true, std::memory_order_relaxed); }
    void share() {
        guard();
        is_shared_.store(true, std::memory_order_relaxed);
    }

    // A function of the core may call the program, which may call another: once for each thread.
    void enter() {
        if (depth++ != 0)
            return;
        // Before the lock is taken, whose instructions are not the program's.
        if (work::is_counted.load(std::memory_order_relaxed)) [[unlikely]]
            work::stop();
        lock();
    }
    void leave() {
        if (--depth != 0)
            return;
        mutex_.unlock();
        if (work::is_counted.load(std::memory_order_relaxed)) [[unlikely]]
            work::start();
    }

    // The parts of a wait, where others may come in between, however deep the calls are.
    void open() {
        if (is_guarded())
            mutex_.unlock();
    }
    void close() {
        if (is_guarded())
            lock();
    }
    // The same, if somebody waits to come in.
    void let_others_in();

    // Sleeps until another thread calls `wake_others`.
    void sleep();
    void wake_others() { changed_.notify_all(); }

private:
    void lock() {
        if (mutex_.try_lock())
            return;
        // Relaxed: a hint for `let_others_in`.
        entering_.fetch_add(1, std::memory_order_relaxed);
        mutex_.lock();
        entering_.fetch_sub(1, std::memory_order_relaxed);
    }

    // Four bytes of the memory that the dynamic linker keeps for this: no call for each access.
    [[gnu::tls_model("initial-exec")]] static inline thread_local unsigned depth = 0;
    std::atomic<bool> is_guarded_ = false;
    std::atomic<bool> is_shared_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<unsigned> entering_ = 0;
};

inline thread_gate gate;

namespace core {

// A thread inside a function of the core.
class inside {
public:
    // `always`: for what several threads may call before any has a permission.
    explicit inside(bool always = false) : is_locked_(always || gate.is_guarded()) {
        if (is_locked_) [[unlikely]]
            gate.enter();
    }
    ~inside() {
        if (is_locked_) [[unlikely]]
            leave();
    }
    inside(const inside &) = delete;
    inside &operator=(const inside &) = delete;

private:
    static void leave();

    const bool is_locked_;
};

} // namespace core

} // namespace saguaro::mpi
