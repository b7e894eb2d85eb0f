// SPDX-License-Identifier: MIT
// Of several exceptions, the one that the serial program would have thrown.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>

namespace saguaro::detail {

class first_error {
public:
    // Keeps `error` unless one with a smaller key has been offered. Keys grow in the serial order.
    // Any thread; the one that is dropped is destroyed here.
    void offer(std::uint64_t key, std::exception_ptr error) noexcept;

    // Rethrows what was kept, if anything was, and forgets it. Only when nobody offers any more.
    void rethrow() {
        if (error_ != nullptr) [[unlikely]]
            throw_kept();
    }

    // Whether anything was kept. Only when nobody offers any more.
    bool any() const { return error_ != nullptr; }

private:
    [[noreturn]] void throw_kept();

    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    std::atomic_flag busy_;
    std::uint64_t key_ = none;
    std::exception_ptr error_;
};

} // namespace saguaro::detail
