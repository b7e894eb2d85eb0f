// SPDX-License-Identifier: MIT
// The free stacks' lists: putting in, taking out, growing older.
#include "stacks/free_stacks.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::stacks {

void free_stacks::free_list::take_over(free_list &from) {
    first = std::exchange(from.first, nullptr);
    if (first != nullptr)
        first->link = &first;
}

stack *free_stacks::take_from_any(age how) {
    for (unsigned node = 0; node < nodes_; ++node)
        if (stack *const s = take_from(how, node))
            return s;
    return nullptr;
}

bool free_stacks::has(age how) const {
    return std::any_of(all_.get(), all_.get() + nodes_,
                       [how](const by_age &each) { return each[how].first != nullptr; });
}

void free_stacks::grow_older(std::int64_t now_ns) {
    if (now_ns < next_aging_ns_ || has(stale))
        return;
    next_aging_ns_ = now_ns + rest_period;
    for (unsigned node = 0; node < nodes_; ++node) {
        by_age &those = all_[node];
        those[stale].take_over(those[cooling]);
        those[cooling].take_over(those[warm]);
    }
}

std::size_t free_stacks::forget(const slab &of) {
    std::size_t stacks = 0;
    for_each_in(of, [&](stack &s) {
        free_list::remove(&s);
        ++stacks;
    });
    count_ -= stacks;
    cold_count_ -= stacks - of.warm;
    return stacks;
}

} // namespace saguaro::stacks
