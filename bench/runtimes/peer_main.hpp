// SPDX-License-Identifier: MIT
//
// The main function of every peer program: `PROGRAM BENCH N WORKERS` prints the seconds of the
// timed part, and what else the run used. ../README.md has the protocol.
#pragma once

#include "driver/grid.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <span>

namespace saguaro::bench {

/// A bench that the peer knows.
struct peer_entry {
    const char *bench;
    /// Returns the seconds, and what else the run used; throws when the answer is wrong.
    std::function<outcome(long n, int workers)> run;
};

/// All that main() does; returns its exit code.
inline int peer_main(int argc, char **argv, std::span<const peer_entry> entries) {
    constexpr int exit_failure = 1;
    constexpr int exit_usage = 2;
    constexpr int exit_unknown_bench = 3;
    const long n = argc == 4 ? std::atol(argv[2]) : 0;
    const int workers = argc == 4 ? std::atoi(argv[3]) : 0;
    if (n < 1 || workers < 1) {
        std::fprintf(stderr, "usage: %s BENCH N WORKERS, with N and WORKERS at least 1\n", argv[0]);
        return exit_usage;
    }
    for (const peer_entry &known : entries) {
        if (std::strcmp(known.bench, argv[1]) != 0)
            continue;
        try {
            const outcome result = known.run(n, workers);
            std::printf("%.9f", result.seconds);
            for (const auto &[what, value] : result.uses)
                std::printf(" %s %.9g", what.c_str(), value);
            std::printf("\n");
            return 0;
        } catch (const std::exception &fault) {
            std::fprintf(stderr, "%s: %s\n", argv[0], fault.what());
            return exit_failure;
        }
    }
    return exit_unknown_bench;
}

} // namespace saguaro::bench
