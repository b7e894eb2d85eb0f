// SPDX-License-Identifier: MIT
// The breadth-first searches on oneTBB, with a bag for each thread.
#include "runtimes/tbb.hpp"

#include "pbfs/pbfs.hpp"

#include <pbfs/layered_search.hpp>
#include <tbb/enumerable_thread_specific.h>
#include <utility>

namespace saguaro::bench {

namespace {

/// oneTBB as the search of examples/pbfs sees it. It has no reducers: each thread has a bag.
struct tbb_search : tbb_runtime {
    static int worker() { return tbb::this_task_arena::current_thread_index(); }

    struct collector {
        explicit collector(std::pmr::memory_resource *) {} // the bags are made as new makes them

        pbfs::bag &mine() {
            pbfs::frontier::part &own = parts.local();
            own.worker = worker();
            return own.vertices;
        }

        pbfs::frontier take() {
            pbfs::frontier layer;
            for (pbfs::frontier::part &part : parts)
                layer.parts.push_back(std::move(part));
            parts.clear();
            return layer;
        }

        tbb::enumerable_thread_specific<pbfs::frontier::part> parts;
    };
};

pbfs::bfs_result search(const pbfs::graph &graph, pbfs::vertex source) {
    return pbfs::layered_search<tbb_search>(graph).from(source);
}

} // namespace

double pbfs_tbb(long n, int workers) {
    return measure_pbfs<tbb_runtime>(pbfs::grid3d, n, workers, search);
}

double pbfs_rmat_tbb(long n, int workers) {
    return measure_pbfs<tbb_runtime>(pbfs::rmat, n, workers, search);
}

} // namespace saguaro::bench
