// SPDX-License-Identifier: MIT
//
// The OpenMP peer: `saguaro-bench-openmp-COMPILER BENCH N WORKERS` prints the seconds of the timed
// part. One source, built once by each compiler that has OpenMP: their runtimes cannot share a
// process.
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

#include <omp.h>
#include <tuple>
#include <type_traits>

namespace saguaro::bench {

namespace {

/// OpenMP tasks as the kernels see them: one thread of a team creates them, all run them.
struct task_runtime {
    static void enter(int workers, auto &&work) {
        omp_set_dynamic(0);
        omp_set_num_threads(workers);
#pragma omp parallel
#pragma omp single
        work();
    }

    template <typename f, typename g>
    static auto invoke(f &&left, g &&right) {
        if constexpr (std::is_void_v<std::invoke_result_t<f>>) {
#pragma omp task shared(left)
            left();
            right();
#pragma omp taskwait
        } else {
            std::invoke_result_t<f> a;
#pragma omp task shared(left, a)
            a = left();
            auto b = right();
#pragma omp taskwait
            return std::tuple(a, b);
        }
    }

    static void invoke(auto &&a, auto &&b, auto &&c, auto &&d) {
#pragma omp task shared(a)
        a();
#pragma omp task shared(b)
        b();
#pragma omp task shared(c)
        c();
        d();
#pragma omp taskwait
    }

    static void invoke(auto &&a, auto &&b, auto &&c, auto &&d, auto &&e, auto &&f, auto &&g) {
#pragma omp task shared(a)
        a();
#pragma omp task shared(b)
        b();
#pragma omp task shared(c)
        c();
#pragma omp task shared(d)
        d();
#pragma omp task shared(e)
        e();
#pragma omp task shared(f)
        f();
        g();
#pragma omp taskwait
    }

    static void spawn_all(long count, auto &&body) {
        for (long i = 0; i < count; i++) {
#pragma omp task shared(body)
            body(i);
        }
#pragma omp taskwait
    }
};

/// A loop needs the whole team at once, so it opens its own region; the threads are started
/// before the time is taken, as in all other variants.
struct loop_runtime {
    static void enter(int workers, auto &&work) {
        omp_set_dynamic(0);
        omp_set_num_threads(workers);
#pragma omp parallel
        {
        }
        work();
    }

    static void for_each(long first, long last, auto &&body) {
#pragma omp parallel for schedule(static)
        for (long i = first; i < last; i++) {
            body(i);
        }
    }
};

/// An empty region of a team.
struct empty_region {
    static constexpr int iterations = 1;
    explicit empty_region(int workers) { omp_set_num_threads(workers); }

    void operator()(entry_marks &marks) const {
#pragma omp parallel
        if (omp_get_thread_num() == 0) {
            marks.iterations[0]++;
        }
    }
};

struct loop_of_four {
    static constexpr int iterations = entry_iterations;
    explicit loop_of_four(int workers) { omp_set_num_threads(workers); }

    void operator()(entry_marks &marks) const {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < entry_iterations; i++) {
            marks.iterations[i]++;
        }
    }
};

const peer_entry entries[] = {
    {"fib",
     [](long n, int workers) { return measure_fib<task_runtime>(n, workers, fib<task_runtime>); }},
    {"nqueens",
     [](long n, int workers) {
         return measure_nqueens<task_runtime>(n, workers, nqueens<task_runtime>);
     }},
    {"cilksort",
     [](long n, int workers) {
         return measure_cilksort<task_runtime>(n, workers, cilksort<task_runtime>);
     }},
    {"matmul",
     [](long n, int workers) {
         return measure_product<task_runtime>(n, workers, matmul<task_runtime>);
     }},
    {"strassen",
     [](long n, int workers) {
         return measure_product<task_runtime>(n, workers, strassen<task_runtime>);
     }},
    {"heat",
     [](long n, int workers) {
         return measure_heat<task_runtime>(n, workers, heat<task_runtime>);
     }},
    {"loop",
     [](long n, int workers) {
         return measure_loop<loop_runtime>(n, workers, loop<loop_runtime>);
     }},
    {"entry-empty", measure_entry<empty_region>},
    {"entry-loop", measure_entry<loop_of_four>},
    {"entry-empty-8", measure_entry_of_eight<empty_region>},
    {"entry-loop-8", measure_entry_of_eight<loop_of_four>},
    {"phases-tree",
     [](long n, int workers) {
         return measure_phases<task_runtime>(n, workers, tree_of_leaves<task_runtime>);
     }},
    {"phases-loop",
     [](long n, int workers) {
         return measure_phases<loop_runtime>(n, workers, loop_of_leaves<loop_runtime>);
     }},
    {"phases-scope",
     [](long n, int workers) {
         return measure_phases<task_runtime>(n, workers, scope_of_leaves<task_runtime>);
     }},
};

} // namespace

} // namespace saguaro::bench

int main(int argc, char **argv) {
    return saguaro::bench::peer_main(argc, argv, saguaro::bench::entries);
}
