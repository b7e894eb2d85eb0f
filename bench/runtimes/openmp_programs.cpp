// SPDX-License-Identifier: MIT
#include "driver/peer.hpp"
#include "driver/registry.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace saguaro::bench {

namespace {

/// The benches that the program has in several forms, each under a name of its own.
const std::map<std::string, std::vector<std::string>> forms = {
    {"phases", {"-tree", "-loop", "-scope"}},
    {"entry", {"-empty", "-loop", "-empty-8", "-loop-8"}},
};

/// One form of a bench as a variant of it.
variant variant_of_form(const kernel &bench, const std::string &form, const std::string &name,
                        const std::string &command) {
    kernel formed = bench;
    formed.name += form;
    variant made = peer_variant(formed, name + form, command);
    made.bench = bench.name;
    return made;
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
            if (const auto found = forms.find(bench.name); found != forms.end()) {
                for (const std::string &form : found->second) {
                    variants.push_back(variant_of_form(bench, form, name, command));
                }
            }
        }
    }
    return variants;
}

} // namespace saguaro::bench
