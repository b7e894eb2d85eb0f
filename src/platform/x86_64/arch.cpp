// SPDX-License-Identifier: MIT
#include "platform/x86_64/arch.hpp"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

// HWCAP2_FSGSBASE of the kernel: programs may use the instructions rdgsbase and wrgsbase.
constexpr unsigned long hwcap2_fsgsbase = 1UL << 1;

bool have_instructions() {
    static const bool have = (getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
    return have;
}

} // namespace

void set_region_base(std::uintptr_t base) {
    if (have_instructions())
        __asm__ __volatile__("wrgsbase %0" : : "r"(base) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_GS, base);
}

std::uintptr_t region_base() {
    std::uintptr_t base = 0;
    if (have_instructions())
        __asm__ __volatile__("rdgsbase %0" : "=r"(base) : : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    return base;
}

} // namespace saguaro::platform

// ---- New threads ----

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SG_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SG_SANITIZED 1
#endif
#endif

#ifndef SG_SANITIZED

// The kernel copies the segment base to the threads that a thread creates, so a thread that a task
// creates would pass for the worker. Here the creator has none while it creates: a call of the C
// library's function, found once, and two instructions. Not with the sanitizers, which put their
// own function in this place: there, tasks must not create threads that use the runtime.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*function)(void *), void *argument) noexcept {
    using creator = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static const creator real = reinterpret_cast<creator>(dlsym(RTLD_NEXT, "pthread_create"));
    const std::uintptr_t base = saguaro::platform::region_base();
    if (base != 0)
        saguaro::platform::set_region_base(0);
    const int error = real(thread, attributes, function, argument);
    if (base != 0)
        saguaro::platform::set_region_base(base);
    return error;
}

#endif
