// SPDX-License-Identifier: MIT
// Saguaro behind the interface that the kernels are written to.
#pragma once

#include <saguaro/saguaro.hpp>

#include <utility>

namespace saguaro::bench {

/// Saguaro as the kernels see it. Its workers live as long as one run: those of a finished variant
/// must not spin beside the next one.
struct saguaro_runtime {
    static void enter(int workers, auto &&work) {
        saguaro::options chosen{};
        chosen.workers = static_cast<unsigned>(workers);
        saguaro::start(chosen);
        saguaro::run(work);
        saguaro::stop();
    }

    static auto invoke(auto &&...functions) {
        return saguaro::parallel_invoke(std::forward<decltype(functions)>(functions)...);
    }

    static void for_each(long first, long last, auto &&body) {
        saguaro::parallel_for(first, last, body);
    }

    static void spawn_all(long count, auto &&body) {
        saguaro::scope children;
        for (long i = 0; i < count; i++)
            children.spawn([&body, i] { body(i); });
        children.sync();
    }
};

} // namespace saguaro::bench
