// SPDX-License-Identifier: MIT
// Installing a fault handler, removing it, and handing a fault on to the former handler.
#include "platform/fault_signal.hpp"

#include <csignal>
#include <cstring>

namespace saguaro::platform {

bool is_fault(const siginfo_t &info) {
    return info.si_code > 0;
}

void take_default_action(int number, const siginfo_t &info) {
    signal(number, SIG_DFL);
    if (!is_fault(info))
        raise(number);
}

void fault_signal::install(fault_handler handler) {
    if (ours_ != nullptr || sigaction(number_, nullptr, &former_) != 0)
        return;
    struct sigaction ours;
    std::memset(&ours, 0, sizeof(ours));
    ours.sa_sigaction = handler;
    // What the former handler relies on while it runs holds for ours as well.
    ours.sa_mask = former_.sa_mask;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (former_.sa_flags & SA_NODEFER);
    if (sigaction(number_, &ours, nullptr) == 0)
        ours_ = handler;
}

void fault_signal::remove() {
    struct sigaction now;
    if (ours_ == nullptr || sigaction(number_, nullptr, &now) != 0)
        return;
    if (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != ours_)
        return;
    if (sigaction(number_, &former_, nullptr) == 0)
        ours_ = nullptr;
}

void fault_signal::hand_on(int number, siginfo_t *info, void *machine_state) const {
    if (number != number_)
        return;
    if (former_.sa_handler == SIG_DFL)
        take_default_action(number, *info);
    else if (former_.sa_handler == SIG_IGN && is_fault(*info))
        take_default_action(number, *info); // the kernel does not let a process ignore these
    else if (former_.sa_handler == SIG_IGN)
        return;
    else if (former_.sa_flags & SA_SIGINFO)
        former_.sa_sigaction(number, info, machine_state);
    else
        former_.sa_handler(number);
}

} // namespace saguaro::platform
