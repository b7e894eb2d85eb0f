// SPDX-License-Identifier: MIT
// The peers that run OpenMP, once for each OpenMP library, as variants.
#include "driver/peer.hpp"
#include "runtimes/programs.hpp"

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace saguaro::bench {

std::vector<variant> openmp_programs(const kernel &bench, const std::vector<std::string> &forms) {
    std::vector<variant> variants;
    for (std::string name : {"openmp-gcc", "openmp-clang"}) {
        std::filesystem::path program = own_directory() / ("saguaro-bench-" + name);
        if (access(program.c_str(), X_OK) != 0)
            continue;
        const std::string command = shell_quoted(program.string());
        for (const std::string &form : forms) {
            kernel formed = bench;
            formed.name += form;
            variants.push_back(peer_variant(formed, name + form, command));
        }
    }
    return variants;
}

} // namespace saguaro::bench
