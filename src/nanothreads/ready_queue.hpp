// SPDX-License-Identifier: MIT
// The threads that are ready on one processor: its owner puts them in at either end and takes them
// at the front, thieves take some from the back.
//
// The owner pays no atomic read-modify-write and no fence: it says that it is inside (`inside_`),
// and looks whether a thief wants something (`request_`). A thief asks first, and an owner that
// comes by soon gives it threads. Otherwise the thief says that it wants to be inside itself, makes
// all processors pass a fence, and waits until the owner is outside. One of the two sees the other
// (platform/fence.hpp), so they are never inside together; README.md has the states, and
// models/ready_queue.pml searches them.
#pragma once

#include "nanothreads/thread.hpp"
#include "platform/fence.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::nanothreads {

// The fence of the side that runs often; the other side's is platform::heavy_fence.
inline void near_fence(bool real) {
    if (real) [[unlikely]]
        platform::real_fence();
    else
        platform::light_fence();
}

// Threads linked by `next`, `first` to `last`, and back by `previous`.
struct chain {
    thread *first = nullptr;
    thread *last = nullptr;
    std::size_t count = 0;
};

// All functions but `looks_empty` and `steal` are the owner's.
class ready_queue {
public:
    // The most threads that a thief takes at once: so many make its fence cheap, 1.3 to 11 µs, and
    // the owner waits for no more than so many cache misses.
    static constexpr std::size_t most_stolen = 128;

    // How often a thief that has asked looks for the answer before it takes: 0.2 to 2 µs, for a
    // pause of the processor is 10 to 140 cycles.
    static constexpr unsigned looks_for_answer = 50;

    // `real_fences`: the kernel has no asymmetric fence, or ThreadSanitizer is to hear of each.
    explicit ready_queue(bool real_fences) : real_fences_(real_fences) {}

    ready_queue(const ready_queue &) = delete;
    ready_queue &operator=(const ready_queue &) = delete;

    void push_front(thread &t) {
        enter();
        const std::size_t before = size();
        if (before != 0)
            front_->previous = &t;
        else
            back_ = &t;
        t.next = front_;
        front_ = &t;
        resize(before + 1);
        leave();
    }

    void push_back(thread &t) { push_back({&t, &t, 1}); }

    // All of a chain, in its order.
    void push_back(const chain &more) {
        enter();
        const std::size_t before = size();
        if (before != 0)
            back_->next = more.first;
        else
            front_ = more.first;
        more.first->previous = back_;
        back_ = more.last;
        resize(before + more.count);
        leave();
    }

    // The first thread; null if there is none.
    thread *pop() {
        return pop_if([](const thread &) { return true; });
    }

    // The first thread if it is one that has not begun; null if it has, or if there is none.
    thread *pop_fresh() {
        return pop_if([](const thread &t) { return t.now == state::fresh; });
    }

    // The first thread if wanted(thread); null if not, or if there is none. No thief gets in before
    // `wanted` returns.
    template <class Wanted>
    thread *pop_if(Wanted wanted) {
        // Thieves only take: it is true.
        return looks_empty() ? nullptr : pop_any_if(wanted);
    }

    // The same for an owner who has looked whether it is empty.
    template <class Wanted>
    thread *pop_any_if(Wanted wanted) {
        enter();
        thread *t = nullptr;
        if (const std::size_t before = size(); before != 0 && wanted(*front_)) {
            t = front_;
            front_ = t->next;
            resize(before - 1);
        }
        leave();
        return t;
    }

    // For anybody: a hint. For the owner it is true if it says so.
    bool looks_empty() const { return size() == 0; }

    // For other processors: half of the threads, from the back, at most `most_stolen`. The owner
    // does not give its last one, but after `looks` looks that is taken. Empty if there are none,
    // or if another thief is at it.
    chain steal(unsigned looks = looks_for_answer);

private:
    void enter() {
        // Relaxed: the fence orders it before the load.
        inside_.store(true, std::memory_order_relaxed);
        if (real_fences_) [[unlikely]]
            announce_and_fence();
        else
            platform::light_fence();
        // Acquire pairs with the release at the end of `take`, or with that of a later `asked`:
        // what the last thief left.
        const request seen = request_.load(std::memory_order_acquire);
        if (seen != request::none) [[unlikely]]
            answer(seen);
    }

    // As near_fence. A thief that takes what the owner puts in afterwards also sees all that the
    // owner has done before.
    [[gnu::noinline, gnu::cold]] void announce_and_fence() const {
        platform::hand_over(this);
        platform::real_fence();
    }

    void leave() {
        // Release pairs with the acquire in `take`: what the owner did is visible to the thief.
        inside_.store(false, std::memory_order_release);
    }

    // What the thief that is at it wants: README.md, "The ready queue".
    enum class request : std::uint8_t {
        none,
        asked,  // of the owner: threads in `gift_`
        giving, // the owner is at it
        given,  // `gift_` is the thief's
        taken,  // the thief is inside, or waits until the owner is outside
    };

    void answer(request seen);
    void enter_after_thief();
    chain take();
    chain receive();
    chain cut_from_back(std::size_t count);

    // Relaxed, both: who is inside alone changes it; outside it is a hint.
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }
    void resize(std::size_t size) { size_.store(size, std::memory_order_relaxed); }

    // Changed by who is inside. `next` of the last and `previous` of the first mean nothing, nor do
    // the first and the last of none.
    thread *front_ = nullptr;
    thread *back_ = nullptr;
    std::atomic<std::size_t> size_{0};
    std::atomic<bool> inside_{false}; // the owner is inside, or about to see that it must not be
    const bool real_fences_;

    // On another line: the owner reads it often, thieves write it seldom.
    alignas(64) std::atomic<request> request_{request::none};
    chain gift_;
    platform::spin_lock thieves_; // one at a time; only ever tried, so it may be held for long
};

} // namespace saguaro::nanothreads
