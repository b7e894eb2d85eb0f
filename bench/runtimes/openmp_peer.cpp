// SPDX-License-Identifier: MIT
//
// The OpenMP peer: `saguaro-bench-openmp-COMPILER BENCH N WORKERS` prints the seconds of the timed
// part. Built once by each compiler that has OpenMP: their runtimes cannot share a process.
#include "cilksort/cilksort.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "loop/loop.hpp"
#include "matmul/matmul.hpp"
#include "micro/entry/entry.hpp"
#include "micro/phases/phases.hpp"
#include "nqueens/nqueens.hpp"
#include "runtimes/peer_main.hpp"
#include "strassen/strassen.hpp"

#include <vector>

int main(int argc, char **argv) {
    using namespace saguaro::bench;
    std::vector<peer_entry> entries = {
        {"fib", fib_openmp},       {"nqueens", nqueens_openmp},   {"cilksort", cilksort_openmp},
        {"matmul", matmul_openmp}, {"strassen", strassen_openmp}, {"heat", heat_openmp},
        {"loop", loop_openmp},
    };
    for (const auto &forms : {phases_openmp(), entry_openmp()})
        entries.insert(entries.end(), forms.begin(), forms.end());
    return peer_main(argc, argv, entries);
}
