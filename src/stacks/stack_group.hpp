// SPDX-License-Identifier: MIT
// All stacks of one class, of one shape and for one purpose, that the process has: shared by those
// who use them (pool.hpp).
//
// A stack is taken when something starts to run and given back when it ends; the one given last is
// taken first, because its pages are in the processor's cache. What rests for a second gives its
// memory back, and of what rests longer all but a little is unmapped.
//
// A stack is on the node of memory of the thread that has built it, and goes back to the free
// stacks of that node, whoever gives it. A thread on a node without free stacks adopts one of
// another.
#pragma once

#include "numa/near.hpp"
#include "platform/spin_lock.hpp"
#include "stacks/free_stacks.hpp"
#include "stacks/purpose.hpp"
#include "stacks/shape.hpp"
#include "stacks/slab.hpp"
#include "stacks/stack.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace saguaro::stacks {

// Stacks that stay mapped while they rest. Each has a page for its descriptor and up to two for the
// tables of its pages.
inline constexpr std::size_t most_cold = 256;

// Bytes of addresses that classes without a user may keep, all together, and of one slab.
inline constexpr std::size_t most_idle_bytes = std::size_t{256} << 20;

// Called from any thread.
class stack_group {
public:
    // Throws std::bad_alloc.
    stack_group(const shape &layout, const purpose &for_what)
        : form(layout), use(for_what), nodes(numa::node_count()), free_(nodes) {}

    stack_group(const stack_group &) = delete;
    stack_group &operator=(const stack_group &) = delete;

    const shape form;
    const purpose &use;
    const unsigned nodes;

    // A leaf: no system call and nothing of a user's runs under it.
    platform::spin_lock &lock() const { return lock_; }

    // ---- Under the lock ----

    // The stack of that node that was given last; null if none is free.
    stack *pop(unsigned node);

    // A free stack of another node, to be adopted without the lock; null if there is none.
    struct far_stack {
        stack *one;
        bool has_memory; // more than its descriptor's and what is kept
    };
    far_stack pop_far(unsigned node);

    // Takes back a stack on which nothing runs.
    void push(stack *s) { free_.put(free_stacks::warm, s); }

    std::size_t free() const { return free_.count(); }
    std::size_t mapped() const { return mapped_; }
    bool is_empty() const { return open_ == nullptr && full_ == nullptr; }

    // Calls visit(stack &) for each stack.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const slab *list : {open_, full_})
            for (; list != nullptr; list = list->next)
                for_each_in(*list, visit);
    }

    // ---- Without it ----

    // What pop_far gave is on this node from now on: it gives its memory back, and what is kept
    // moves. Some 2 µs, and as much for each page.
    void adopt(const far_stack &s, unsigned node) const;

    // One more stack. Null: the system refuses.
    stack *map();

    // Whether there may be more stacks in the process. ThreadSanitizer has a bound.
    static bool accepts_more();

    // Maps `count` more in one piece, and keeps them. False: the system refuses, and fewer are
    // there or none.
    bool add(std::size_t count);

    // See `pool`.
    std::int64_t trim(std::int64_t now_ns);
    void discard(stack &s) const;

    // Unmaps the slabs on which nothing runs, unless somebody may look at them. Returns whether
    // there were any.
    bool drop_idle();

    // For a group without users: keeps at most so many stacks and bytes, which are taken off what
    // is allowed, and gives their memory back.
    void retire(std::size_t &stacks_allowed, std::size_t &bytes_allowed);

    // ---- The list of all groups, under its lock: stack_groups.cpp ----

    stack_group *next = nullptr;
    std::size_t users = 0;
    bool is_closed = false; // nobody joins any more

private:
    using age = free_stacks::age;
    using enum free_stacks::age;
    static constexpr unsigned trimmed_at_once = 64;

    // A block that was cut from a slab.
    struct piece {
        char *block;
        slab *home;
    };

    // That the system gave no guard, or no memory.
    struct refused_block {
        refused_block *next;
        piece what;
    };

    void chill(stack *s);
    piece find_block(std::size_t slab_blocks);
    piece cut_block();
    bool add_slab(std::size_t blocks);
    stack *build(const piece &from);
    void refuse(const piece &what);
    void forget_refused_of(const slab &of, refused_block *&forgotten);
    template <class May>
    bool drop(May may);

    mutable platform::spin_lock lock_; // guards what follows
    free_stacks free_;
    std::size_t mapped_ = 0; // with those that are being mapped
    slab *open_ = nullptr;   // with blocks that are no stacks yet
    slab *full_ = nullptr;
    refused_block *refused_ = nullptr;
};

} // namespace saguaro::stacks
