// SPDX-License-Identifier: MIT
// Of several exceptions, the one that the serial program would have thrown.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace saguaro::detail {

// In a handler that catches everything: the exception. Aborts with one line if it is none that C++
// knows: pthread_exit and pthread_cancel unwind the stack, and may not be caught.
std::exception_ptr caught_error() noexcept;

// One pointer, null until the first offer: scopes are made far more often than exceptions.
class first_error {
public:
    first_error() = default;
    ~first_error() {
        if (any()) [[unlikely]]
            drop();
    }

    first_error(const first_error &) = delete;
    first_error &operator=(const first_error &) = delete;

    // Keeps `error` unless one with a smaller key has been offered. Keys grow in the serial order.
    // Any thread; the one that is dropped is destroyed here. Without memory the program ends.
    void offer(std::uint64_t key, std::exception_ptr error) noexcept;

    // Rethrows what was kept, if anything was, and forgets it. Only when nobody offers any more.
    void rethrow() {
        if (any()) [[unlikely]]
            throw_kept();
    }

    // Whether anything was kept. Exact when nobody offers any more; the caller has waited for all
    // who may have, so that the order of this load does not matter.
    bool any() const { return kept_.load(std::memory_order_relaxed) != nullptr; }

private:
    struct record;

    void drop();
    [[noreturn]] void throw_kept();

    std::atomic<record *> kept_{nullptr};
};

} // namespace saguaro::detail
