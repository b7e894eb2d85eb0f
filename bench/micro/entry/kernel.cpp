// SPDX-License-Identifier: MIT
// The sizes and variants of entry.
#include "driver/registry.hpp"
#include "micro/entry/entry.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

registry_entry entry_bench() {
    const kernel problem = {.name = "entry",
                            .meaning = "n calls into the runtime from threads that are not its own",
                            .base = "saguaro-empty",
                            .sizes = {20'000},
                            .greatest_n = 1'000'000'000,
                            .operations = n_operations};
    std::vector<variant> tbb;
#if SG_BENCH_TBB
    tbb = entry_tbb();
#endif
    return entry_of(problem,
                    {entry_saguaro(), tbb,
                     openmp_programs(problem, {"-empty", "-loop", "-empty-8", "-loop-8"})});
}

} // namespace saguaro::bench
