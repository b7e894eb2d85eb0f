// SPDX-License-Identifier: MIT
// The children of scopes outside of any run, as the library keeps them. For scope.hpp.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/spawn.hpp"
#include "saguaro/detail/strand_node.hpp"

#include <cstdint>

namespace saguaro {

class scope;

namespace detail {

// A child that was spawned outside of any run: it waits in the heap until a worker begins it.
struct outside_child {
    explicit outside_child(child_entry first) : entry(first) {}
    virtual ~outside_child() = default;
    outside_child(const outside_child &) = delete;
    outside_child &operator=(const outside_child &) = delete;

    // Calls the closure.
    virtual void call() = 0;

    const child_entry entry; // calls end_outside_child, as a child
    scope *owner = nullptr;
    std::uint64_t key = 0;
    bool has_node = false;
    ancestor node{}; // the child's, if it has one
    outside_child *next = nullptr;
};

// Whether the calling thread is outside of any run.
bool is_outside() noexcept;

// Takes over `child`, child number `key` of `owner`, which was made outside of any run, where the
// caller is. A worker begins it, or the sync does.
void spawn_outside(scope &owner, std::uint64_t key, outside_child &child) noexcept;

// Waits for what was spawned so; keeps exceptions.
void wait_outside(scope &owner) noexcept;

// On the flow of the child: calls it if it `runs`, keeps its exception, and frees it.
void end_outside_child(outside_child &child, bool runs) noexcept;

} // namespace detail

} // namespace saguaro
