// SPDX-License-Identifier: MIT
// The descriptor of a nano-thread: one cache line, so that a million of them are 64 MB and no two
// processors write to the same line.
#pragma once

#include "saguaro/nanothreads.h"
#include "stacks/stack.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::nanothreads {

// What a thread does. Written by the processor that has the thread in hand; README.md says who may
// go from which to which.
enum class state : std::uint8_t {
    none,    // the descriptor is free (or has never been used: zeros)
    fresh,   // has not begun: ready, or waits for its dependences
    running, // on some processor
    left,    // ready to go on
    blocked, // in sg_nt_block
    joining, // in sg_nt_join
};

// More than one successor: on the heap, the threads behind the count.
struct successor_list {
    std::size_t count;
    sg_nt **threads() { return reinterpret_cast<sg_nt **>(this + 1); }
};

// `pending` of a thread that has begun and is not in a join: this much above what is outstanding,
// so that whoever satisfies dependences never finds none left before the thread waits for them.
inline constexpr std::uint32_t not_waiting = std::uint32_t{1} << 31;

} // namespace saguaro::nanothreads

struct alignas(64) sg_nt {
    sg_nt() = default;

    // Ready, or about to get its dependences. Its successors and its place in a queue are set by
    // those who know them.
    sg_nt(void (*f)(void *), void *a, saguaro::stacks::stack *s, std::uint16_t r)
        : function(f), argument(a), on(s), pending(saguaro::nanothreads::not_waiting), permits(0),
          expected(0), now(saguaro::nanothreads::state::fresh), has_many(false), run(r) {}

    void (*function)(void *);
    void *argument;
    sg_nt *next;                // in a ready queue or a list of free descriptors
    sg_nt *previous;            // in a ready queue; of free ones see descriptors.hpp
    saguaro::stacks::stack *on; // the stack that it runs on or was left on; DOS: from creation on
    union {
        sg_nt *successor; // null: none
        saguaro::nanothreads::successor_list *successors;
    };
    // Dependences that are not satisfied. See not_waiting.
    std::atomic<std::uint32_t> pending;
    // Unblocks less blocks: -1 if blocked.
    std::atomic<std::int32_t> permits;
    std::uint32_t expected; // by the next join; not yet in `pending`. The thread's own
    saguaro::nanothreads::state now;
    bool has_many;     // `successors`, not `successor`
    std::uint16_t run; // runtime::number() of its run; 0 in memory that none uses
};

namespace saguaro::nanothreads {

using thread = ::sg_nt;

static_assert(sizeof(thread) == 64);

} // namespace saguaro::nanothreads
