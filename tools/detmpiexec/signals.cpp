// SPDX-License-Identifier: MIT
// The pipe through which signal handlers tell the launcher's loop.
#include "signals.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

int ends[2] = {-1, -1};

void handle(int number, siginfo_t *about, void *) {
    const int former = errno;
    const arrived_signal what{number, about->si_code == SI_KERNEL};
    [[maybe_unused]] const ssize_t written = write(ends[1], &what, sizeof(what));
    errno = former;
}

} // namespace

int receive_signals() {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    for (const int number :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT}) {
        struct sigaction former;
        if (sigaction(number, nullptr, &former) != 0 || former.sa_handler == SIG_IGN)
            continue;
        struct sigaction wanted{};
        wanted.sa_sigaction = handle;
        wanted.sa_flags = SA_SIGINFO | SA_RESTART;
        sigaction(number, &wanted, nullptr);
    }
    return ends[0];
}

bool next_signal(arrived_signal &out) {
    return read(ends[0], &out, sizeof(out)) == sizeof(out);
}

} // namespace saguaro::detmpiexec
