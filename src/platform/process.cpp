// SPDX-License-Identifier: MIT
// Finding the C library's exit among the callers of a thread, and whether an object is static.
#include "platform/process.hpp"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <unwind.h>

// A program that is linked with -static has its own `exit` and nothing to look it up with.
#pragma weak dlsym

namespace saguaro::platform {

namespace {

using function = void (*)(int);

// The C library's. Not just its name: that may be a stub of the program's that jumps there.
std::uintptr_t exit_of_the_c_library() {
    void *const found = &dlsym != nullptr ? dlsym(RTLD_NEXT, "exit") : nullptr;
    const function named = &std::exit;
    return found != nullptr ? reinterpret_cast<std::uintptr_t>(found)
                            : reinterpret_cast<std::uintptr_t>(named);
}

struct search {
    const std::uintptr_t wanted;
    bool found = false;
};

_Unwind_Reason_Code look_at_caller(_Unwind_Context *frame, void *argument) {
    auto &looking_for = *static_cast<search *>(argument);
    looking_for.found = _Unwind_GetRegionStart(frame) == looking_for.wanted;
    return looking_for.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

} // namespace

bool thread_is_exiting() noexcept {
    search for_exit{exit_of_the_c_library()};
    _Unwind_Backtrace(look_at_caller, &for_exit);
    return for_exit.found;
}

bool may_be_static(const void *address) noexcept {
#if __GLIBC_PREREQ(2, 35)
    dl_find_object found;
    return _dl_find_object(const_cast<void *>(address), &found) == 0;
#else
    return address != nullptr;
#endif
}

} // namespace saguaro::platform
