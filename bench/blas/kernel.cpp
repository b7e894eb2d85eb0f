// SPDX-License-Identifier: MIT
//
// Their sizes and their variants, which are all in one program of their own (peer.cpp).
#include "driver/peer.hpp"
#include "driver/registry.hpp"

#include <unistd.h>

namespace saguaro::bench {

namespace {

/// None where the program is missing, because there is no OpenBLAS.
registry_entry blas_bench(const kernel &problem) {
    const std::filesystem::path program = own_directory() / "saguaro-bench-blas";
    std::vector<variant> variants;
    const auto add = [&](const std::string &name) {
        kernel formed = problem;
        formed.name += "-" + name;
        variants.push_back(
            peer_variant(formed, "openblas-" + name, shell_quoted(program.string())));
        variants.back().greatest_size = any_size;
    };
    if (access(program.c_str(), X_OK) == 0) {
        add("serial");
        variants.back().parallel = false;
        add("saguaro");
#if SG_BENCH_TBB
        add("tbb");
#endif
    }
    return entry_of(problem, {variants});
}

} // namespace

registry_entry blas_strassen_bench() {
    return blas_bench({.name = "blas-strassen",
                       .meaning = "the product of two n x n matrices by Strassen, with OpenBLAS",
                       .base = "openblas-serial",
                       .sizes = {512, 1024},
                       .greatest_n = 8192});
}

registry_entry blas_cholesky_bench() {
    return blas_bench({.name = "blas-cholesky",
                       .meaning = "the Cholesky factor of an n x n matrix, with OpenBLAS",
                       .base = "openblas-serial",
                       .sizes = {512, 1024},
                       .greatest_n = 8192});
}

} // namespace saguaro::bench
