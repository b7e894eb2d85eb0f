// SPDX-License-Identifier: MIT
#include "stacks/mapping_list.hpp"

namespace saguaro::stacks {

namespace {

std::atomic<mapping_list *> all_lists{nullptr};

static_assert(sizeof(all_lists) == sizeof(void *)); // debuggers read it as a pointer

// Puts `node`, whose link to the next is `link`, before the others. The list only grows.
template <typename node_type>
void push_front(std::atomic<node_type *> &first, node_type *node, node_type *node_type::*link) {
    // Relaxed: the exchange checks the value.
    node->*link = first.load(std::memory_order_relaxed);
    // Release pairs with the acquire loads in `find_guard` and `acquire_mapping_list`: who sees
    // the node sees its contents. Relaxed on failure, as above.
    while (!first.compare_exchange_weak(node->*link, node, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
}

} // namespace

// For debuggers that know no types (tools/gdb/saguaro.py): where the list of lists begins, and
// where its members are.
extern "C" [[gnu::used]] const struct {
    const void *lists;
    std::size_t first, next_list, sp, next, next_mapped;
} sg_debug_stacks{&all_lists,
                  offsetof(mapping_list, first),
                  offsetof(mapping_list, next_list),
                  offsetof(stack, ctx) + offsetof(context, sp),
                  offsetof(stack, next),
                  offsetof(stack, next_mapped)};

mapping_list *acquire_mapping_list(const char *setting) {
    // Acquire pairs with the release in `push_front`.
    for (mapping_list *list = all_lists.load(std::memory_order_acquire); list;
         list = list->next_list) {
        // Acquire pairs with the release in `abandon_mapping_list`: the list is seen empty.
        if (!list->in_use.exchange(true, std::memory_order_acquire)) {
            list->setting = setting;
            return list;
        }
    }
    mapping_list *list = new mapping_list;
    list->setting = setting;
    push_front(all_lists, list, &mapping_list::next_list);
    return list;
}

void abandon_mapping_list(mapping_list *list) {
    // Relaxed: a handler that runs at this moment is that of a fault elsewhere.
    list->first.store(nullptr, std::memory_order_relaxed);
    // Release pairs with the acquire in `acquire_mapping_list`.
    list->in_use.store(false, std::memory_order_release);
}

void add_mapping(mapping_list *list, stack *s) {
    push_front(list->first, s, &stack::next_mapped);
}

found_stack find_guard(const void *address) {
    const char *const at = static_cast<const char *>(address);
    // Acquire, twice: pairs with the release in `push_front`.
    for (const mapping_list *list = all_lists.load(std::memory_order_acquire); list;
         list = list->next_list)
        for (stack *s = list->first.load(std::memory_order_acquire); s; s = s->next_mapped)
            if (at < s->low && at >= s->low - s->guard_bytes)
                return {s, list->setting};
    return {nullptr, nullptr};
}

} // namespace saguaro::stacks
