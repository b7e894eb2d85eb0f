// SPDX-License-Identifier: MIT
// Installing a fault handler, removing it, and handing a fault on to the former handler.
#include "platform/fault_signal.hpp"

#include <csignal>
#include <cstring>
#include <utility>

namespace saguaro::platform {

bool is_fault(const siginfo_t &info) {
    return info.si_code > 0;
}

void take_default_action(int number, const siginfo_t &info) {
    signal(number, SIG_DFL);
    if (!is_fault(info))
        raise(number);
}

namespace {

// A handler of either kind; the constants as well.
void *address_of(const struct sigaction &action) {
    return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<void *>(action.sa_sigaction)
                                               : reinterpret_cast<void *>(action.sa_handler);
}

} // namespace

void fault_signal::install(fault_handler handler) {
    under_loader_lock([&] {
        if (chained_->ours.load(std::memory_order_relaxed) != nullptr ||
            sigaction(number_, nullptr, &former_) != 0)
            return;
        struct sigaction ours;
        std::memset(&ours, 0, sizeof(ours));
        ours.sa_sigaction = handler;
        // What the former handler relies on while it runs holds for ours as well.
        ours.sa_mask = former_.sa_mask;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (former_.sa_flags & SA_NODEFER);
        chained_handler *const place = place_for_handler();
        chained_ = place != nullptr ? place : &own_;
        chained_->number.store(number_, std::memory_order_relaxed);
        chained_->former_flags.store(former_.sa_flags & SA_SIGINFO, std::memory_order_relaxed);
        chained_->former.store(address_of(former_), std::memory_order_relaxed);
        chained_->ours.store(reinterpret_cast<void *>(handler), std::memory_order_relaxed);
        if (sigaction(number_, &ours, nullptr) != 0)
            forget();
    });
}

// What was there before is kept: a signal may be about to be handed on.
void fault_signal::forget() {
    own_.former_flags.store(chained_->former_flags.load(std::memory_order_relaxed),
                            std::memory_order_relaxed);
    own_.former.store(chained_->former.load(std::memory_order_relaxed), std::memory_order_relaxed);
    chained_handler *const place = std::exchange(chained_, &own_);
    place->ours.store(nullptr, std::memory_order_relaxed); // another one may have it from now on
}

void fault_signal::remove() {
    under_loader_lock([&] {
        struct sigaction now;
        const chained_handler &mine = *chained_;
        void *const ours = mine.ours.load(std::memory_order_relaxed);
        if (ours == nullptr || sigaction(number_, nullptr, &now) != 0)
            return;
        if (address_of(now) != ours) {
            if (leave_chain(mine))
                forget();
            return;
        }
        // Another copy may have left from below since.
        void *const former = mine.former.load(std::memory_order_relaxed);
        if (former != address_of(former_)) {
            former_.sa_flags = (former_.sa_flags & ~SA_SIGINFO) |
                               mine.former_flags.load(std::memory_order_relaxed);
            if ((former_.sa_flags & SA_SIGINFO) != 0)
                former_.sa_sigaction = reinterpret_cast<fault_handler>(former);
            else
                former_.sa_handler = reinterpret_cast<void (*)(int)>(former);
        }
        if (sigaction(number_, &former_, nullptr) == 0)
            forget();
    });
}

bool fault_signal::is_fatal(int number) const {
    // Acquire: pairs with leave_chain.
    void *const former = chained_->former.load(std::memory_order_acquire);
    return number == number_ && (former == reinterpret_cast<void *>(SIG_DFL) ||
                                 former == reinterpret_cast<void *>(SIG_IGN));
}

void fault_signal::hand_on(int number, siginfo_t *info, void *machine_state) const {
    if (number != number_)
        return;
    const chained_handler &mine = *chained_;
    // Acquire: pairs with leave_chain.
    void *const former = mine.former.load(std::memory_order_acquire);
    const int flags = mine.former_flags.load(std::memory_order_acquire);
    if (former == reinterpret_cast<void *>(SIG_DFL))
        take_default_action(number, *info);
    else if (former == reinterpret_cast<void *>(SIG_IGN) && is_fault(*info))
        take_default_action(number, *info); // the kernel does not let a process ignore these
    else if (former == reinterpret_cast<void *>(SIG_IGN))
        return;
    else if (flags != 0)
        reinterpret_cast<fault_handler>(former)(number, info, machine_state);
    else
        reinterpret_cast<void (*)(int)>(former)(number);
}

} // namespace saguaro::platform
