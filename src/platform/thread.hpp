// SPDX-License-Identifier: MIT
// Settings of a thread: its processor, its name, its signals, its timers.
#pragma once

#include "platform/cpu_mask.hpp"

#include <atomic>
#include <csignal>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>

namespace saguaro::platform {

// Lets the calling thread run on processor `cpu` only. False, and nothing changes, where the
// kernel refuses: no such processor, or one that the process may not use.
bool pin_to_cpu(int cpu);

// Brings the calling thread to processor `cpu`, where the kernel allows it; -1: nothing happens. It
// may run where it could before, and so may all that it makes. Three system calls.
void start_on_cpu(int cpu);

// The processor `cpu` on which a thread waits, and is woken: the kernel keeps it there while it is
// at home, where it allows that; -1: there is none. Away from home the thread has the processors of
// the program, so it is away when it runs the program's code: threads and processes inherit what
// their maker has. Made and destroyed by the thread itself, which is at home at first.
class home_cpu {
public:
    explicit home_cpu(int cpu);
    ~home_cpu();
    home_cpu(const home_cpu &) = delete;
    home_cpu &operator=(const home_cpu &) = delete;

    // For its thread. Away from home it has the processors that it had when it came, be it that the
    // program has changed them meanwhile; it does not come where the home is none of them. Two
    // system calls to come home, one to leave.
    void come();
    void leave();

    // From any thread while it lives: the processor, or -1. It may have another home from now on,
    // and goes there if it is at home: a system call.
    int cpu() const { return cpu_.load(std::memory_order_relaxed); }
    void move_to(int cpu);

private:
    friend class at_large;

    std::atomic<int> cpu_; // relaxed: nothing else is told by it; written under the lock
    const pid_t thread_;
    std::mutex lock_; // guards what follows, against threads that move it
    bool is_home_ = false;
    cpu_mask away_; // the processors away from home
};

// While it lives, the calling thread is away from home, if it has one: to find out which processors
// the program may use. Two or three system calls if it was at home; none otherwise.
class at_large {
public:
    at_large();
    ~at_large();
    at_large(const at_large &) = delete;
    at_large &operator=(const at_large &) = delete;

private:
    home_cpu *const who_;
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

// Whether pthread_exit, or a cancellation, is unwinding the calling thread, also in a destructor,
// which cannot tell. By what glibc exports for debuggers; false where that is missing.
bool thread_is_ending() noexcept;

// The processor that the calling thread runs on, or ran on until now. A few nanoseconds.
int current_cpu();

// Names a running thread for ps, top, gdb and perf. Names are cut to 15 bytes, which is all that
// Linux keeps. Whoever starts a thread names it: then it has its name before anything waits for it.
// That takes 15 µs of the one who starts, for a file is opened and written to.
void set_thread_name(std::thread &thread, const std::string &name);

// The same for the calling thread, in 0.3 µs.
void name_this_thread(const std::string &name);

} // namespace saguaro::platform
