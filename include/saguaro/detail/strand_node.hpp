// SPDX-License-Identifier: MIT
// Who a strand descends from: for pedigrees (pedigree.hpp) and for cancellation
// (cancellable_scope.hpp).
//
// Nobody pays for it who does not ask. The region's header points to the node of the strand that
// runs, or is null; then a spawn looks once and goes on. From where a pedigree_root or a
// cancellable_scope is made until it ends, every child gets a node, in its parent's frame or with
// its stack, which points to its parent's. Fork and join keep the parent's alive, but for one
// thing: what is spawned below a step of a loop, a function of parallel_invoke, a pedigree_root or
// a cancellable_scope must be synced before that ends, even if its scope is an older one.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/race_names.h"
#include "saguaro/detail/region.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::detail {

// Whether a scope was cancelled; the scope around it.
struct cancellation {
    std::atomic<bool> asked{false};
    const cancellation *outer = nullptr;

    // Whether this scope or one around it was cancelled. Any thread. Acquire: pairs with the
    // release in cancellable_scope::cancel; what was written before it is visible.
    bool holds() const {
        for (const cancellation *c = this; c != nullptr; c = c->outer)
            if (c->asked.load(std::memory_order_acquire))
                return true;
        return false;
    }
};

// A strand. Only `rank` changes, and only the strand itself changes it.
struct ancestor {
    // These two first: they are a __cilkrts_pedigree (cilk/cilk_api.h).
    std::uint64_t birth = 0; // the parent's rank when it spawned this one
    const ancestor *parent = nullptr;
    std::uint64_t rank = 0;  // of this strand's next event: a spawn, or a random number
    std::uint64_t sum = 0;   // DotMix's dot product of the births down to here
    std::uint64_t depth = 0; // 0: the root
    const cancellation *cancel = nullptr;

    // The node of the child that is this strand's event number `number`.
    ancestor child(std::uint64_t number) const;
    // That of the next: the rank goes up.
    SG_OWN_ACCESS ancestor next_child() { return child(rank++); }

    bool cancelled() const { return cancel != nullptr && cancel->holds(); }
};

// The node of the strand that runs; null if it has none. Outside the workers it is the thread's.
ancestor *strand_node();
void set_strand_node(ancestor *node);

// Whether the flow has a node: workers only, null outside.
inline bool has_strand_node() {
#if SG_RACE
    return strand_node() != nullptr;
#else
    return SG_REGION_GET(void *, strand_node) != nullptr;
#endif
}

// While it lives, the flow is the strand `self`. It may be continued by another worker meanwhile.
class as_strand {
public:
    explicit as_strand(ancestor &self) : before_(strand_node()) { set_strand_node(&self); }
    ~as_strand() { set_strand_node(before_); }
    as_strand(const as_strand &) = delete;
    as_strand &operator=(const as_strand &) = delete;
    static void *operator new(std::size_t) = delete;

private:
    ancestor *const before_;
};

// While it lives, the flow is the next child of the strand that it was, if that has a node.
class descend {
public:
    SG_OWN_ACCESS descend() : parent_(strand_node()) {
        if (parent_ != nullptr) {
            self_ = parent_->next_child();
            set_strand_node(&self_);
        }
    }
    SG_OWN_ACCESS ~descend() {
        if (parent_ != nullptr)
            set_strand_node(parent_);
    }
    descend(const descend &) = delete;
    descend &operator=(const descend &) = delete;
    static void *operator new(std::size_t) = delete;

    bool cancelled() const { return self_.cancelled(); }

private:
    ancestor *const parent_;
    ancestor self_;
};

} // namespace saguaro::detail
