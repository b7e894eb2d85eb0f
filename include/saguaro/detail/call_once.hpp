// SPDX-License-Identifier: MIT
// Closures as the function and argument of a nano-thread.
#pragma once

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/nanothreads.h"

#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace saguaro::nt::detail {

// A closure that a nano-thread calls once: in the argument itself if it fits, else on the heap.
template <class F>
struct call_once {
    static constexpr bool fits = sizeof(F) <= sizeof(void *) && std::is_trivially_copyable_v<F> &&
                                 std::is_trivially_destructible_v<F>;

    template <class G>
    static void *pack(G &&f) {
        if constexpr (fits) {
            const F copy(std::forward<G>(f));
            void *argument = nullptr;
            std::memcpy(&argument, std::addressof(copy), sizeof copy);
            return argument;
        } else {
            return new F(std::forward<G>(f));
        }
    }

    static void unpack(void *argument) {
        if constexpr (!fits)
            delete static_cast<F *>(argument);
    }

    // An exception that leaves the closure ends the program: no caller could catch it. Not
    // noexcept: the runtime says what is wrong when pthread_exit unwinds this.
    static void run(void *argument) {
        if constexpr (fits) {
            alignas(F) unsigned char memory[sizeof(F)];
            std::memcpy(memory, &argument, sizeof memory);
            (*std::launder(reinterpret_cast<F *>(memory)))();
        } else {
            const std::unique_ptr<F> f(static_cast<F *>(argument));
            (*f)();
        }
    }
};

// Throws std::bad_alloc where `make`, given a function and its argument, returns null.
template <class F, class Make>
sg_nt *make_thread(F &&f, Make make) {
    using once = call_once<std::decay_t<F>>;
    void *const argument = once::pack(std::forward<F>(f));
    sg_nt *const t = make(once::run, argument);
    if (t == nullptr) {
        once::unpack(argument);
        saguaro::detail::throw_error<std::bad_alloc>();
    }
    return t;
}

} // namespace saguaro::nt::detail
