// SPDX-License-Identifier: MIT
// Settings of a thread: its processor, its name, its signals, its timers.
#pragma once

#include "platform/cpu_mask.hpp"

#include <atomic>
#include <csignal>
#include <string>
#include <sys/types.h>
#include <thread>

namespace saguaro::platform {

// Lets the calling thread run on processor `cpu` only. False, and nothing changes, where the
// kernel refuses: no such processor, or one that the process may not use.
bool pin_to_cpu(int cpu);

// Keeps the thread that makes it on processor `cpu` as long as it lives, where the kernel allows
// it; -1: anywhere. What the thread had before is put back at the end. Threads and processes that
// it makes meanwhile have that too, if they are made by pthread_create, thrd_create, fork,
// posix_spawn, posix_spawnp, system or popen (children.cpp). One at a time for each thread.
class pinned {
public:
    explicit pinned(int cpu);
    ~pinned();
    pinned(const pinned &) = delete;
    pinned &operator=(const pinned &) = delete;

    // From any thread while it lives: the thread's processor, or -1. A system call to change it.
    int cpu() const { return cpu_.load(std::memory_order_relaxed); }
    void move_to(int cpu);

    // For its thread: what it had before, until further notice. False: it has something else.
    bool put_back();

private:
    cpu_mask former_;
    std::atomic<int> cpu_; // relaxed: nothing else is told by it
    const pid_t thread_;
};

// While it lives, the calling thread has the processors that it had before it was pinned, if it was
// and nobody else has changed them since: for what it makes meanwhile. Two or three system calls
// then; none otherwise.
class unpinned {
public:
    unpinned();
    ~unpinned();
    unpinned(const unpinned &) = delete;
    unpinned &operator=(const unpinned &) = delete;

private:
    pinned *const who_;
};

// While it lives, the calling thread's timed waits end when they should: by default the kernel lets
// them take up to 50 µs longer (timer slack, prctl(2)). Three system calls, one of them at its end.
class punctual {
public:
    punctual();
    ~punctual();
    punctual(const punctual &) = delete;
    punctual &operator=(const punctual &) = delete;

private:
    const unsigned long slack_before_;
};

// While it lives, no signal is handled by the calling thread, nor by threads that it starts.
class signals_blocked {
public:
    signals_blocked();
    ~signals_blocked();
    signals_blocked(const signals_blocked &) = delete;
    signals_blocked &operator=(const signals_blocked &) = delete;

private:
    sigset_t before_;
};

// Aborts with one line: a `what` (a task, a nano-thread, ...) ends the thread that it runs on,
// which belongs to others too. For what pthread_exit or pthread_cancel has begun to unwind.
[[noreturn]] void abort_with_thread(const char *what) noexcept;

// The processor that the calling thread runs on, or ran on until now. A few nanoseconds.
int current_cpu();

// Names a running thread for ps, top, gdb and perf. Names are cut to 15 bytes, which is all that
// Linux keeps. Whoever starts a thread names it: then it has its name before anything waits for it.
void set_thread_name(std::thread &thread, const std::string &name);

} // namespace saguaro::platform
