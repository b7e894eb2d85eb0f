// SPDX-License-Identifier: MIT
// Taking stacks from the group for one user, counting and limiting them.
#include "stacks/pool.hpp"

#include "stacks/stack_groups.hpp"

#include <cassert>
#include <utility>

namespace saguaro::stacks {

pool::pool(const shape &form, const purpose &use) : group_(join(form, use)) {}

pool::pool(std::size_t stack_bytes, std::size_t extra_bytes, const purpose &use)
    : pool(shape::for_frames(stack_bytes, extra_bytes), use) {}

pool::~pool() {
    if (out_ > 0)
        recall();
    leave(group_);
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
    std::size_t missing;
    {
        const std::lock_guard guard(group_.lock());
        if (count > limit_ - std::min(out_, limit_))
            return false;
        missing = count - std::min(group_.free(), count);
        prepared_ = std::max(prepared_, out_ + count);
    }
    return missing == 0 || group_.add(missing) || (drop_elsewhere(group_) && prepare(count));
}

std::size_t pool::mapped() const {
    const std::lock_guard guard(group_.lock());
    return group_.mapped();
}

std::size_t pool::in_use() const {
    const std::lock_guard guard(group_.lock());
    std::size_t idle = 0;
    for (const cache *c = caches_; c != nullptr; c = c->next_)
        idle += c->size();
    return out_ - std::min(idle, out_);
}

std::size_t pool::most_out() const {
    const std::lock_guard guard(group_.lock());
    return most_out_;
}

void pool::limit(std::size_t stacks) {
    const std::lock_guard guard(group_.lock());
    limit_ = stacks;
}

bool pool::is_at_limit() const {
    const std::lock_guard guard(group_.lock());
    return out_ >= limit_ || !stack_group::accepts_more();
}

// Under the lock. Not all that are free: the next worker shall not have to map any. And not more
// at once than if nobody else used the class: what others need is left to them.
unsigned pool::take_free(stack **out, unsigned most, unsigned node) {
    const std::size_t had = std::max({most_out_, prepared_, out_});
    const std::size_t some = (std::min(group_.free(), had - out_) + 1) / 2;
    most = static_cast<unsigned>(
        std::min(std::clamp<std::size_t>(some, 1, most), limit_ - std::min(out_, limit_)));
    unsigned taken = 0;
    while (taken < most) {
        stack *const s = group_.pop(node);
        if (s == nullptr)
            break;
        s->holder = this;
        out[taken++] = s;
    }
    return taken;
}

unsigned pool::take_some(stack **out, unsigned most) {
    const unsigned node = numa::node_index_here();
    stack_group::far_stack far{};
    {
        const std::lock_guard guard(group_.lock());
        const unsigned taken = take_free(out, most, node);
        if (taken == 0 && out_ >= limit_)
            return 0;
        out_ += std::max(taken, 1u);
        if (taken > 0) {
            most_out_ = std::max(most_out_, out_);
            return taken;
        }
        far = group_.pop_far(node);
    }
    if (far.one != nullptr)
        group_.adopt(far, node);
    out[0] = far.one != nullptr ? far.one : map();
    const std::lock_guard guard(group_.lock());
    if (out[0] == nullptr) {
        --out_;
        return 0;
    }
    out[0]->holder = this;
    most_out_ = std::max(most_out_, out_);
    return 1;
}

stack *pool::map() {
    stack *const s = group_.map();
    return s == nullptr && drop_elsewhere(group_) ? group_.map() : s;
}

void pool::give_some(stack *const *stacks, unsigned count) {
    const std::lock_guard guard(group_.lock());
    for (unsigned i = 0; i < count; ++i) {
        stacks[i]->holder = nullptr;
        group_.push(stacks[i]);
    }
    out_ -= count;
}

// What this user has left behind, as if it were new.
void pool::recall() {
    stack *left = nullptr;
    for_each_taken([&](stack &s) { s.next = std::exchange(left, &s); });
    while (left != nullptr) {
        stack *const s = std::exchange(left, left->next);
        forget_frames(*s);
        if (group_.use.build != nullptr)
            group_.use.build(s);
        give(s);
    }
}

cache::cache(pool &stacks, unsigned bound) : bound_(bound), pool_(stacks) {
    assert(bound >= 2 && bound <= capacity);
    const std::lock_guard guard(pool_.group_.lock());
    next_ = pool_.caches_;
    pool_.caches_ = this;
}

cache::~cache() {
    pool_.give_some(at_hand_.data(), size());
    const std::lock_guard guard(pool_.group_.lock());
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

void cache::thin_out(unsigned kept) {
    const unsigned oldest = size() - std::min(size(), kept);
    for (unsigned i = 0; i < oldest; ++i)
        pool_.discard(*at_hand_[i]);
    spill(oldest);
}

void cache::send_far_home() {
    const unsigned here = numa::node_index_here();
    for (unsigned count = size(); count > 0 && at_hand_[count - 1]->node != here;) {
        resize(--count);
        pool_.give(at_hand_[count]);
    }
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
