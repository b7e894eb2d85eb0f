// SPDX-License-Identifier: MIT
// What gcc and clang call in code that they compile with -fsanitize=thread: the interface of
// ThreadSanitizer's runtime, whose place the detector takes.
#include "race/accesses.hpp"
#include "race/detector.hpp"

#include <cstddef>
#include <cstdint>

using namespace saguaro::race;

extern "C" {

void __tsan_init() {
    start();
}

// `place`: where the function was called. The last entry stays: deeper ones lack callers.
void __tsan_func_entry(void *place) {
    if (now.calls != nullptr) [[likely]]
        *now.call_top++ = address_of(place);
}

void __tsan_func_exit() {
    if (now.call_top != now.calls) [[likely]]
        --now.call_top;
}

// An access of a type's size, where it belongs or not.
#define SG_ALIGNED(name, kind, n)                                                                  \
    void __tsan_##name##n(void *at) {                                                              \
        check<access::kind, n>(address_of(at), SG_CALLER);                                         \
    }
#define SG_UNALIGNED(name, kind, n)                                                                \
    void __tsan_unaligned_##name##n(void *at) {                                                    \
        SG_ACCESSES(kind, at, n);                                                                  \
    }

#define SG_OF_EACH_NAME(define, n)                                                                 \
    define(read, read, n) define(write, write, n) define(read_write, write, n)                     \
        define(volatile_read, read, n) define(volatile_write, write, n)

#define SG_OF_EACH_SIZE(define)                                                                    \
    SG_OF_EACH_NAME(define, 1)                                                                     \
    SG_OF_EACH_NAME(define, 2)                                                                     \
    SG_OF_EACH_NAME(define, 4)                                                                     \
    SG_OF_EACH_NAME(define, 8)                                                                     \
    SG_OF_EACH_NAME(define, 16)

SG_OF_EACH_SIZE(SG_ALIGNED)
SG_OF_EACH_SIZE(SG_UNALIGNED)

void __tsan_read_range(void *at, std::size_t bytes) {
    SG_READS(at, bytes);
}

void __tsan_write_range(void *at, std::size_t bytes) {
    SG_WRITES(at, bytes);
}

// A destructor stores the pointer that is there already: no write that anybody could see.
void __tsan_vptr_update(void **at, void *value) {
    if (*at != value)
        check<access::write, sizeof(void *)>(address_of(at), SG_CALLER);
}

void __tsan_vptr_read(void **at) {
    check<access::read, sizeof(void *)>(address_of(at), SG_CALLER);
}

void __tsan_ignore_thread_begin() {
    ++now.off;
}

void __tsan_ignore_thread_end() {
    --now.off;
}

// clang calls these; gcc calls the C library's, which library.cpp wraps.
void *__tsan_memcpy(void *to, const void *from, std::size_t bytes) {
    SG_READS(from, bytes);
    SG_WRITES(to, bytes);
    return __builtin_memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, std::size_t bytes) {
    SG_READS(from, bytes);
    SG_WRITES(to, bytes);
    return __builtin_memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, std::size_t bytes) {
    SG_WRITES(to, bytes);
    return __builtin_memset(to, value, bytes);
}

// ---- Atomic operations ----

// One thread runs: the strictest order costs nothing that matters, whichever the program names.
#define SG_CHECK_ATOMIC(kind, at)                                                                  \
    check_range<access::kind>(address_of(at), sizeof(*(at)), {atomic_bit, SG_CALLER})

#define SG_CHANGE(bits, type, name, builtin)                                                       \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int) {                        \
        SG_CHECK_ATOMIC(write, at);                                                                \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                               \
    }

#define SG_COMPARE(bits, type, name)                                                               \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected,           \
                                                      type value, int, int) {                      \
        SG_CHECK_ATOMIC(write, at);                                                                \
        return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,           \
                                           __ATOMIC_SEQ_CST);                                      \
    }

#define SG_ATOMICS(bits, type)                                                                     \
    type __tsan_atomic##bits##_load(const volatile type *at, int) {                                \
        SG_CHECK_ATOMIC(read, at);                                                                 \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int) {                         \
        SG_CHECK_ATOMIC(write, at);                                                                \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    SG_CHANGE(bits, type, exchange, __atomic_exchange_n)                                           \
    SG_CHANGE(bits, type, fetch_add, __atomic_fetch_add)                                           \
    SG_CHANGE(bits, type, fetch_sub, __atomic_fetch_sub)                                           \
    SG_CHANGE(bits, type, fetch_and, __atomic_fetch_and)                                           \
    SG_CHANGE(bits, type, fetch_or, __atomic_fetch_or)                                             \
    SG_CHANGE(bits, type, fetch_xor, __atomic_fetch_xor)                                           \
    SG_CHANGE(bits, type, fetch_nand, __atomic_fetch_nand)                                         \
    SG_COMPARE(bits, type, strong)                                                                 \
    SG_COMPARE(bits, type, weak)                                                                   \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value,  \
                                                    int, int) {                                    \
        SG_CHECK_ATOMIC(write, at);                                                                \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST,                 \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }
SG_ATOMICS(8, std::uint8_t)
SG_ATOMICS(16, std::uint16_t)
SG_ATOMICS(32, std::uint32_t)
SG_ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int) {}
}
