// SPDX-License-Identifier: MIT
// OpenMP's tasks and loops behind the interface that the kernels are written to.
#pragma once

#include <omp.h>
#include <tuple>
#include <type_traits>

namespace saguaro::bench {

/// OpenMP tasks as the kernels see them: one thread of a team creates them, all run them.
struct openmp_tasks {
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
struct openmp_loops {
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
        for (long i = first; i < last; i++)
            body(i);
    }
};

} // namespace saguaro::bench
