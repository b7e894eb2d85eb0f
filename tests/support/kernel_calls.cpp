// SPDX-License-Identifier: MIT
// The C library's `syscall` and `clock_gettime` for the whole program, between the library and the
// kernel.
#include "support/kernel_calls.hpp"

#include <cerrno>
#include <ctime>
#include <dlfcn.h>
#include <linux/futex.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::test_support {

futex_waits sleeps;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t goes_on = -1;

std::atomic<std::int64_t> stands_at{goes_on};

// Of pass_limits, which one thread uses.
std::size_t waits_to_pass = 0;
std::vector<std::int64_t> passed;

using syscall_function = long (*)(long, long, long, long, long, long, long);
using clock_function = int (*)(clockid_t, timespec *);

constinit std::atomic<syscall_function> real_syscall{nullptr};
constinit std::atomic<clock_function> real_clock_gettime{nullptr};

// Kept in `found`, whose constructor does nothing: a static variable with a guard would wait for
// another thread by syscall(), which is one of these functions. Relaxed: each thread finds the
// same.
template <class Function>
Function real(std::atomic<Function> &found, const char *name) {
    Function function = found.load(std::memory_order_relaxed);
    if (function == nullptr) {
        function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
        found.store(function, std::memory_order_relaxed);
    }
    return function;
}

std::int64_t in_ns(const timespec &time) {
    return static_cast<std::int64_t>(time.tv_sec) * second + time.tv_nsec;
}

std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return in_ns(now);
}

// Whether a wait until this time is one of those that are over at once.
bool passes(std::int64_t until) {
    if (waits_to_pass == 0)
        return false;
    if (passed.size() == waits_to_pass) {
        waits_to_pass = 0;
        stands_at = goes_on;
        return false;
    }
    passed.push_back(until - stands_at);
    stands_at = until;
    return true;
}

void count_this_wait() {
    thread_local bool is_counted = false;
    if (shared_count *const in = sleeps.count_in)
        in->add();
    shared_count *const in = sleeps.count_threads_in;
    if (in != nullptr && !is_counted) {
        is_counted = true;
        in->add();
    }
}

} // namespace

shared_count::shared_count()
    : value_(new(mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0)) {}

shared_count::~shared_count() {
    munmap(value_, sizeof(std::atomic<int>));
}

void shared_count::add() {
    ++*value_;
}

int shared_count::value() const {
    return *value_;
}

void shared_count::await(int least) const {
    while (*value_ < least)
        usleep(1000);
}

frozen_clock::frozen_clock() {
    stands_at = monotonic_ns();
}

frozen_clock::~frozen_clock() {
    stands_at = goes_on;
}

bool frozen_clock::advance(std::int64_t ns) {
    if (stands_at == goes_on)
        return false;
    stands_at += ns;
    return true;
}

const std::vector<std::int64_t> &pass_limits(std::size_t waits) {
    passed.clear();
    waits_to_pass = waits;
    stands_at = monotonic_ns();
    return passed;
}

} // namespace saguaro::test_support

// The C library's `syscall` by another declaration: it takes six arguments, though most calls have
// fewer, and AddressSanitizer would refuse to let va_arg read those that are not there.
extern "C" long stand_in_for_syscall(long number, long a, long b, long c, long d, long e,
                                     long f) noexcept __asm__("syscall");

extern "C" long stand_in_for_syscall(long number, long a, long b, long c, long d, long e,
                                     long f) noexcept {
    using namespace saguaro::test_support;
    const auto call = real(real_syscall, "syscall");
    long given[6] = {a, b, c, d, e, f};
    if (number != SYS_futex || (given[1] & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET)
        return call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    count_this_wait();
    if (given[3] != 0) {
        const std::int64_t until = in_ns(*reinterpret_cast<const timespec *>(given[3]));
        if (passes(until)) {
            errno = ETIMEDOUT;
            return -1;
        }
        const std::int64_t length = until - monotonic_ns();
        std::int64_t longest = sleeps.longest_ns;
        while (length > longest && !sleeps.longest_ns.compare_exchange_weak(longest, length)) {
        }
        if (sleeps.ignore_limits)
            given[3] = 0;
    }
    const bool is_for_good = given[3] == 0;
    sleeps.without_end += is_for_good;
    const long result = call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    const int error = errno;
    sleeps.without_end -= is_for_good;
    sleeps.woken += result == 0;
    errno = error;
    return result;
}

extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept {
    using namespace saguaro::test_support;
    const auto call = real(real_clock_gettime, "clock_gettime");
    const std::int64_t at = clock == CLOCK_MONOTONIC ? stands_at.load() : goes_on;
    if (at == goes_on)
        return call(clock, now);
    now->tv_sec = static_cast<time_t>(at / second);
    now->tv_nsec = static_cast<long>(at % second);
    return 0;
}
