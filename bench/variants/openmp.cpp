// SPDX-License-Identifier: MIT
#include "../peer.hpp"
#include "variants.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

namespace saguaro::bench {

std::vector<variant> openmp_variants() {
    const std::set<std::string> known = {"fib",      "nqueens", "cilksort", "matmul",
                                         "strassen", "heat",    "loop"};
    std::vector<variant> variants;
    for (std::string name : {"openmp-gcc", "openmp-clang"}) {
        std::filesystem::path program = own_directory() / ("saguaro-bench-" + name);
        if (access(program.c_str(), X_OK) != 0) {
            continue;
        }
        for (const kernel &bench : kernels()) {
            if (known.contains(bench.name)) {
                variants.push_back(peer_variant(bench, name, shell_quoted(program.string())));
            }
        }
    }
    return variants;
}

} // namespace saguaro::bench
