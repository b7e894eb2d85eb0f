// SPDX-License-Identifier: MIT
// Nano-threads for C++, whose functions take closures. They make the promises of nanothreads.h.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/call_once.hpp"
#include "saguaro/detail/exceptions.hpp"
#include "saguaro/nanothreads.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

namespace saguaro::nt {

using thread = sg_nt;
using statistics = sg_nt_statistics;

// As sg_nt_options: run({.processors = 2}, f).
struct options {
    unsigned processors = 0;
    std::size_t stack_bytes = 0;
    const char *design = nullptr;
};

// Runs f() as the main nano-thread, with all that sg_nt_run says; returns what the run has done and
// used. Throws std::system_error where sg_nt_run returns an error, with its number.
template <class F>
statistics run(const options &chosen, F &&f) {
    const sg_nt_options plain{chosen.processors, chosen.stack_bytes, chosen.design};
    statistics done{};
    const int error = sg_nt_run(
        &plain, [](void *argument) { (*static_cast<std::remove_reference_t<F> *>(argument))(); },
        const_cast<void *>(static_cast<const void *>(std::addressof(f))), &done);
    if (error != 0)
        saguaro::detail::throw_error<std::system_error>(error, std::generic_category(),
                                                        "saguaro::nt::run");
    return done;
}

template <class F>
statistics run(F &&f) {
    return run(options{}, std::forward<F>(f));
}

// Creates a thread that calls f() once `dependences` are satisfied; see sg_nt_create. Throws
// std::bad_alloc.
template <class F>
thread *create(F &&f, unsigned dependences = 0, std::initializer_list<thread *> successors = {}) {
    return detail::make_thread(std::forward<F>(f), [&](void (*function)(void *), void *argument) {
        return sg_nt_create(function, argument, dependences, successors.begin(), successors.size());
    });
}

// Creates a thread that is ready and that the caller's next join waits for. Throws std::bad_alloc.
template <class F>
thread *fork(F &&f) {
    return detail::make_thread(std::forward<F>(f), sg_nt_fork);
}

inline void expect(unsigned count) {
    sg_nt_expect(count);
}

inline void satisfy(thread *t) {
    sg_nt_satisfy(t);
}

inline void join() {
    sg_nt_join();
}

inline void yield() {
    sg_nt_yield();
}

inline void block() {
    sg_nt_block();
}

inline void unblock(thread *t) {
    sg_nt_unblock(t);
}

inline void hold() {
    sg_nt_hold();
}

inline thread *self() {
    return sg_nt_self();
}

inline int processor() {
    return sg_nt_processor();
}

} // namespace saguaro::nt
