// SPDX-License-Identifier: MIT
// A pause, chosen at random, before each atomic operation of the library and of its tests: what
// every source of the preset `delays` is compiled with, and no other.
//
// A race needs one thread to stand between two steps while others go on; on an idle machine threads
// seldom do. Every step of a protocol is an atomic operation, so the pause is made there: this
// header puts another type in the place of std::atomic, and macros in the place of the builtins. No
// source knows of it, so an ordinary build has nothing of it.
//
// A seed chooses a sixteenth of the program's operations, by their places in the sources. Threads
// yield, compute or sleep there often, and seldom elsewhere: one operation that always waits shows
// more than all of them that wait now and then, and the next seed chooses others. main.cpp prints
// the seed; SG_DELAYS_SEED gives one, and 0 means no pauses. The choice is the same again for the
// same seed; the system's choice of threads is not. A place where a thread has paused often pauses
// it more rarely: otherwise one in a loop of millions takes minutes.
//
// All assignments by `=` count as one place, and so do all conversions to the value, and all of ++
// and its like. Nothing pauses before atomic_flag, which the library has for warnings only, and the
// other builtins. C sources are compiled with delays.h.
#pragma once

// The standard headers with atomic operations of their own, before the names below are replaced.
#include <atomic>
#include <barrier>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <future>
#include <iterator>
#include <latch>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <semaphore>
#include <shared_mutex>
#include <source_location>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace saguaro::test_support::delays {

inline constexpr char seed_variable[] = "SG_DELAYS_SEED";

// Of this process; its threads read it as they begin. Relaxed: main sets it before there are
// others.
inline std::atomic<std::uint64_t> seed{0};
inline std::atomic<std::uint64_t> threads{0};

// The state of the thread's random numbers; 0 before the first one.
inline thread_local constinit std::uint64_t random_state = 0;

// How often the thread has paused, at places with this remainder.
inline thread_local constinit std::uint32_t pauses[256] = {};

inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
    return x ^ (x >> 31U);
}

inline std::uint64_t next_random() {
    if (random_state == 0) [[unlikely]]
        random_state = mixed(seed.load(std::memory_order_relaxed) +
                             mixed(1 + threads.fetch_add(1, std::memory_order_relaxed)));
    random_state += 0x9e3779b97f4a7c15;
    return mixed(random_state);
}

// The calling thread, and those that begin later, have the delays of this seed.
inline void begin(std::uint64_t value) {
    threads.store(0, std::memory_order_relaxed);
    random_state = 0;
    seed.store(value, std::memory_order_relaxed);
}

// By no function that tests replace, and no point where a thread is cancelled.
[[gnu::noinline]] inline void pause(std::uint64_t random) {
    constexpr std::uint64_t longest_ns = 200'000;
    constexpr std::uint64_t seldom_ns = 3'000'000;
    const int error = errno;
    const auto kind = random % 8;
    random = mixed(random);
    if (kind < 4) {
        sched_yield();
    } else if (kind < 6) {
        for (std::uint64_t i = random % 4096; i != 0; --i)
            asm volatile("" ::: "memory");
    } else {
        int before = 0;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
        const std::uint64_t limit = random % 32 == 0 ? seldom_ns : longest_ns;
        const timespec time{0, static_cast<long>((random >> 8U) % limit)};
        nanosleep(&time, nullptr);
        pthread_setcancelstate(before, nullptr);
    }
    errno = error;
}

// Stands before an atomic operation: `place` says which.
[[gnu::noinline]] inline void step(std::uint64_t place) {
    constexpr std::uint64_t one_place_in = 16;
    constexpr std::uint64_t often = 4; // one time in so many
    constexpr std::uint64_t seldom = 2048;
    constexpr std::uint32_t slower_after = 8;
    const std::uint64_t from = seed.load(std::memory_order_relaxed);
    if (from == 0)
        return;
    const std::uint64_t where = mixed(from + mixed(place));
    std::uint32_t &before = pauses[place % std::size(pauses)];
    const std::uint64_t one_time_in =
        (where % one_place_in == 0 ? often : seldom) + before / slower_after;
    const std::uint64_t random = next_random();
    if (random % one_time_in == 0) [[unlikely]] {
        ++before;
        pause(mixed(random));
    }
}

// Two files' operations in one line and column are chosen together, which does no harm.
inline void step(const std::source_location &where) {
    step(std::uint64_t{where.column()} << 16U ^ where.line());
}

} // namespace saguaro::test_support::delays

namespace std { // NOLINT: the sources say std::

template <class T>
struct delayed_atomic : atomic<T> {
    using base = atomic<T>;
    using operand = conditional_t<is_pointer_v<T>, ptrdiff_t, T>;
    using here = source_location;

    constexpr delayed_atomic() = default;
    constexpr delayed_atomic(T value) : base(value) {} // NOLINT: as std::atomic's
    delayed_atomic(const delayed_atomic &) = delete;
    delayed_atomic &operator=(const delayed_atomic &) = delete;

    T operator=(T value) { // NOLINT: as std::atomic's
        store(value);
        return value;
    }
    operator T() const { return load(); } // NOLINT: as std::atomic's

    T operator++(int) { return fetch_add(1); }
    T operator--(int) { return fetch_sub(1); }
    T operator++() { return fetch_add(1) + 1; }
    T operator--() { return fetch_sub(1) - 1; }
    T operator+=(operand by) { return fetch_add(by) + by; }
    T operator-=(operand by) { return fetch_sub(by) - by; }

    T load(memory_order order = memory_order_seq_cst, here where = here::current()) const {
        wait_a_little(where);
        return base::load(order);
    }
    void store(T value, memory_order order = memory_order_seq_cst, here where = here::current()) {
        wait_a_little(where);
        base::store(value, order);
    }
    T exchange(T value, memory_order order = memory_order_seq_cst, here where = here::current()) {
        wait_a_little(where);
        return base::exchange(value, order);
    }
    bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst,
                               here where = here::current()) {
        wait_a_little(where);
        return base::compare_exchange_weak(expected, value, order);
    }
    bool compare_exchange_weak(T &expected, T value, memory_order order, memory_order failed,
                               here where = here::current()) {
        wait_a_little(where);
        return base::compare_exchange_weak(expected, value, order, failed);
    }
    bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst,
                                 here where = here::current()) {
        wait_a_little(where);
        return base::compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_strong(T &expected, T value, memory_order order, memory_order failed,
                                 here where = here::current()) {
        wait_a_little(where);
        return base::compare_exchange_strong(expected, value, order, failed);
    }
    T fetch_add(operand by, memory_order order = memory_order_seq_cst,
                here where = here::current()) {
        wait_a_little(where);
        return base::fetch_add(by, order);
    }
    T fetch_sub(operand by, memory_order order = memory_order_seq_cst,
                here where = here::current()) {
        wait_a_little(where);
        return base::fetch_sub(by, order);
    }
    T fetch_and(operand with, memory_order order = memory_order_seq_cst,
                here where = here::current()) {
        wait_a_little(where);
        return base::fetch_and(with, order);
    }
    T fetch_or(operand with, memory_order order = memory_order_seq_cst,
               here where = here::current()) {
        wait_a_little(where);
        return base::fetch_or(with, order);
    }
    T fetch_xor(operand with, memory_order order = memory_order_seq_cst,
                here where = here::current()) {
        wait_a_little(where);
        return base::fetch_xor(with, order);
    }

private:
    static void wait_a_little(const here &where) { saguaro::test_support::delays::step(where); }
};

// The operations that the library and its tests have.
template <class T>
struct delayed_atomic_ref : atomic_ref<T> {
    using base = atomic_ref<T>;
    using here = source_location;

    explicit delayed_atomic_ref(T &value) : base(value) {}

    T load(memory_order order = memory_order_seq_cst, here where = here::current()) const {
        saguaro::test_support::delays::step(where);
        return base::load(order);
    }
    void store(T value, memory_order order = memory_order_seq_cst,
               here where = here::current()) const {
        saguaro::test_support::delays::step(where);
        base::store(value, order);
    }
    bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst,
                                 here where = here::current()) const {
        saguaro::test_support::delays::step(where);
        return base::compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_strong(T &expected, T value, memory_order order, memory_order failed,
                                 here where = here::current()) const {
        saguaro::test_support::delays::step(where);
        return base::compare_exchange_strong(expected, value, order, failed);
    }
};

inline void delayed_thread_fence(memory_order order,
                                 source_location where = source_location::current()) {
    saguaro::test_support::delays::step(where);
    atomic_thread_fence(order);
}

} // namespace std

// For delays.h.
extern "C" [[gnu::used, gnu::visibility("default")]] inline void
saguaro_test_delay(unsigned place) {
    saguaro::test_support::delays::step(place);
}

#define atomic delayed_atomic
#define atomic_ref delayed_atomic_ref
#define atomic_thread_fence delayed_thread_fence
#define SG_DELAYED(operation, ...)                                                                 \
    (saguaro::test_support::delays::step(__LINE__), operation(__VA_ARGS__))
#define __atomic_load_n(...) SG_DELAYED(__atomic_load_n, __VA_ARGS__)
#define __atomic_store_n(...) SG_DELAYED(__atomic_store_n, __VA_ARGS__)
#define __atomic_exchange_n(...) SG_DELAYED(__atomic_exchange_n, __VA_ARGS__)
#define __atomic_fetch_add(...) SG_DELAYED(__atomic_fetch_add, __VA_ARGS__)
#define __atomic_compare_exchange_n(...) SG_DELAYED(__atomic_compare_exchange_n, __VA_ARGS__)
