// SPDX-License-Identifier: MIT
#include "../peer.hpp"
#include "variants.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

namespace saguaro::bench {

namespace {

/// The phases in each of the shapes: the peer has a bench for each.
std::vector<variant> phases_in_shapes(const kernel &bench, const std::string &name,
                                      const std::string &command) {
    std::vector<variant> variants;
    for (std::string shape : {"-tree", "-loop", "-scope"}) {
        kernel shaped = bench;
        shaped.name += shape;
        variants.push_back(peer_variant(shaped, name + shape, command));
        variants.back().bench = bench.name;
    }
    return variants;
}

} // namespace

std::vector<variant> openmp_variants() {
    const std::set<std::string> known = {"fib",      "nqueens", "cilksort", "matmul",
                                         "strassen", "heat",    "loop"};
    std::vector<variant> variants;
    for (std::string name : {"openmp-gcc", "openmp-clang"}) {
        std::filesystem::path program = own_directory() / ("saguaro-bench-" + name);
        if (access(program.c_str(), X_OK) != 0) {
            continue;
        }
        const std::string command = shell_quoted(program.string());
        for (const kernel &bench : kernels()) {
            if (known.contains(bench.name)) {
                variants.push_back(peer_variant(bench, name, command));
            }
            if (bench.name == "phases") {
                const std::vector<variant> shapes = phases_in_shapes(bench, name, command);
                variants.insert(variants.end(), shapes.begin(), shapes.end());
            }
        }
    }
    return variants;
}

} // namespace saguaro::bench
