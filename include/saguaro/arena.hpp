// SPDX-License-Identifier: MIT
// Regions of a program in which at most so many threads work at once.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/arena.h"
#include "saguaro/detail/exceptions.hpp"
#include "saguaro/run.hpp"

#include <cerrno>
#include <limits>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

namespace saguaro {

struct arena_options {
    // At most so many threads work in the arena, 1 or more; by default as many as there are.
    unsigned workers = std::numeric_limits<unsigned>::max();
};

// A region in which at most so many threads work at once. sg_arena_run in arena.h makes all the
// promises.
//
//     saguaro::arena background({.workers = 2});
//     background.run([&] { saguaro::parallel_for(files, compress); });
class arena {
public:
    // Throws std::system_error (EINVAL) for 0 workers, after a line on standard error, and
    // std::bad_alloc.
    explicit arena(const arena_options &chosen = {}) : state_(sg_arena_create(chosen.workers)) {
        if (state_ != nullptr)
            return;
        if (errno == ENOMEM)
            detail::throw_error<std::bad_alloc>();
        detail::throw_error<std::system_error>(EINVAL, std::generic_category(), "saguaro::arena");
    }

    // No call of `run` is under way, or the process ends with one line.
    ~arena() { sg_arena_destroy(state_); }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;

    // Calls f() and returns its result, or rethrows its exception, on the calling thread. Any
    // thread, in a run or outside; others help, as many as there are places.
    template <class F>
    auto run(F &&f) -> std::decay_t<std::invoke_result_t<F>> {
        return detail::call_by([this](void (*function)(void *),
                                      void *argument) { sg_arena_run(state_, function, argument); },
                               std::forward<F>(f));
    }

    // For how many threads it was made.
    unsigned workers() const noexcept { return sg_arena_workers(state_); }

private:
    sg_arena *const state_;
};

} // namespace saguaro
