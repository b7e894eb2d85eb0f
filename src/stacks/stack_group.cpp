// SPDX-License-Identifier: MIT
// Mapping and building stacks, and giving the memory of resting ones back.
#include "stacks/stack_group.hpp"

#include "platform/memory.hpp"
#include "platform/sanitizer.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <new>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0
#endif

namespace saguaro::stacks {

namespace {

// ThreadSanitizer ends a program with 8128 threads and fibers. Half of them for stacks.
std::size_t most_stacks() {
    return platform::has_thread_sanitizer() ? 4096 : std::numeric_limits<std::size_t>::max();
}

std::atomic<std::size_t> all_mapped{0}; // of all groups, with those that are being mapped

// A group maps as much again as it has, but not more than this at a time: a slab is unmapped as a
// whole.
constexpr std::size_t greatest_slab = 256;

} // namespace

stack *stack_group::pop(unsigned node) {
    for (const age each : {warm, cooling, stale, cold})
        if (stack *const s = free_.take_from(each, node))
            return s;
    return nullptr;
}

// First one that has no memory but its descriptor's.
stack_group::far_stack stack_group::pop_far(unsigned node) {
    for (const age each : {cold, stale, cooling, warm})
        for (unsigned other = 0; other < nodes; ++other)
            if (stack *const s = other != node ? free_.take_from(each, other) : nullptr)
                return {s, each != cold};
    return {};
}

void stack_group::adopt(const far_stack &s, unsigned node) const {
    if (s.has_memory)
        discard(*s.one);
    numa::bring(s.one, sizeof(stack) + form.kept_bytes, node);
    s.one->node = node;
}

std::int64_t stack_group::trim(std::int64_t now_ns) {
    // One at a time, without the lock, so that the others can be taken meanwhile.
    unsigned trimmed = 0;
    for (; trimmed < trimmed_at_once; ++trimmed) {
        stack *s;
        {
            const std::lock_guard guard(lock_);
            free_.grow_older(now_ns);
            s = free_.take_from_any(stale);
        }
        if (s == nullptr)
            break;
        chill(s);
    }
    if (trimmed > 0 && !use.is_looked_at)
        drop([this](const slab &one) { return one.warm == 0 && free_.cold_count() > most_cold; });
    const std::lock_guard guard(lock_);
    if (free_.has(stale))
        return 0;
    if (!free_.has(warm) && !free_.has(cooling))
        return -1;
    // Due already if what was stale was as much as is trimmed at once.
    return std::max<std::int64_t>(free_.next_aging_ns() - now_ns, 0);
}

// For a stack that was taken out of the lists.
void stack_group::chill(stack *s) {
    discard(*s);
    const std::lock_guard guard(lock_);
    free_.put(cold, s);
}

// The pages below the descriptor's, and those beyond what is to be kept. Asking the system first
// which of them were touched costs as much as this does where none was.
void stack_group::discard(stack &s) const {
    const auto page_of = [](char *address) { return block_of(address, platform::page_size()); };
    platform::discard(s.low, static_cast<std::size_t>(page_of(s.high()) - s.low));
    char *const extra = static_cast<char *>(s.extra());
    const std::size_t page = platform::page_size();
    char *const from = page_of(extra + form.kept_bytes + page - 1);
    // The last word is the user's.
    char *const last = page_of(reinterpret_cast<char *>(&top_word(&s, form.block_bytes)));
    char *const to = std::min(page_of(extra + form.extra_bytes + page - 1), last);
    if (from < to)
        platform::discard(from, static_cast<std::size_t>(to - from));
}

// System calls and the user's function: without the lock.
stack *stack_group::map() {
    // Relaxed, here and below: a count, no more.
    const std::size_t others = all_mapped.fetch_add(1, std::memory_order_relaxed);
    std::size_t there;
    {
        const std::lock_guard guard(lock_);
        there = mapped_++;
    }
    stack *s = nullptr;
    if (others < most_stacks())
        if (const piece from = find_block(there); from.block != nullptr)
            s = build(from);
    if (s == nullptr) {
        all_mapped.fetch_sub(1, std::memory_order_relaxed);
        const std::lock_guard guard(lock_);
        --mapped_;
    }
    return s;
}

bool stack_group::accepts_more() {
    return all_mapped.load(std::memory_order_relaxed) < most_stacks();
}

bool stack_group::add(std::size_t count) {
    if (!add_slab(count))
        return false;
    for (; count > 0; --count) {
        stack *const s = map();
        if (s == nullptr)
            return false;
        const std::lock_guard guard(lock_);
        free_.put(cold, s);
    }
    return true;
}

// Where all are cut, from a new slab of as many blocks as there are stacks, or fewer.
stack_group::piece stack_group::find_block(std::size_t slab_blocks) {
    const std::size_t most =
        std::clamp<std::size_t>(most_idle_bytes / form.block_bytes, 1, greatest_slab);
    slab_blocks = std::clamp<std::size_t>(slab_blocks, 1, most);
    for (;;) {
        if (const piece found = cut_block(); found.block != nullptr)
            return found;
        while (!add_slab(slab_blocks))
            if ((slab_blocks /= 2) == 0)
                return {};
    }
}

// None: all have become stacks.
stack_group::piece stack_group::cut_block() {
    std::unique_ptr<refused_block> again; // freed without the lock
    const std::lock_guard guard(lock_);
    piece cut{};
    if (refused_ != nullptr) {
        again.reset(std::exchange(refused_, refused_->next));
        cut = again->what;
    } else if (open_ != nullptr) {
        slab &s = *open_;
        // Relaxed: the slab is ours.
        cut = {s.first.load(std::memory_order_relaxed) + s.cut * form.block_bytes, &s};
        if (++s.cut == s.blocks) {
            open_ = s.next;
            s.next = std::exchange(full_, &s);
        }
    } else {
        return cut;
    }
    ++cut.home->in_use;
    ++cut.home->warm;
    return cut;
}

bool stack_group::add_slab(std::size_t blocks) {
    slab *const more = map_slab(form, use, blocks);
    if (more == nullptr)
        return false;
    const std::lock_guard guard(lock_);
    more->next = std::exchange(open_, more);
    return true;
}

stack *stack_group::build(const piece &from) {
    char *const guard_begin = form.guard_in(from.block);
    const bool is_guarded =
        from.home->is_uncommitted
            ? platform::commit(guard_begin + form.guard_bytes, form.used_bytes(from.block))
            : platform::guard(guard_begin, form.guard_bytes);
    if (!is_guarded) {
        refuse(from);
        return nullptr;
    }
    stack *const s = new (form.descriptor_in(from.block)) stack;
    s->low = guard_begin + form.guard_bytes;
    s->home = from.home;
    s->node = numa::node_index_here();
    s->valgrind_id = static_cast<unsigned>(VALGRIND_STACK_REGISTER(s->low, s->high()));
    introduce_stack(*s);
    if (use.build != nullptr)
        use.build(s);
    list_stack(s);
    return s;
}

// Kept for the next try, if there is memory to note it: else it is not used again before its slab.
void stack_group::refuse(const piece &what) {
    refused_block *const one = new (std::nothrow) refused_block{nullptr, what};
    const std::lock_guard guard(lock_);
    if (one != nullptr)
        one->next = std::exchange(refused_, one);
    --what.home->in_use;
    --what.home->warm;
}

// `forgotten` gets what is to be freed, without the lock.
void stack_group::forget_refused_of(const slab &of, refused_block *&forgotten) {
    for (refused_block **link = &refused_; *link != nullptr;)
        if (refused_block *const one = *link; one->what.home == &of) {
            *link = one->next;
            one->next = std::exchange(forgotten, one);
        } else {
            link = &one->next;
        }
}

// Unmaps slabs on which nothing runs, of which may(slab) is true, under the lock. Full ones are
// asked first: they have the most stacks for their addresses.
template <class May>
bool stack_group::drop(May may) {
    slab *dropped = nullptr;
    refused_block *forgotten = nullptr;
    {
        const std::lock_guard guard(lock_);
        for (slab **link : {&full_, &open_})
            while (slab *const one = *link)
                if (one->in_use == 0 && may(*one)) {
                    const std::size_t stacks = free_.forget(*one);
                    mapped_ -= stacks;
                    all_mapped.fetch_sub(stacks, std::memory_order_relaxed);
                    forget_refused_of(*one, forgotten);
                    *link = one->next;
                    one->next = std::exchange(dropped, one);
                } else {
                    link = &one->next;
                }
    }
    while (forgotten != nullptr)
        delete std::exchange(forgotten, forgotten->next);
    const bool any = dropped != nullptr;
    while (dropped != nullptr)
        unmap_slab(std::exchange(dropped, dropped->next));
    return any;
}

bool stack_group::drop_idle() {
    if (use.is_looked_at && users > 0)
        return false;
    return drop([](const slab &) { return true; });
}

void stack_group::retire(std::size_t &stacks_allowed, std::size_t &bytes_allowed) {
    drop([&](const slab &one) {
        if (one.cut == 0 || one.cut > stacks_allowed || one.bytes() > bytes_allowed)
            return true;
        stacks_allowed -= one.cut;
        bytes_allowed -= one.bytes();
        return false;
    });
    for (;;) {
        stack *s = nullptr;
        {
            const std::lock_guard guard(lock_);
            for (const age each : {warm, cooling, stale})
                if (s == nullptr)
                    s = free_.take_from_any(each);
        }
        if (s == nullptr)
            return;
        chill(s);
    }
}

} // namespace saguaro::stacks
