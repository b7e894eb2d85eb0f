// SPDX-License-Identifier: MIT
// The free stacks of a group, by their node of memory and by how long nobody has used them.
#pragma once

#include "stacks/slab.hpp"
#include "stacks/stack.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace saguaro::stacks {

// Nanoseconds after which a stack that nobody uses gives its memory back.
inline constexpr std::int64_t rest_period = 1'000'000'000;

// Each is in one list, that of its node and its age, and its slab counts it as not in use, and as
// not warm if it is cold. All under the group's lock.
class free_stacks {
public:
    // Stacks that nobody uses, the one given last first: given in this period; in the one before;
    // earlier, so that their memory is to be given back; those whose memory is the system's.
    enum age : std::size_t { warm, cooling, stale, cold, ages };

    explicit free_stacks(unsigned nodes) : nodes_(nodes), all_(new by_age[nodes]) {}

    void put(age how, stack *s);

    // Null: there is none.
    stack *take_from(age how, unsigned node);
    stack *take_from_any(age how);
    bool has(age how) const;

    // Those that nobody has used for another period are older, if one has passed and none is stale.
    void grow_older(std::int64_t now_ns);
    std::int64_t next_aging_ns() const { return next_aging_ns_; }

    // All stacks of the slab, which are free, are so no more: how many.
    std::size_t forget(const slab &of);

    std::size_t count() const { return count_; }
    std::size_t cold_count() const { return cold_count_; }

private:
    // Linked in both directions, because slabs take theirs out of the middle.
    struct free_list {
        stack *first = nullptr;

        void push(stack *s);
        void take_over(free_list &from);
        static void remove(stack *s);
    };

    using by_age = std::array<free_list, ages>;

    const unsigned nodes_;
    const std::unique_ptr<by_age[]> all_; // of each node
    std::size_t count_ = 0;
    std::size_t cold_count_ = 0; // of these
    std::int64_t next_aging_ns_ = 0;
};

inline void free_stacks::free_list::push(stack *s) {
    s->next = first;
    if (first != nullptr)
        first->link = &s->next;
    first = s;
    s->link = &first;
}

inline void free_stacks::free_list::remove(stack *s) {
    *s->link = s->next;
    if (s->next != nullptr)
        s->next->link = s->link;
}

inline void free_stacks::put(age how, stack *s) {
    all_[s->node][how].push(s);
    ++count_;
    --s->home->in_use;
    if (how == cold) {
        ++cold_count_;
        --s->home->warm;
    }
}

inline stack *free_stacks::take_from(age how, unsigned node) {
    stack *const s = all_[node][how].first;
    if (s == nullptr)
        return nullptr;
    free_list::remove(s);
    --count_;
    ++s->home->in_use;
    if (how == cold) {
        --cold_count_;
        ++s->home->warm;
    }
    return s;
}

} // namespace saguaro::stacks
