// SPDX-License-Identifier: MIT
#include "stacks/pool.hpp"

#include "platform/memory.hpp"
#include "stacks/mapping_list.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) static_cast<void>(id)
#endif

namespace saguaro::stacks {

// Blocks side by side in one mapping, cut from its beginning.
struct slab {
    char *first;
    std::size_t blocks;
    std::size_t cut; // under the pool's lock
    slab *next;      // as above
};

namespace {

// ThreadSanitizer ends a program with 8128 threads and fibers. Half of them for one pool.
constexpr std::size_t most_stacks =
    SG_THREAD_SANITIZER ? 4096 : std::numeric_limits<std::size_t>::max();

// A pool maps as much again as it has, but not more than this at a time.
constexpr std::size_t greatest_slab = std::size_t{256} << 20;

// Blocks begin at multiples of their size. The descriptors of stacks that are used in turn shall
// not all have the same place in their pages of page tables: where the class leaves room, the whole
// stack lies some pages higher, in turn.
constexpr std::size_t page_colors = 64;

void release_all(slab *first, std::size_t block_bytes) {
    while (first != nullptr) {
        platform::release(first->first, first->blocks * block_bytes);
        delete std::exchange(first, first->next);
    }
}

} // namespace

pool::pool(const shape &form, initializer init, const char *setting)
    : shape_(form), init_(init), mappings_(acquire_mapping_list(setting)), limit_(most_stacks) {}

pool::pool(std::size_t stack_bytes, std::size_t extra_bytes, initializer init)
    : pool(shape::for_frames(stack_bytes, extra_bytes), init) {}

pool::~pool() {
    // Relaxed: the destructor runs alone.
    stack *s = mappings_->first.load(std::memory_order_relaxed);
    abandon_mapping_list(mappings_);
    for (; s != nullptr; s = s->next_mapped) {
#if SG_ANNOTATE_STACKS
        forget_stack(*s);
#endif
        VALGRIND_STACK_DEREGISTER(s->valgrind_id);
    }
    release_all(open_, shape_.block_bytes);
    release_all(full_, shape_.block_bytes);
}

stack *pool::take() {
    stack *s = nullptr;
    take_some(&s, 1);
    return s;
}

void pool::give(stack *s) {
    give_some(&s, 1);
}

bool pool::prepare(std::size_t count) {
    if (count > 0 && !add_slab(count))
        return false;
    for (; count > 0; --count) {
        stack *const one = map_one();
        if (one == nullptr)
            return false;
        const std::lock_guard guard(lock_);
        free_[cold].push(one);
        ++free_count_;
    }
    return true;
}

std::size_t pool::mapped() const {
    const std::lock_guard guard(lock_);
    return mapped_;
}

std::size_t pool::in_use() const {
    const std::lock_guard guard(lock_);
    std::size_t idle = free_count_;
    for (const cache *c = caches_; c != nullptr; c = c->next_)
        idle += c->size();
    return mapped_ - std::min(idle, mapped_);
}

std::size_t pool::most_out() const {
    const std::lock_guard guard(lock_);
    return most_out_;
}

void pool::limit(std::size_t stacks) {
    const std::lock_guard guard(lock_);
    limit_ = stacks;
}

std::size_t pool::limit() const {
    const std::lock_guard guard(lock_);
    return limit_;
}

stack *pool::pop_free() {
    for (free_list &list : free_)
        if (stack *const s = list.pop()) {
            --free_count_;
            return s;
        }
    return nullptr;
}

unsigned pool::take_some(stack **out, unsigned most) {
    {
        const std::lock_guard guard(lock_);
        // Not all that there are: the next worker shall not have to map any.
        most = static_cast<unsigned>(std::min<std::size_t>(most, (free_count_ + 1) / 2));
        for (unsigned i = 0; i < most; ++i)
            out[i] = pop_free();
        most_out_ = std::max(most_out_, mapped_ - free_count_);
        if (most > 0)
            return most;
    }
    out[0] = map_one();
    if (out[0] == nullptr)
        return 0;
    const std::lock_guard guard(lock_);
    most_out_ = std::max(most_out_, mapped_ - free_count_);
    return 1;
}

void pool::give_some(stack *const *stacks, unsigned count) {
    const std::lock_guard guard(lock_);
    for (unsigned i = 0; i < count; ++i)
        free_[warm].push(stacks[i]);
    free_count_ += count;
}

std::int64_t pool::trim(std::int64_t now_ns) {
    // One at a time, without the lock, so that the others can be taken meanwhile.
    for (unsigned i = 0; i < trimmed_at_once; ++i) {
        stack *s;
        {
            const std::lock_guard guard(lock_);
            grow_older(now_ns);
            s = free_[stale].pop();
            if (s == nullptr)
                break;
            --free_count_;
        }
        discard(*s);
        const std::lock_guard guard(lock_);
        free_[cold].push(s);
        ++free_count_;
    }
    const std::lock_guard guard(lock_);
    if (free_[stale].first != nullptr)
        return 0;
    if (free_[warm].first == nullptr && free_[cooling].first == nullptr)
        return -1;
    return next_aging_ns_ - now_ns;
}

void pool::grow_older(std::int64_t now_ns) {
    if (now_ns < next_aging_ns_ || free_[stale].first != nullptr)
        return;
    next_aging_ns_ = now_ns + rest_period;
    free_[stale].first = std::exchange(free_[cooling].first, nullptr);
    free_[cooling].first = std::exchange(free_[warm].first, nullptr);
}

// The pages below the descriptor's, and those beyond what is to be kept. Asking the system first
// which of them were touched costs as much as this does where none was.
void pool::discard(stack &s) const {
    const auto page_of = [](char *address) { return block_of(address, platform::page_size()); };
    platform::discard(s.low, static_cast<std::size_t>(page_of(s.high()) - s.low));
    char *const extra = static_cast<char *>(s.extra());
    const std::size_t page = platform::page_size();
    char *const from = page_of(extra + shape_.kept_bytes + page - 1);
    // The last word is the user's.
    char *const last = page_of(reinterpret_cast<char *>(&top_word(&s, shape_.block_bytes)));
    char *const to = std::min(page_of(extra + shape_.extra_bytes + page - 1), last);
    if (from < to)
        platform::discard(from, static_cast<std::size_t>(to - from));
}

// System calls and the user's function: without the lock.
stack *pool::map_one() {
    std::size_t number;
    {
        const std::lock_guard guard(lock_);
        if (mapped_ >= limit_)
            return nullptr;
        number = mapped_++;
    }
    char *const block = find_block(number);
    stack *const s = block != nullptr ? build(block, number) : nullptr;
    if (s == nullptr) {
        const std::lock_guard guard(lock_);
        --mapped_;
    }
    return s;
}

// Where all are cut, from a new slab of as many blocks as there are stacks, or fewer.
char *pool::find_block(std::size_t slab_blocks) {
    const std::size_t most = std::max<std::size_t>(greatest_slab / shape_.block_bytes, 1);
    slab_blocks = std::clamp<std::size_t>(slab_blocks, 1, most);
    for (;;) {
        if (char *const block = cut_block())
            return block;
        while (!add_slab(slab_blocks))
            if ((slab_blocks /= 2) == 0)
                return nullptr;
    }
}

char *pool::cut_block() {
    const std::lock_guard guard(lock_);
    if (refused_ != nullptr)
        return std::exchange(refused_, *reinterpret_cast<char **>(refused_));
    if (open_ == nullptr)
        return nullptr;
    slab &s = *open_;
    char *const block = s.first + s.cut * shape_.block_bytes;
    if (++s.cut == s.blocks) {
        open_ = s.next;
        s.next = full_;
        full_ = &s;
    }
    return block;
}

bool pool::add_slab(std::size_t blocks) {
    if (blocks > std::numeric_limits<std::size_t>::max() / shape_.block_bytes)
        return false;
    const std::size_t bytes = blocks * shape_.block_bytes;
    void *const first = platform::reserve_aligned(bytes, shape_.block_bytes);
    if (first == nullptr)
        return false;
    slab *const more = new (std::nothrow) slab{static_cast<char *>(first), blocks, 0, nullptr};
    if (more == nullptr) {
        platform::release(first, bytes);
        return false;
    }
    const std::lock_guard guard(lock_);
    more->next = open_;
    open_ = more;
    return true;
}

stack *pool::build(char *block, std::size_t number) {
    const std::size_t pages = number % std::min(page_colors, shape_.slack_pages() + 1);
    char *const below = block + pages * platform::page_size();
    if (!platform::guard(below, shape_.guard_bytes)) {
        // Kept for the next try.
        const std::lock_guard guard(lock_);
        *reinterpret_cast<char **>(block) = refused_;
        refused_ = block;
        return nullptr;
    }
    char *const low = below + shape_.guard_bytes;
    char *const high =
        low + shape_.stack_bytes + first_frames_bytes + number % colors * color_bytes;
    stack *const s = new (high) stack;
    s->low = low;
    s->guard_bytes = static_cast<unsigned>(shape_.guard_bytes);
    s->valgrind_id = static_cast<unsigned>(VALGRIND_STACK_REGISTER(low, high));
    if (init_ != nullptr)
        init_(s);
    add_mapping(mappings_, s);
    return s;
}

cache::cache(pool &stacks, unsigned bound) : bound_(bound), pool_(stacks) {
    assert(bound >= 2 && bound <= capacity);
    const std::lock_guard guard(pool_.lock_);
    next_ = pool_.caches_;
    pool_.caches_ = this;
}

cache::~cache() {
    pool_.give_some(at_hand_.data(), size());
    const std::lock_guard guard(pool_.lock_);
    cache **link = &pool_.caches_;
    while (*link != this)
        link = &(*link)->next_;
    *link = next_;
}

stack *cache::refill() {
    stack *some[capacity / 2];
    const unsigned count = pool_.take_some(some, bound_ / 2);
    if (count == 0)
        return nullptr;
    // The pool's first is the one to be used first: here that is the last.
    std::reverse_copy(some + 1, some + count, at_hand_.begin());
    resize(count - 1);
    return some[0];
}

void cache::spill(unsigned oldest) {
    const unsigned count = size();
    if (oldest == 0)
        return;
    pool_.give_some(at_hand_.data(), oldest);
    std::copy(at_hand_.begin() + oldest, at_hand_.begin() + count, at_hand_.begin());
    resize(count - oldest);
}

} // namespace saguaro::stacks
