// SPDX-License-Identifier: MIT
// The sizes and variants of empty, whose threads do nothing.
#include "driver/registry.hpp"
#include "empty/empty.hpp"

namespace saguaro::bench {

registry_entry empty_bench() {
    const kernel problem = {
        .name = "empty",
        .meaning = "n threads that do nothing, created by one that then waits for them",
        .base = "saguaro-dsr",
        .sizes = {1'000'000},
        .greatest_n = 100'000'000,
        .operations = n_operations};
    const std::vector<variant> variants = {
        alone(parallel("saguaro-dsr", empty_saguaro_dsr)),
        alone(parallel("saguaro-lsa", empty_saguaro_lsa)),
        alone(parallel("saguaro-dos", empty_saguaro_dos)),
#if SG_BENCH_TBB
        alone(parallel("tbb", empty_tbb)),
#endif
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
