// SPDX-License-Identifier: MIT
// What all parts of the detector share: the strand that runs, where it was spawned, and whether
// accesses are checked.
#pragma once

#include "race/order.hpp"
#include "race/shadow.hpp"

#include <cstdint>

namespace saguaro::race {

// Where a strand was spawned: by whom, and the low half of an address in the program's code.
struct birth {
    strand parent;
    std::uint32_t place;
};

struct detector {
    // Null before the start. Never destroyed, as all here: the program runs until it has ended.
    order *tree = nullptr;
    birth *births = nullptr;

    // Above 0: accesses are not checked. So until the start, and from the end on.
    int off = 1;
    strand self = 1;

    // What was found of the last serial and the last parallel strand that was asked for. Good until
    // the next construct.
    order::kin serial_kin;
    order::kin parallel_kin;

    // The native stack. No cell below `stack_touched` has anything.
    address stack_low = 0;
    address stack_high = 0;
    address stack_touched = 0;

    // Return addresses of the functions that are open, by what compilers tell.
    address *calls = nullptr;
    address *call_top = nullptr;

    void forget_kin() { serial_kin.count = parallel_kin.count = 0; }

    // `earlier` is none, or a strand that has run.
    bool is_parallel(strand earlier) {
        if (earlier == 0 || serial_kin.holds(earlier)) [[likely]]
            return false;
        if (parallel_kin.holds(earlier)) [[likely]]
            return true;
        return ask(earlier);
    }

    // A cell at that place gets its first access.
    void touch(address at) {
        if (at >= stack_low && at < stack_touched)
            stack_touched = at;
    }

private:
    [[gnu::noinline]] bool ask(strand earlier) {
        const order::kin found = tree->find(earlier);
        (found.parallel ? parallel_kin : serial_kin) = found;
        return found.parallel;
    }
};

extern detector now;

// While it lives, accesses are not checked.
struct unchecked {
    unchecked() { ++now.off; }
    ~unchecked() { --now.off; }
    unchecked(const unchecked &) = delete;
    unchecked &operator=(const unchecked &) = delete;
};

// Begins the detector, unless it has begun. Each instrumented object calls it (__tsan_init) before
// its own constructors.
void start();

// Ends a program that cannot be checked: prints "saguaro race: ...", and the exit code is 2.
[[noreturn, gnu::cold]] void give_up(const char *why);

inline address address_of(const volatile void *at) {
    return reinterpret_cast<address>(at);
}

} // namespace saguaro::race
