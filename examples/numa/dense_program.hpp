// SPDX-License-Identifier: MIT
// Common parts of the programs for dense matrices: the numbers that they accept, and BLAS's
// threads.
#pragma once

#include "blas.hpp"
#include "program.hpp"

namespace saguaro::numa_examples {

/// All of main() for a Problem that is made of N and the variant. `what` has the name and the two
/// meanings.
template <class Problem>
int run_dense_program(program what, int argc, char **argv) {
    one_thread_for_blas();
    what.otherwise = "1024";
    what.least = 1;
    what.most = 32768;
    what.make = [](const arguments &given, variant where) {
        return std::make_unique<Problem>(given.n, where);
    };
    return run_program(what, argc, argv);
}

} // namespace saguaro::numa_examples
