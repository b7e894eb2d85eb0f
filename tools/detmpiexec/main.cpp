// SPDX-License-Identifier: MIT
// detmpiexec: runs an MPI program on ranks of this machine.
#include "job.hpp"
#include "options.hpp"

#include <csignal>
#include <unistd.h>

int main(int count, char **words) {
    // A reader that goes away ends no job: the ranks go on, as they would into a file. A handler,
    // for they would inherit it if the signal were ignored.
    std::signal(SIGPIPE, [](int) {});
    // No handlers at the exit: all ranks have ended.
    _exit(saguaro::detmpiexec::run(saguaro::detmpiexec::read_options(count, words)));
}
