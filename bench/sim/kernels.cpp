// SPDX-License-Identifier: MIT
// One kernel of the bench by itself: sim-kernels KERNEL N WORKERS prints its seconds. With
// SAGUARO_RECORD and one worker the recording has the timed part and nothing else.
#include "cilksort/cilksort.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "loop/loop.hpp"
#include "matmul/matmul.hpp"
#include "nqueens/nqueens.hpp"
#include "strassen/strassen.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace saguaro::bench;

namespace {

struct kernel {
    std::string_view name;
    double (*run)(long n, int workers);
};

constexpr kernel kernels[] = {
    {"fib", fib_saguaro_invoke},
    {"nqueens", nqueens_saguaro_invoke},
    {"cilksort", cilksort_saguaro_invoke},
    {"matmul", matmul_saguaro_invoke},
    {"strassen", strassen_saguaro_invoke},
    {"heat", heat_saguaro_invoke},
    {"loop", loop_saguaro},
};

} // namespace

int main(int count, char **words) {
    if (count == 4)
        for (const kernel &each : kernels)
            if (each.name == words[1]) {
                std::printf("%.9f\n", each.run(std::atol(words[2]), std::atoi(words[3])));
                return 0;
            }
    std::fputs("sim-kernels: accepted is fib, nqueens, cilksort, matmul, strassen, heat or loop, a "
               "size, and a number of workers\n",
               stderr);
    return 2;
}
