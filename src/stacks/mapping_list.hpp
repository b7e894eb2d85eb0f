// SPDX-License-Identifier: MIT
// The stacks of each pool, readable in a signal handler.
//
// One list for each pool, and a list of those lists. Both only grow, so that a reader needs no
// lock: the list of a pool that has ended is emptied and taken over by the next pool, never freed.
#pragma once

#include "stacks/stack.hpp"

#include <atomic>
#include <cstddef>

namespace saguaro::stacks {

// The stacks of one pool, newest first, linked by `next_mapped`.
struct mapping_list {
    std::atomic<stack *> first{nullptr};
    std::atomic<bool> in_use{true};    // by a pool
    mapping_list *next_list = nullptr; // constant once published
    const char *setting = nullptr;     // its user's, for the size; constant while it is in use
};

// An empty list for a new pool. Allocates if no former pool has left one.
mapping_list *acquire_mapping_list(const char *setting);

// For a pool that ends: empties the list. No other thread may run on its stacks any more.
void abandon_mapping_list(mapping_list *list);

// Adds a stack. From any thread.
void add_mapping(mapping_list *list, stack *s);

// Calls visit(stack &) for each stack in the list.
template <class Visit>
void for_each_in(const mapping_list &list, Visit visit) {
    // Acquire: pairs with the release in add_mapping; the stack is built.
    for (stack *s = list.first.load(std::memory_order_acquire); s != nullptr; s = s->next_mapped)
        visit(*s);
}

// A stack, and the setting that makes it larger.
struct found_stack {
    stack *which;
    const char *setting;
};

// The stack whose guard contains `address`, null if none has. Async-signal-safe; linear in the
// number of stacks.
found_stack find_guard(const void *address);

} // namespace saguaro::stacks
