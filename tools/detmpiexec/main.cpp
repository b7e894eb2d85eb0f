// SPDX-License-Identifier: MIT
// detmpiexec: runs an MPI program on ranks of this machine, or of several.
#include "hosts.hpp"
#include "job.hpp"
#include "options.hpp"

#include <csignal>
#include <unistd.h>

namespace {

using namespace saguaro;

int run(const detmpiexec::options &what, int count, char **words) {
    if (!what.crosses_machines)
        return detmpiexec::run(what, nullptr);
    const auto who = mpi::transport::find_who_began();
    if (!who)
        return detmpiexec::begin_hosts(what, count, words);
    const detmpiexec::host_membership hosts = detmpiexec::join_hosts(what, *who);
    return detmpiexec::run(what, &hosts);
}

} // namespace

int main(int count, char **words) {
    // A reader that goes away ends the job in an orderly way. A handler, for ranks would inherit it
    // if the signal were ignored.
    std::signal(SIGPIPE, [](int) {});
    // No handlers at the exit: all ranks have ended.
    _exit(run(detmpiexec::read_options(count, words), count, words));
}
