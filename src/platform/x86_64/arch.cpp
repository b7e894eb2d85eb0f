// SPDX-License-Identifier: MIT
#include "platform/x86_64/arch.hpp"

#include "saguaro/sanitizers.h"

#include <asm/prctl.h>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <threads.h>
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
    else if (syscall(SYS_arch_prctl, ARCH_SET_GS, base) != 0) {
        std::fputs("saguaro: the kernel refuses a worker's segment base: no room for its region "
                   "above the library's\n",
                   stderr);
        std::_Exit(1);
    }
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

#if !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER

// Null but in a static program.
extern "C" [[gnu::weak]] decltype(pthread_create) __pthread_create;
extern "C" [[gnu::weak]] decltype(thrd_create) __thrd_create;

// The kernel copies the segment base to the threads that a thread creates, so a thread that a task
// creates would pass for the worker. Here the creator has none while it creates: a call of the C
// library's function, found once, and two instructions. The shared library exports these functions
// without a version, or the dynamic linker would pass them over where a library asks for the C
// library's. In a program that is linked with -static there is no next one to look for: glibc's
// archive has its functions under a second name as well, which the link must ask for (-u
// __pthread_create). Not with the sanitizers, which put their own function in this place: there,
// tasks must not create threads that use the runtime.

namespace {

template <class Creator>
Creator c_librarys(const char *name, Creator in_archive) {
    if (in_archive != nullptr)
        return in_archive;
    void *const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr,
                     "saguaro: no %s behind this one: link without -static, or with "
                     "-Wl,-u,__pthread_create,-u,__thrd_create\n",
                     name);
        std::_Exit(1);
    }
    return reinterpret_cast<Creator>(found);
}

template <class Creator, class... Arguments>
int create_outside(Creator create, Arguments... arguments) {
    const std::uintptr_t base = saguaro::platform::region_base();
    if (base != 0)
        saguaro::platform::set_region_base(0);
    const int result = create(arguments...);
    if (base != 0)
        saguaro::platform::set_region_base(base);
    return result;
}

} // namespace

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*function)(void *), void *argument) noexcept {
    static const auto real = c_librarys("pthread_create", &__pthread_create);
    return create_outside(real, thread, attributes, function, argument);
}

// The C library's own goes a way inside that passes the one above by.
extern "C" int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    static const auto real = c_librarys("thrd_create", &__thrd_create);
    return create_outside(real, thread, function, argument);
}

#endif
