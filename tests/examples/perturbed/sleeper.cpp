// SPDX-License-Identifier: MIT
// Preloaded into a program (LD_PRELOAD), makes each of its processes sleep at random moments: when
// a timer interrupts it, whatever it does then, and before calls by which it waits or changes what
// it has mapped. SLEEPER_SEED=N says how often and for how long. Without it nothing sleeps.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace {

constexpr long microsecond = 1000;
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15; // 2^64 / the golden ratio

bool is_on = false;
timer_t timer;         // of this process: a fork begins without one, and so does an exec
long most_between = 0; // microseconds from one sleep to the next
long most_asleep = 0;

// Counts up by `golden`. Relaxed, here and below: it orders nothing, and each number is used once.
std::atomic<std::uint64_t> counter{0};

// splitmix64: may be called in a signal handler.
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

long below(long bound) {
    const std::uint64_t next = mixed(counter.fetch_add(golden, std::memory_order_relaxed));
    return static_cast<long>(next % static_cast<std::uint64_t>(bound));
}

void sleep_at_random() {
    const int interrupted_errno = errno;
    const timespec length{0, below(most_asleep) * microsecond};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
    errno = interrupted_errno;
}

void set_timer() {
    const itimerspec once{{0, 0}, {0, (1 + below(most_between)) * microsecond}};
    timer_settime(timer, 0, &once, nullptr);
}

void begin_timer() {
    if (timer_create(CLOCK_MONOTONIC, nullptr, &timer) != 0) // raises SIGALRM
        std::abort();
    set_timer();
}

void on_timer(int) {
    sleep_at_random();
    set_timer();
}

// The child has other random numbers than its parent and its siblings.
void before_fork() {
    below(1);
}
void in_child() {
    counter.store(mixed(counter.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    begin_timer();
}

[[gnu::constructor]] void begin() {
    const char *const seed = std::getenv("SLEEPER_SEED");
    if (seed == nullptr)
        return;
    counter.store(mixed(std::strtoull(seed, nullptr, 10)), std::memory_order_relaxed);
    most_between = 50L << below(7);
    most_asleep = 20L << below(7);
    is_on = true;
    struct sigaction action = {};
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    pthread_atfork(before_fork, nullptr, in_child);
    begin_timer();
}

// Before one call in four.
void before_call() {
    if (is_on && below(4) == 0)
        sleep_at_random();
}

template <typename Function>
Function *next_one(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

int sched_yield() noexcept {
    static const auto real = next_one<int()>("sched_yield");
    before_call();
    return real();
}

int mprotect(void *address, std::size_t size, int protection) noexcept {
    static const auto real = next_one<int(void *, std::size_t, int)>("mprotect");
    before_call();
    return real(address, size, protection);
}

// Futexes above all. Whatever there is of arguments is among the first six.
long syscall(long number, ...) noexcept {
    static const auto real = next_one<long(long, long, long, long, long, long, long)>("syscall");
    va_list given;
    va_start(given, number);
    long words[6];
    for (long &word : words)
        word = va_arg(given, long);
    va_end(given);
    before_call();
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

} // extern "C"
