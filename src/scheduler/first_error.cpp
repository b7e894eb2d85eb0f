// SPDX-License-Identifier: MIT
#include "saguaro/first_error.hpp"

#include "platform/arch.hpp"

#include <utility>

namespace saguaro::detail {

void first_error::offer(std::uint64_t key, std::exception_ptr error) noexcept {
    // Acquire and release pair with each other: offers are one after the other.
    while (busy_.test_and_set(std::memory_order_acquire))
        platform::cpu_relax();
    if (error_ == nullptr || key < key_) {
        std::swap(error_, error);
        key_ = key;
    }
    busy_.clear(std::memory_order_release);
    // What was dropped dies with the parameter, outside the lock.
}

void first_error::throw_kept() {
    key_ = none;
    std::rethrow_exception(std::exchange(error_, nullptr));
}

} // namespace saguaro::detail
