// SPDX-License-Identifier: MIT
// The futex system calls: wait until a time, and wake.
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

constexpr int in_scope(int operation, futex_scope scope) {
    return scope == futex_scope::this_process ? operation | FUTEX_PRIVATE_FLAG : operation;
}

} // namespace

bool futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t until_ns,
                futex_scope scope) {
    constexpr std::int64_t second = 1'000'000'000;
    timespec limit{};
    limit.tv_sec = until_ns / second;
    limit.tv_nsec = until_ns % second;
    // The kernel takes a span for FUTEX_WAIT, and for FUTEX_WAIT_BITSET a point in CLOCK_MONOTONIC,
    // which is what now_ns() reads.
    return syscall(SYS_futex, address_of(word), in_scope(FUTEX_WAIT_BITSET, scope), expected,
                   until_ns >= 0 ? &limit : nullptr, nullptr, FUTEX_BITSET_MATCH_ANY) == 0 ||
           errno != ETIMEDOUT;
}

int futex_wake(std::atomic<std::uint32_t> &word, int count, futex_scope scope) {
    return static_cast<int>(syscall(SYS_futex, address_of(word), in_scope(FUTEX_WAKE, scope), count,
                                    nullptr, nullptr, 0));
}

} // namespace saguaro::platform
