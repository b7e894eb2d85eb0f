// SPDX-License-Identifier: MIT
// The handshake between the owner of a ready queue and a thief.
#include "nanothreads/ready_queue.hpp"

#include "platform/arch.hpp"

#include <algorithm>
#include <mutex>
#include <sched.h>

namespace saguaro::nanothreads {

namespace {

// Waits until the value is another. With as many threads as processors, or more, the other side may
// have been taken off its processor: then only giving up ours lets it go on. Acquire pairs with the
// release stores of the other side: of `inside_` in `leave` and `enter_after_thief`, of `request_`
// in `answer`, `take` and `steal`.
template <class T>
void wait_while(const std::atomic<T> &word, T value) {
    constexpr int spins_before_yield = 100;
    for (int spins = 0; word.load(std::memory_order_acquire) == value; ++spins)
        if (spins < spins_before_yield)
            platform::cpu_relax();
        else
            sched_yield();
}

} // namespace

// For the owner, inside, when a thief wants something. The last thread it keeps: two processors
// that ask each other for one would hand it to and fro.
void ready_queue::answer(request seen) {
    if (seen == request::asked && size() > 1 &&
        // Relaxed: nothing is told yet. Fails if the thief has begun to take.
        request_.compare_exchange_strong(seen, request::giving, std::memory_order_relaxed)) {
        gift_ = cut_from_back(std::min(size() / 2, most_stolen));
        // Release pairs with the acquire in `receive`.
        request_.store(request::given, std::memory_order_release);
    }
    if (seen == request::taken)
        enter_after_thief();
}

// The owner lets a thief in that came first.
void ready_queue::enter_after_thief() {
    do {
        // Release pairs with the acquire in wait_while. The owner has done nothing inside since.
        inside_.store(false, std::memory_order_release);
        wait_while(request_, request::taken);
        // As in `enter`. If it is asked meanwhile, that waits for its next `enter`.
        inside_.store(true, std::memory_order_relaxed);
        near_fence(real_fences_);
    } while (request_.load(std::memory_order_acquire) == request::taken);
}

chain ready_queue::steal(unsigned looks) {
    const std::unique_lock guard(thieves_, std::try_to_lock);
    if (!guard || looks_empty())
        return {};
    // Release pairs with the acquire in `enter`: the last gift has been read, and what the last
    // thief left in the list is visible, whose lock came before ours.
    request_.store(request::asked, std::memory_order_release);
    // Relaxed: `receive` acquires. A thief that is taken off its processor here may find its gift
    // late; nobody waits for it.
    for (; looks > 0 && request_.load(std::memory_order_relaxed) == request::asked; --looks)
        platform::cpu_relax();
    const request next = looks_empty() ? request::none : request::taken;
    request asked = request::asked;
    // Relaxed: in `take` the fence orders it before the loads of `inside_`.
    if (!request_.compare_exchange_strong(asked, next, std::memory_order_relaxed))
        return receive();
    return next == request::taken ? take() : chain{};
}

// For the thief: what the owner gives.
chain ready_queue::receive() {
    wait_while(request_, request::giving);
    const chain given = gift_;
    // Relaxed: the next `asked` is released behind it.
    request_.store(request::none, std::memory_order_relaxed);
    return given;
}

// For the thief, which has said `taken`.
chain ready_queue::take() {
    platform::heavy_fence();
    wait_while(inside_, true);
    const std::size_t half = (size() + 1) / 2;
    const chain taken = cut_from_back(std::min(half, most_stolen));
    // Release pairs with the acquire in `enter`.
    request_.store(request::none, std::memory_order_release);
    return taken;
}

chain ready_queue::cut_from_back(std::size_t count) {
    if (count == 0)
        return {};
    thread *first = back_;
    for (std::size_t i = 1; i < count; ++i)
        first = first->previous;
    const chain taken{first, back_, count};
    const std::size_t rest = size() - count;
    back_ = first->previous;
    resize(rest);
    return taken;
}

} // namespace saguaro::nanothreads
