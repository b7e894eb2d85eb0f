// SPDX-License-Identifier: MIT
#include "cilksort/cilksort.hpp"
#include "driver/memory.hpp"
#include "driver/registry.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "loop/loop.hpp"
#include "matmul/matmul.hpp"
#include "micro/phases/phases.hpp"
#include "nqueens/nqueens.hpp"
#include "pbfs/pbfs.hpp"
#include "strassen/strassen.hpp"

#include <cstddef>
#include <pbfs/layered_search.hpp>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tuple>
#include <type_traits>
#include <utility>

namespace saguaro::bench {

namespace {

/// oneTBB as the kernels see it.
struct tbb_runtime {
    static void enter(int workers, auto &&work) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(workers));
        tbb::task_arena(workers).execute(work);
    }

    template <typename f, typename g>
    static auto invoke(f &&left, g &&right) {
        if constexpr (std::is_void_v<std::invoke_result_t<f>>) {
            tbb::parallel_invoke(left, right);
        } else {
            std::tuple<std::invoke_result_t<f>, std::invoke_result_t<g>> results;
            tbb::parallel_invoke([&] { std::get<0>(results) = left(); },
                                 [&] { std::get<1>(results) = right(); });
            return results;
        }
    }

    static void invoke(auto &&a, auto &&b, auto &&c, auto &&...more) {
        tbb::parallel_invoke(a, b, c, more...);
    }

    static void for_each(long first, long last, auto &&body) {
        tbb::parallel_for(first, last, body);
    }

    static void spawn_all(long count, auto &&body) {
        tbb::task_group children;
        for (long i = 0; i < count; i++) {
            children.run([&body, i] { body(i); });
        }
        children.wait();
    }
};

/// Its loop cut up to single iterations in any case. By itself it cuts when somebody steals.
struct tbb_simple_loop : tbb_runtime {
    static void for_each(long first, long last, auto &&body) {
        tbb::parallel_for(
            tbb::blocked_range<long>(first, last, 1),
            [&](const tbb::blocked_range<long> &part) {
                for (long i = part.begin(); i < part.end(); i++) {
                    body(i);
                }
            },
            tbb::simple_partitioner());
    }
};

/// oneTBB as the search of examples/pbfs sees it. It has no reducers: each thread has a bag.
struct tbb_search : tbb_runtime {
    static int worker() { return tbb::this_task_arena::current_thread_index(); }

    struct collector {
        pbfs::bag &mine() {
            pbfs::frontier::part &own = parts.local();
            own.worker = worker();
            return own.vertices;
        }

        pbfs::frontier take() {
            pbfs::frontier layer;
            for (pbfs::frontier::part &part : parts) {
                layer.parts.push_back(std::move(part));
            }
            parts.clear();
            return layer;
        }

        tbb::enumerable_thread_specific<pbfs::frontier::part> parts;
    };
};

pbfs::bfs_result search(const pbfs::graph &graph, pbfs::vertex source) {
    return pbfs::layered_search<tbb_search>(graph).from(source);
}

variant parallel(const char *bench, long greatest_size, double (*run)(long, int),
                 const char *name = "tbb") {
    return {
        .bench = bench, .name = name, .parallel = true, .greatest_size = greatest_size, .run = run};
}

variant phases(const char *name, double (*run)(long, int)) {
    return parallel("phases", any_size, run, name);
}

/// Tasks that do nothing.
outcome empty(long n, int workers) {
    double seconds = measure<tbb_runtime>(workers, [n] {
        tbb::task_group threads;
        for (long i = 0; i < n; i++) {
            threads.run([] {});
        }
        threads.wait();
    });
    outcome result = seconds;
    result.uses = {{"peak_mb", peak_megabytes()}};
    return result;
}

} // namespace

std::vector<variant> tbb_empty_variants() {
    return {{.bench = "empty",
             .name = "tbb",
             .parallel = true,
             .greatest_size = any_size,
             .run = empty,
             .alone = true}};
}

std::vector<variant> tbb_variants() {
    using rt = tbb_runtime;
    return {
        parallel("fib", 32,
                 [](long n, int workers) { return measure_fib<rt>(n, workers, fib<rt>); }),
        parallel("nqueens", any_size,
                 [](long n, int workers) { return measure_nqueens<rt>(n, workers, nqueens<rt>); }),
        parallel(
            "cilksort", any_size,
            [](long n, int workers) { return measure_cilksort<rt>(n, workers, cilksort<rt>); }),
        parallel("matmul", any_size,
                 [](long n, int workers) { return measure_product<rt>(n, workers, matmul<rt>); }),
        parallel("strassen", any_size,
                 [](long n, int workers) { return measure_product<rt>(n, workers, strassen<rt>); }),
        parallel("heat", any_size,
                 [](long n, int workers) { return measure_heat<rt>(n, workers, heat<rt>); }),
        parallel(
            "pbfs", any_size,
            [](long n, int workers) { return measure_pbfs<rt>(pbfs::grid3d, n, workers, search); }),
        parallel(
            "pbfs-rmat", any_size,
            [](long n, int workers) { return measure_pbfs<rt>(pbfs::rmat, n, workers, search); }),
        parallel("loop", any_size,
                 [](long n, int workers) { return measure_loop<rt>(n, workers, loop<rt>); }),
        phases(
            "tbb-tree",
            [](long n, int workers) { return measure_phases<rt>(n, workers, tree_of_leaves<rt>); }),
        phases(
            "tbb-loop",
            [](long n, int workers) { return measure_phases<rt>(n, workers, loop_of_leaves<rt>); }),
        phases("tbb-loop-simple",
               [](long n, int workers) {
                   return measure_phases<rt>(n, workers, loop_of_leaves<tbb_simple_loop>);
               }),
        phases("tbb-scope",
               [](long n, int workers) {
                   return measure_phases<rt>(n, workers, scope_of_leaves<rt>);
               }),
    };
}

} // namespace saguaro::bench
