// SPDX-License-Identifier: MIT
// The sizes and variants of knapsack.
#include "driver/registry.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

registry_entry knapsack_bench() {
    const kernel problem = {.name = "knapsack",
                            .meaning = "the best of n things to carry, branch and bound",
                            .base = "cilkc-serial",
                            .sizes = {40},
                            .greatest_n = 64};
    return entry_of(problem, {cilkc_programs(problem)}); // examples/cilk/knapsack.cilk
}

} // namespace saguaro::bench
