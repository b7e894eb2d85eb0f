// SPDX-License-Identifier: MIT
//
// reduce-overhead, of the runtime's reducers and of the hypermap's.
#include "micro/lookups/reduce_overhead.hpp"
#include "driver/registry.hpp"
#include "micro/lookups/hypermap.hpp"

#include <memory>

namespace saguaro::bench {

namespace {

outcome overhead_of_saguaro(long n, int workers) {
    auto cells = std::make_unique<reducer<add<long>>[]>(static_cast<std::size_t>(n));
    return measure_reduce_overhead(cells.get(), n, workers, [](sg_statistics &) {});
}

// Handing over and merging hypermaps is handing over and merging the one view of strand_views: the
// runtime counts it, as it does the making of empty maps. What is made and inserted in the maps
// comes on top.
outcome overhead_of_hypermap(long n, int workers) {
    auto cells = std::make_unique<hypermap_reducer<add<long>>[]>(static_cast<std::size_t>(n));
    strand_views->times = {};
    hypermap::timed = true;
    outcome measured = measure_reduce_overhead(cells.get(), n, workers, [](sg_statistics &counted) {
        counted.creation_seconds += hyperobjects::seconds_of(strand_views->times.creation);
        counted.insertion_seconds += hyperobjects::seconds_of(strand_views->times.insertion);
    });
    hypermap::timed = false;
    return measured;
}

} // namespace

registry_entry reduce_overhead_bench() {
    const kernel problem = {
        .name = "reduce-overhead",
        .meaning = "what 500 steals cost that each make, hand over and merge views of n reducers",
        .base = "hypermap",
        .sizes = {4, 16, 64, 256, 1024},
        .greatest_peer_size = 0,
        .greatest_n = 65536,
        .operations = overhead_views};
    const std::vector<variant> variants = {
        parallel("hypermap", overhead_of_hypermap),
        parallel("saguaro", overhead_of_saguaro),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
