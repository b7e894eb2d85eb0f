// SPDX-License-Identifier: MIT
// A look between any two instructions of the calling thread.
#pragma once

#include "saguaro/detail/sanitizers.h"

#include <csignal>
#include <ucontext.h>

namespace saguaro::test_support {

// An emulator knows of no steps. ThreadSanitizer's own code would be interrupted as well, with its
// locks held.
#if defined(__x86_64__) && !defined(SG_TEST_EMULATED)
inline constexpr bool can_step = !SG_THREAD_SANITIZER;
#else
inline constexpr bool can_step = false;
#endif

// From `begin` on, and while the object lives, look() is called before each instruction of the
// thread, until it returns false. It is called in a signal handler: the code that it interrupts may
// hold any lock.
class steps {
public:
    explicit steps(bool (*look)()) {
        look_ = look;
        struct sigaction mine{};
        mine.sa_sigaction = on_trap;
        mine.sa_flags = SA_SIGINFO;
        sigaction(SIGTRAP, &mine, &former_);
    }
    ~steps() { sigaction(SIGTRAP, &former_, nullptr); }
    steps(const steps &) = delete;
    steps &operator=(const steps &) = delete;

    // The first step is in here.
    void begin() { raise(SIGTRAP); }

private:
    static void on_trap(int, siginfo_t *, void *interrupted) {
#if defined(__x86_64__)
        constexpr greg_t trap_flag = 0x100; // the processor traps after the next instruction
        greg_t &flags = static_cast<ucontext_t *>(interrupted)->uc_mcontext.gregs[REG_EFL];
        flags = look_() ? flags | trap_flag : flags & ~trap_flag;
#else
        static_cast<void>(interrupted);
#endif
    }

    inline static bool (*look_)() = nullptr;
    struct sigaction former_{};
};

} // namespace saguaro::test_support
