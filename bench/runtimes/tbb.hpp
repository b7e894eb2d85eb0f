// SPDX-License-Identifier: MIT
// oneTBB behind the interface that the kernels are written to.
#pragma once

#include <cstddef>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tuple>
#include <type_traits>

namespace saguaro::bench {

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
        for (long i = 0; i < count; i++)
            children.run([&body, i] { body(i); });
        children.wait();
    }
};

} // namespace saguaro::bench
