// SPDX-License-Identifier: MIT
// A handler for one of the signals that a bad access raises, in front of the one that was there.
#pragma once

#include "platform/copy_table.hpp"

#include <csignal>

namespace saguaro::platform {

// Whether the kernel sent the signal because of what the running instruction did, and not some
// process with kill().
bool is_fault(const siginfo_t &info);

// Lets the process end as if the signal had never been handled: a fault is raised again by the
// instruction that the handler returns to. Callable in a signal handler.
void take_default_action(int number, const siginfo_t &info);

using fault_handler = void (*)(int number, siginfo_t *info, void *machine_state);

// One signal, and who was asked before us.
class fault_signal {
public:
    constexpr explicit fault_signal(int number) : number_(number) {}

    // Puts `handler` in front of the present one, on the alternate stack where a thread has one.
    // Does nothing if it is there already.
    void install(fault_handler handler);

    // Takes it away again, also from below the handler of another copy of the library, unless one
    // of the program's has been installed in front of it, which may call it.
    void remove();

    // For the handler of a fault: whether the program has no handler of its own, so that the
    // process ends.
    bool is_fatal(int number) const;

    // In the handler: does what would have happened without it, if the signal is this one.
    void hand_on(int number, siginfo_t *info, void *machine_state) const;

private:
    void forget();

    const int number_;
    struct sigaction former_ = {};
    chained_handler own_{}; // where the table has no place for it
    chained_handler *chained_ = &own_;
};

} // namespace saguaro::platform
