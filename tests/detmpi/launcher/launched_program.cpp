// SPDX-License-Identifier: MIT
// A rank that does what its argument says, for launcher_test.py.
#include "detmpi/core/functions.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace saguaro::detmpi;

int main(int count, char **words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "stranger")
        return 0;
    core::init(nullptr, nullptr);
    int rank = 0;
    int size = 0;
    core::comm_rank(comm::world, &rank);
    core::comm_size(comm::world, &size);
    char x = 0;
    if (what == "two" && rank == 0) {
        core::finalize();
        return 3;
    }
    if (what == "two" && rank == 1) {
        usleep(300'000);
        std::exit(7);
    }
    if (what == "wait" || what == "two")
        core::recv(&x, 1, datatype::byte, 1, 0, comm::world, nullptr);
    if (rank == 1) {
        if (what == "signal")
            raise(SIGSEGV);
        if (what == "exit")
            std::exit(7);
        if (what == "early")
            std::exit(0);
        if (what == "abort")
            core::abort(comm::world, 5);
    }
    if (what == "circle")
        core::recv(&x, 1, datatype::byte, (rank + 1) % size, 0, comm::world, nullptr);
    if (what == "say")
        for (int i = 0; i < 200; ++i) {
            const char *const color = std::getenv("COLOR");
            std::printf("rank %d of %d, ", rank, size);
            std::fflush(stdout);
            std::printf("%s\n", color != nullptr ? color : "none");
        }
    if (what == "read") {
        char line[100] = "nothing\n";
        std::printf("rank %d: %s", rank,
                    std::fgets(line, sizeof(line), stdin) != nullptr ? line : "nothing\n");
    }
    core::barrier(comm::world);
    core::finalize();
    return what == "code" && rank == 1 ? 9 : 0;
}
