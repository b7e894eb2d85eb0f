// SPDX-License-Identifier: MIT
// What the C++ runtime knows of the exceptions that are being handled: two words of the thread's,
// those that were caught and how many are on their way (__cxa_eh_globals of the Itanium C++ ABI).
// They belong to the flow, which may wait in a handler: it takes them with it.
#pragma once

#include <cxxabi.h>
#include <utility>

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

// Takes them from a thread, which is left as one without any.
inline kept_exceptions take_exceptions(void **of_thread) {
    return {std::exchange(of_thread[0], nullptr), std::exchange(of_thread[1], nullptr)};
}

// Gives them to the thread on which the flow goes on.
inline void give_exceptions(void **to_thread, const kept_exceptions &kept) {
    to_thread[0] = kept.caught;
    to_thread[1] = kept.uncaught;
}

} // namespace saguaro::stacks
