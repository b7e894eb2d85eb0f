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

variant overhead(const char *name, outcome (*run)(long, int)) {
    return {.bench = "reduce-overhead",
            .name = name,
            .parallel = true,
            .greatest_size = any_size,
            .run = run};
}

} // namespace

std::vector<variant> reduce_overhead_variants() {
    return {overhead("hypermap", overhead_of_hypermap), overhead("saguaro", overhead_of_saguaro)};
}

} // namespace saguaro::bench
