// SPDX-License-Identifier: MIT
#include "stacks/pool.hpp"

#include "platform/memory.hpp"
#include "stacks/mapping_list.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <new>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) static_cast<void>(id)
#endif

namespace saguaro::stacks {

namespace {

// What is left for the first frames in the page of the descriptor. Not the same for all stacks:
// a multiple of 64 bytes, in turn, so that the first frames of many stacks do not all compete for
// the same few sets of the first-level cache (64 sets of 64 bytes on most processors).
constexpr std::size_t first_frames_bytes = 1536;
constexpr std::size_t colors = 16;

// ThreadSanitizer ends a program with 8128 threads and fibers. Half of them for one pool.
constexpr std::size_t most_stacks = SG_TSAN ? 4096 : std::numeric_limits<std::size_t>::max();

// Bytes of one mapping. An odd number of pages: the mappings lie side by side, and stacks a power
// of two apart would compete for few sets of the second-level cache.
std::size_t mapping_size(std::size_t stack_bytes, std::size_t extra_bytes) {
    const std::size_t descriptor = first_frames_bytes + colors * 64 + sizeof(stack);
    const std::size_t bytes =
        guard_bytes + stack_bytes + platform::round_to_pages(descriptor + extra_bytes);
    const std::size_t page = platform::page_size();
    return bytes / page % 2 == 0 ? bytes + page : bytes;
}

} // namespace

pool::pool(std::size_t stack_bytes, std::size_t extra_bytes, initializer init)
    : stack_bytes_(platform::round_to_pages(stack_bytes)),
      mapping_bytes_(mapping_size(stack_bytes_, extra_bytes)), init_(init),
      mappings_(acquire_mapping_list()), limit_(most_stacks) {}

pool::~pool() {
    // Relaxed: the destructor runs alone.
    stack *s = mappings_->first.load(std::memory_order_relaxed);
    abandon_mapping_list(mappings_);
    while (s) {
        stack *const next = s->next_mapped;
#if SG_ANNOTATE_STACKS
        forget_stack(*s);
#endif
        VALGRIND_STACK_DEREGISTER(s->valgrind_id);
        platform::release(s->low - guard_bytes, mapping_bytes_);
        s = next;
    }
}

stack *pool::take() {
    stack *s = nullptr;
    take_some(&s, 1);
    return s;
}

void pool::give(stack *s) {
    give_some(&s, 1);
}

std::size_t pool::mapped() const {
    const std::lock_guard guard(lock_);
    return mapped_;
}

void pool::limit(std::size_t stacks) {
    const std::lock_guard guard(lock_);
    limit_ = stacks;
}

unsigned pool::take_some(stack **out, unsigned most) {
    std::size_t number; // of the stack to be mapped
    {
        const std::lock_guard guard(lock_);
        unsigned taken = 0;
        for (; taken < most && free_; ++taken) {
            out[taken] = free_;
            free_ = free_->next;
        }
        if (taken > 0)
            return taken;
        if (mapped_ >= limit_)
            return 0;
        number = mapped_++;
    }
    out[0] = map_one(number);
    if (out[0])
        return 1;
    const std::lock_guard guard(lock_);
    --mapped_;
    return 0;
}

void pool::give_some(stack *const *stacks, unsigned count) {
    const std::lock_guard guard(lock_);
    for (unsigned i = 0; i < count; ++i) {
        stacks[i]->next = free_;
        free_ = stacks[i];
    }
}

// System calls and the user's function: without the lock.
stack *pool::map_one(std::size_t number) {
    char *const base = static_cast<char *>(platform::reserve(mapping_bytes_));
    if (!base)
        return nullptr;
    if (!platform::protect_none(base, guard_bytes)) {
        platform::release(base, mapping_bytes_);
        return nullptr;
    }
    char *const low = base + guard_bytes;
    char *const high = low + stack_bytes_ + first_frames_bytes + number % colors * 64;
    stack *const s = new (high) stack;
    s->low = low;
    s->valgrind_id = static_cast<unsigned>(VALGRIND_STACK_REGISTER(low, high));
    if (init_)
        init_(s);
    add_mapping(mappings_, s);
    return s;
}

cache::~cache() {
    pool_.give_some(at_hand_.data(), count_);
}

stack *cache::refill() {
    stack *some[capacity / 2];
    const unsigned count = pool_.take_some(some, capacity / 2);
    // The pool's first is the one to be used first: here that is the last.
    for (unsigned i = count; i > 0; --i)
        at_hand_[count_++] = some[i - 1];
    return count_ > 0 ? at_hand_[--count_] : nullptr;
}

void cache::spill() {
    constexpr unsigned oldest = capacity / 2;
    pool_.give_some(at_hand_.data(), oldest);
    std::copy(at_hand_.begin() + oldest, at_hand_.end(), at_hand_.begin());
    count_ -= oldest;
}

} // namespace saguaro::stacks
