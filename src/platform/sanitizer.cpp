// SPDX-License-Identifier: MIT
// Which sanitizer's runtime is in the process, by the names of its interface.
#include "platform/sanitizer.hpp"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

// Null where the runtime is not in the process, or does not have the function.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __msan_init();
[[gnu::weak]] void __hwasan_init();
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **, const void *, decltype(sizeof(0)));
[[gnu::weak]] void __tsan_switch_to_fiber(void *, unsigned);
[[gnu::weak]] void __lsan_ignore_object(const void *);
[[gnu::weak]] void __tsan_release(void *);
[[gnu::weak]] void __tsan_acquire(void *);
}

namespace saguaro::platform {

constinit unsigned char sanitizers_here = 0;

namespace {

// Before all constructors of the library that use what is told of here, and before the program's.
[[gnu::constructor(101)]] void look_for_sanitizers() {
    if (&__asan_init != nullptr && &__sanitizer_start_switch_fiber != nullptr)
        sanitizers_here |= address_sanitizer;
    if (&__tsan_init != nullptr && &__tsan_switch_to_fiber != nullptr &&
        &__tsan_release != nullptr && &__tsan_acquire != nullptr)
        sanitizers_here |= thread_sanitizer;
}

} // namespace

void ignore_leak(const void *made) {
    if (&__lsan_ignore_object != nullptr)
        __lsan_ignore_object(made);
}

bool is_looked_at_in_the_end() {
    return is_watched() || &__lsan_ignore_object != nullptr || RUNNING_ON_VALGRIND != 0;
}

const char *refusal_of_sanitizer() {
    if (&__msan_init != nullptr)
        return "MemorySanitizer would take all that this library writes for uninitialized: use "
               "AddressSanitizer or valgrind";
    if (&__hwasan_init != nullptr)
        return "HWAddressSanitizer cannot follow a switch of stacks: use AddressSanitizer";
    if (&__asan_init != nullptr && !has_address_sanitizer())
        return "this AddressSanitizer cannot follow a switch of stacks: use that of gcc 12 or "
               "clang 16, or a later one";
    if (&__tsan_init != nullptr && !has_thread_sanitizer())
        return "this ThreadSanitizer cannot follow a switch of stacks: use that of gcc 12 or "
               "clang 16, or a later one";
    return nullptr;
}

namespace detail {

void announce_handing_over(const void *what) {
    __tsan_release(const_cast<void *>(what));
}

void announce_taking_over(const void *what) {
    __tsan_acquire(const_cast<void *>(what));
}

} // namespace detail

} // namespace saguaro::platform
