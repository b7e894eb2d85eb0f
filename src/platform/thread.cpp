// SPDX-License-Identifier: MIT
// Pinning, naming, blocking signals and timer slack: the system calls of a thread.
#include "platform/thread.hpp"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace saguaro::platform {

bool pin_to_cpu(int cpu) {
    if (cpu < 0)
        return false;
    cpu_mask mask(static_cast<std::size_t>(cpu) + 1);
    mask.add(cpu);
    return sched_setaffinity(0, mask.bytes(), mask.data()) == 0;
}

punctual::punctual() : slack_before_(static_cast<unsigned long>(prctl(PR_GET_TIMERSLACK))) {
    prctl(PR_SET_TIMERSLACK, 1UL);
}

punctual::~punctual() {
    prctl(PR_SET_TIMERSLACK, slack_before_);
}

signals_blocked::signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
}

signals_blocked::~signals_blocked() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int current_cpu() {
    return sched_getcpu();
}

void abort_with_thread(const char *what) noexcept {
    std::fprintf(stderr,
                 "saguaro: a %s ends the thread that it runs on (pthread_exit, pthread_cancel); "
                 "return from the %s instead\n",
                 what, what);
    std::abort();
}

void set_thread_name(std::thread &thread, const std::string &name) {
    constexpr std::size_t kept = 15;
    pthread_setname_np(thread.native_handle(), name.substr(0, kept).c_str());
}

} // namespace saguaro::platform
