// SPDX-License-Identifier: MIT
//
// A bench of messages runs two processes. The first one is the caller, on the first processor. The
// second one has a processor of its own, or shares the caller's: `cores` says which.
#pragma once

#include <cstdlib>
#include <saguaro/space.hpp>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::bench {

enum class cores { two, one };

/// The processor with this number, from 0, among those that the process had at first.
inline void pin_to(int number) {
    static const cpu_set_t allowed = [] {
        cpu_set_t set;
        sched_getaffinity(0, sizeof(set), &set);
        return set;
    }();
    int found = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &allowed) && found++ == number) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
    }
}

inline void pin_first() {
    pin_to(0);
}
inline void pin_second(cores where) {
    pin_to(where == cores::two ? 1 : 0);
}

/// Runs second() in a child of the caller, which runs first() meanwhile.
template <typename First, typename Second>
void with_child(cores where, First first, Second second) {
    const pid_t child = fork();
    if (child == 0) {
        pin_second(where);
        second();
        _exit(0);
    }
    pin_first();
    first();
    waitpid(child, nullptr, 0);
}

/// The same where the two are spaces of a job.
template <typename First, typename Second>
void with_space(cores where, First first, Second second) {
    const space other([&] {
        pin_second(where);
        second();
    });
    pin_first();
    first();
    other.wait();
}

} // namespace saguaro::bench
