// SPDX-License-Identifier: MIT
// The thread's exception state in the C++ runtime: the exceptions that were caught, and how many
// are on their way (__cxa_eh_globals of the Itanium C++ ABI). They belong to the flow, which may
// wait in a handler: it takes them with it.
#pragma once

#include <cstdint>
#include <cxxabi.h>
#include <utility>

#if defined(_LIBCPP_VERSION)
// A function of the ABI that the header of libc++ leaves out.
namespace __cxxabiv1 {
extern "C" void *__cxa_get_globals() noexcept;
}
#endif

namespace saguaro::stacks {

// The calling thread's two words. They stay where they are until the thread ends.
inline void **exceptions_of_this_thread() {
    return reinterpret_cast<void **>(abi::__cxa_get_globals());
}

// Those of a flow that does not run. Null: none.
struct kept_exceptions {
    void *caught = nullptr;
    void *uncaught = nullptr;
};

inline bool has_exceptions(void *const *of_thread) {
    // One branch: there are none as a rule.
    return (reinterpret_cast<std::uintptr_t>(of_thread[0]) |
            reinterpret_cast<std::uintptr_t>(of_thread[1])) != 0;
}

// Takes them from a thread, which is left as one without any.
inline kept_exceptions take_exceptions(void **of_thread) {
    return {std::exchange(of_thread[0], nullptr), std::exchange(of_thread[1], nullptr)};
}

// Gives them to the thread on which the flow goes on.
inline void give_exceptions(void **to_thread, const kept_exceptions &kept) {
    to_thread[0] = kept.caught;
    to_thread[1] = kept.uncaught;
}

// How many handlers an exception is in that was caught, the first of the two words; 0 if that is
// null. Of its record, __cxa_exception, the ABI names the members; the C++ libraries add some.
inline unsigned handlers_of(const void *caught) {
#if defined(_LIBCPP_VERSION)
    constexpr int before = 7;
#else
    constexpr int before = 5;
#endif
    struct record {
        void *words[before];
        int handlers;
    };
    return caught != nullptr ? static_cast<unsigned>(static_cast<const record *>(caught)->handlers)
                             : 0;
}

} // namespace saguaro::stacks
