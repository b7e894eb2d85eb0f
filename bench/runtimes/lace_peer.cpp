// SPDX-License-Identifier: MIT
//
// A peer for machines that have Lace (https://github.com/trolando/lace): the benches that fork, as
// Lace's own tasks, with the base cases that all variants share. Nothing here builds it; README.md
// has the commands.
#include "cilksort/cilksort.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "knapsack/knapsack.hpp"
#include "matmul/matmul.hpp"
#include "nqueens/nqueens.hpp"
#include "runtimes/peer_main.hpp"
#include "strassen/strassen.hpp"

int main(int argc, char **argv) {
    using namespace saguaro::bench;
    const peer_entry entries[] = {
        {"fib", fib_lace},           {"nqueens", nqueens_lace},   {"cilksort", cilksort_lace},
        {"matmul", matmul_lace},     {"strassen", strassen_lace}, {"heat", heat_lace},
        {"knapsack", knapsack_lace},
    };
    return peer_main(argc, argv, entries);
}
