// SPDX-License-Identifier: MIT
#include "platform/futex.hpp"

#include <cerrno>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

std::uint32_t *address_of(std::atomic<std::uint32_t> &word) {
    static_assert(sizeof(word) == sizeof(std::uint32_t));
    return reinterpret_cast<std::uint32_t *>(&word);
}

} // namespace

bool futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected,
                std::chrono::nanoseconds timeout) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    timespec limit{};
    limit.tv_sec = whole.count();
    limit.tv_nsec = (timeout - whole).count();
    const bool limited = timeout >= std::chrono::nanoseconds(0);
    return syscall(SYS_futex, address_of(word), FUTEX_WAIT_PRIVATE, expected,
                   limited ? &limit : nullptr, nullptr, 0) == 0 ||
           errno != ETIMEDOUT;
}

int futex_wake(std::atomic<std::uint32_t> &word, int count) {
    return static_cast<int>(
        syscall(SYS_futex, address_of(word), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0));
}

} // namespace saguaro::platform
