// SPDX-License-Identifier: MIT
// Mapping slabs of stacks, and the list of them that handlers and debuggers read.
#include "stacks/slab.hpp"

#include "platform/memory.hpp"

#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_DEREGISTER(id) static_cast<void>(id)
#endif

namespace saguaro::stacks {

namespace {

std::atomic<slab *> all_slabs{nullptr};

static_assert(sizeof(all_slabs) == sizeof(void *)); // debuggers read it as a pointer

constinit platform::spin_lock spare_lock; // guards
slab *spare = nullptr;                    // those that were unmapped, linked by `next`

// Puts `node`, whose link to the next is `link`, before the others.
template <typename node_type>
void push_front(std::atomic<node_type *> &first, node_type *node, node_type *node_type::*link) {
    // Relaxed: the exchange checks the value.
    node->*link = first.load(std::memory_order_relaxed);
    // Release pairs with the acquire loads in `find_guard` and `for_each_in`: who sees the node
    // sees its contents. Relaxed on failure, as above.
    while (!first.compare_exchange_weak(node->*link, node, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
}

slab *take_spare() {
    const std::lock_guard guard(spare_lock);
    return spare == nullptr ? nullptr : std::exchange(spare, spare->next);
}

} // namespace

// For debuggers that know no types (tools/gdb/saguaro.py): where the list of slabs begins, and
// where its members are.
extern "C" [[gnu::used]] const struct {
    const void *slabs;
    std::size_t stacks, next_known, sp, next, next_mapped, use, what;
} sg_debug_stacks{&all_slabs,
                  offsetof(slab, stacks),
                  offsetof(slab, next_known),
                  offsetof(stack, ctx) + offsetof(context, sp),
                  offsetof(stack, next),
                  offsetof(stack, next_mapped),
                  offsetof(slab, use),
                  offsetof(purpose, what)};

slab *map_slab(const shape &form, const purpose &use, std::size_t blocks) {
    const std::size_t bytes = blocks * form.block_bytes;
    if (bytes / form.block_bytes != blocks)
        return nullptr;
    // One mapping for all stacks, if their guards take none and what nobody touches costs nothing.
    const bool commits_later = !platform::light_guards() || platform::untouched_memory_costs();
    void *const memory = commits_later
                             ? platform::reserve_aligned_addresses(bytes, form.block_bytes)
                             : platform::reserve_aligned(bytes, form.block_bytes);
    if (memory == nullptr)
        return nullptr;
    slab *const old = take_spare();
    slab *const one = old != nullptr ? old : new (std::nothrow) slab;
    if (one == nullptr) {
        platform::release(memory, bytes);
        return nullptr;
    }
    one->blocks = blocks;
    one->form = form;
    one->use = &use;
    one->is_uncommitted = commits_later;
    one->cut = one->in_use = one->warm = 0;
    // Release pairs with the acquire in `find_guard`: the above is seen with it.
    one->first.store(static_cast<char *>(memory), std::memory_order_release);
    if (old == nullptr)
        push_front(all_slabs, one, &slab::next_known);
    return one;
}

void unmap_slab(slab *of) {
    for_each_in(*of, [](stack &s) {
        forget_stack(s);
        VALGRIND_STACK_DEREGISTER(s.valgrind_id);
    });
    // Relaxed, both: debuggers stop the process; a handler that runs at this moment is that of a
    // fault elsewhere; and the lock below puts both before the next use of this slab.
    of->stacks.store(nullptr, std::memory_order_relaxed);
    platform::release(of->first.exchange(nullptr, std::memory_order_relaxed), of->bytes());
    const std::lock_guard guard(spare_lock);
    of->next = std::exchange(spare, of);
}

void list_stack(stack *s) {
    push_front(s->home->stacks, s, &stack::next_mapped);
}

namespace {

// Calls visit(first byte, bytes, shape, purpose) for each slab until it returns true.
template <class Visit>
void for_each_slab(Visit visit) {
    // Acquire, twice: pairs with the releases in `push_front` and `map_slab`.
    for (const slab *one = all_slabs.load(std::memory_order_acquire); one; one = one->next_known) {
        char *const first = one->first.load(std::memory_order_acquire);
        const shape form = one->form;
        const purpose *const use = one->use;
        const std::size_t bytes = one->bytes();
        // Unmapped meanwhile, or used for another: then what was read may be of both. Acquire keeps
        // the second look behind the first ones.
        std::atomic_thread_fence(std::memory_order_acquire);
        if (first == nullptr || first != one->first.load(std::memory_order_relaxed))
            continue;
        if (visit(first, bytes, form, *use))
            return;
    }
}

} // namespace

found_stack find_guard(const void *address) {
    const char *const at = static_cast<const char *>(address);
    found_stack found;
    for_each_slab([&](char *first, std::size_t bytes, const shape &form, const purpose &use) {
        if (at < first || at >= first + bytes)
            return false;
        char *const block = block_of(at, form.block_bytes);
        const char *const guard = form.guard_in(block);
        if (at >= guard && at < guard + form.guard_bytes)
            found = {reinterpret_cast<stack *>(form.descriptor_in(block)), &use, form.stack_bytes};
        return true;
    });
    return found;
}

found_stack find_stepped_over(const char *stack_pointer, const void *address) {
    const char *const at = static_cast<const char *>(address);
    found_stack found;
    for_each_slab([&](const char *first, std::size_t bytes, const shape &form, const purpose &use) {
        const stack *const mine = use.current != nullptr ? use.current() : nullptr;
        const char *const descriptor = reinterpret_cast<const char *>(mine);
        // Not a stack of a slab that has been replaced by another one meanwhile.
        if (descriptor < first || descriptor >= first + bytes ||
            descriptor != form.descriptor_in(block_of(descriptor, form.block_bytes)))
            return false;
        // A thread may have one of each purpose, one below a call of the other: the nearest is it.
        if (stack_pointer >= mine->low && stack_pointer < descriptor) {
            found = {};
            return true;
        }
        if (stack_pointer < mine->low && stack_pointer + longest_step > mine->low &&
            at < mine->low && at + platform::page_size() >= stack_pointer &&
            (found.which == nullptr || mine->low < found.which->low))
            found = {mine, &use, form.stack_bytes};
        return false;
    });
    return found;
}

platform::spin_lock &spare_slabs_lock() {
    return spare_lock;
}

void forget_unmapped_slabs() {
    // Relaxed, both: there is no group left that could map one.
    for (const slab *one = all_slabs.load(std::memory_order_relaxed); one; one = one->next_known)
        if (one->first.load(std::memory_order_relaxed) != nullptr)
            return;
    for (slab *one = all_slabs.exchange(nullptr, std::memory_order_relaxed); one;)
        delete std::exchange(one, one->next_known);
    spare = nullptr;
}

} // namespace saguaro::stacks
