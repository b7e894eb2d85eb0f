// SPDX-License-Identifier: MIT
// Trying whether ranks can read each other's counters, and the environment of such ranks.
#include "counted_work.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/variables.hpp"
#include "platform/work_counter.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

// A child that lets descendants of the launcher in, as a rank does, until the launcher closes the
// pipe `stay`. It says so by a byte. Negative: errno says why there is none.
pid_t begin_like_a_rank(const int (&ready)[2], const int (&stay)[2]) {
    const pid_t launcher = getpid();
    const pid_t child = fork();
    if (child != 0)
        return child;
    close(stay[1]);
    // Without the module Yama this fails, and is not needed.
    prctl(PR_SET_PTRACER, static_cast<unsigned long>(launcher), 0, 0, 0);
    char byte = 0;
    const bool is_told = write(ready[1], &byte, 1) == 1;
    _exit(is_told && read(stay[0], &byte, 1) == 0 ? 0 : 1);
}

// Another child fetches the descriptor from that one. 0, or an error number.
int error_of_fetching(pid_t from, int descriptor) {
    const pid_t child = fork();
    if (child == 0)
        _exit(platform::descriptor_of(from, descriptor) < 0 ? errno : 0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

// Whether the system lets ranks read each other's counters: 0, or an error number. A process may
// always fetch from itself, and often from its own children, so it takes two children to know.
int error_between_ranks(const platform::work_counter &own) {
    int ready[2];
    int stay[2];
    if (pipe2(ready, O_CLOEXEC) != 0 || pipe2(stay, O_CLOEXEC) != 0)
        return errno;
    const pid_t child = begin_like_a_rank(ready, stay);
    int error = child < 0 ? errno : ECHILD; // it may be killed before it says that it is ready
    close(ready[1]);
    char byte = 0;
    if (child > 0 && read(ready[0], &byte, 1) == 1)
        // Where there is no counter, another descriptor shows what is permitted.
        error = error_of_fetching(child, own ? own.descriptor() : stay[0]);
    for (const int each : {ready[0], stay[0], stay[1]})
        close(each);
    if (child > 0)
        waitpid(child, nullptr, 0);
    return error;
}

// That of the launcher itself, tried once: ranks have what it has.
const std::string &what_is_missing() {
    static const std::string missing = [] {
        std::string why;
        const platform::work_counter own(why);
        if (const int error = error_between_ranks(own))
            why += (why.empty() ? "" : "; and ") +
                   std::string("ranks cannot read each other's counters: pidfd_getfd: ") +
                   std::strerror(error) +
                   (error == EPERM ? ", which /proc/sys/kernel/yama/ptrace_scope above 1 forbids, "
                                     "and so may a container"
                                   : "");
        return why;
    }();
    return missing;
}

} // namespace

bool counts_work(const environment &of) {
    return of.get(mpi::variables::order.name) == "work";
}

void prepare_counted_work(environment &of, std::string &why) {
    const std::string &missing = what_is_missing();
    if (!missing.empty()) {
        why = "-order work counts the work of each rank, and cannot here: " + missing +
              ". Instead, MPI_Pcontrol(2, cost) declares work, and -order record FILE lets a run "
              "be repeated";
        return;
    }
    // Else the first call of each function would do more work than the others.
    of.set_unless_there("LD_BIND_NOW", "1");
}

same_addresses::same_addresses(const environment &of) {
    if (!counts_work(of))
        return;
    former_ = personality(0xffffffff);
    if (former_ < 0 || personality(static_cast<unsigned long>(former_) | ADDR_NO_RANDOMIZE) < 0)
        give_up("-order work: the system does not place programs at the same addresses in each run",
                errno);
}

same_addresses::~same_addresses() {
    if (former_ >= 0)
        personality(static_cast<unsigned long>(former_));
}

} // namespace saguaro::detmpiexec
