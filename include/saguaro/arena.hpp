// SPDX-License-Identifier: MIT
// Regions of a program in which at most so many threads work at once, or those of a node of memory,
// before or after the rest of the program.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/arena.h"
#include "saguaro/detail/exceptions.hpp"
#include "saguaro/run.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace saguaro {

// Workers that look for work take what has a higher one first.
enum class arena_priority {
    low = SG_PRIORITY_LOW,
    normal = SG_PRIORITY_NORMAL, // that of all that is in no arena
    high = SG_PRIORITY_HIGH
};

struct arena_options {
    // At most so many threads work in the arena, 1 or more; by default as many as there are.
    unsigned workers = std::numeric_limits<unsigned>::max();
    // Of the workers, only those of this node of memory help; SG_ANY_NODE: all do.
    int node = SG_ANY_NODE;
    arena_priority priority = arena_priority::normal;
};

// A region in which at most so many threads work at once. sg_arena_create_for and sg_arena_run in
// arena.h make all the promises.
//
//     saguaro::arena background({.workers = 2, .priority = saguaro::arena_priority::low});
//     background.run([&] { saguaro::parallel_for(files, compress); });
class arena {
public:
    // Throws std::system_error (EINVAL) for 0 workers and for a node that does not take part, after
    // a line on standard error, and std::bad_alloc.
    explicit arena(const arena_options &chosen = {})
        : state_(
              sg_arena_create_for(chosen.workers, chosen.node, static_cast<int>(chosen.priority))) {
        if (state_ != nullptr)
            return;
        if (errno == ENOMEM)
            detail::throw_error<std::bad_alloc>();
        detail::throw_error<std::system_error>(EINVAL, std::generic_category(), "saguaro::arena");
    }

    // With the workers of a node of memory, one of `arena::nodes()`.
    static arena on_node(int number) { return arena({.node = number}); }

    // The nodes there are, ascending.
    static std::vector<int> nodes() {
        std::vector<int> all(sg_arena_nodes(nullptr, 0));
        all.resize(std::min(all.size(), sg_arena_nodes(all.data(), all.size())));
        return all;
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

    // Whose workers help; SG_ANY_NODE: all do.
    int node() const noexcept { return sg_arena_node(state_); }

    arena_priority priority() const noexcept {
        return static_cast<arena_priority>(sg_arena_priority(state_));
    }

private:
    sg_arena *const state_;
};

} // namespace saguaro
