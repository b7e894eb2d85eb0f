// SPDX-License-Identifier: MIT
// Calls of a program's functions that may not end the thread they run on.
#pragma once

#include "platform/thread.hpp"

#include <cxxabi.h>

namespace saguaro::platform {

// Calls f(), which has to return: if pthread_exit or pthread_cancel unwinds it, the program aborts
// with one line, as by abort_with_thread. With libc++ glibc's unwinding crashes by itself: it is
// libgcc's, and asks functions of libc++abi's that work with LLVM's.
template <class F>
[[gnu::always_inline]] inline void call_until_return([[maybe_unused]] const char *what, F &&f) {
#if defined(_LIBCPP_VERSION)
    f();
#else
    try {
        f();
    } catch (abi::__forced_unwind &) {
        abort_with_thread(what);
    }
#endif
}

} // namespace saguaro::platform
