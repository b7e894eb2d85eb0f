// SPDX-License-Identifier: MIT
// Blocks side by side, and a list of all slabs, readable in a signal handler.
//
// The list only grows, so that a reader needs no lock: what was known of a slab that has been
// unmapped is emptied and taken for another, never freed while anybody may read.
#pragma once

#include "platform/spin_lock.hpp"
#include "stacks/purpose.hpp"
#include "stacks/shape.hpp"
#include "stacks/stack.hpp"

#include <atomic>
#include <cstddef>

namespace saguaro::stacks {

struct slab {
    // ---- For readers of the list ----

    std::atomic<char *> first{nullptr};   // where the blocks begin; null: there are none
    std::atomic<stack *> stacks{nullptr}; // those that were built, newest first, by next_mapped
    slab *next_known = nullptr;           // constant once published
    std::size_t blocks = 0;               // this and what follows: constant while there are any
    shape form{};
    const purpose *use = nullptr;
    // Its blocks are addresses: a stack that is built commits what it uses, and what lies below
    // stays without access, as the guard.
    bool is_uncommitted = false;

    // ---- The group's, under its lock ----

    std::size_t cut = 0;    // blocks that have become stacks, or were refused a guard
    std::size_t in_use = 0; // of these, those that are neither free nor refused
    std::size_t warm = 0;   // of these, those that are neither cold nor refused
    slab *next = nullptr;

    std::size_t bytes() const { return blocks * form.block_bytes; }
};

// Maps that many blocks and lists them. Null: the system refuses.
slab *map_slab(const shape &form, const purpose &use, std::size_t blocks);

// Unmaps a slab on which nothing runs and of whose stacks nobody knows any more.
void unmap_slab(slab *of);

// Adds a stack that was built to its home's.
void list_stack(stack *s);

// Calls visit(stack &) for each stack of a slab that cannot be unmapped meanwhile.
template <class Visit>
void for_each_in(const slab &of, Visit visit) {
    // Acquire: pairs with the release in `list_stack`; the stack is built.
    for (stack *s = of.stacks.load(std::memory_order_acquire); s != nullptr; s = s->next_mapped)
        visit(*s);
}

// A stack, and what is known of it without looking at it.
struct found_stack {
    const stack *which = nullptr; // null: none was found
    const purpose *use = nullptr; // what it is for
    std::size_t bytes = 0;        // for frames
};

// The stack whose guard contains `address`. Async-signal-safe; linear in the number of slabs.
found_stack find_guard(const void *address);

// The calling thread's stack, if a frame on it has stepped over the guard: the stack pointer lies
// below the stack, by `longest_step` at most, and `address`, whose access has failed, between the
// two or no more than a page below the stack pointer. Async-signal-safe.
inline constexpr std::size_t longest_step = std::size_t{64} << 20;
found_stack find_stepped_over(const char *stack_pointer, const void *address);

// Held across a fork: a leaf. Guards the memory of slabs that were unmapped.
platform::spin_lock &spare_slabs_lock();

// Frees what is known of slabs that were unmapped, if there are no others. For the end of the
// library, when no handler reads the list.
void forget_unmapped_slabs();

} // namespace saguaro::stacks
