// SPDX-License-Identifier: MIT
// Entering parallel work from C++.
#pragma once

#include "saguaro/detail/cxx20.hpp"
#include "saguaro/detail/first_error.hpp"

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/race_names.h"
#include "saguaro/detail/value_of.hpp"
#include "saguaro/saguaro.h"

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace saguaro {

// Calls f() on a worker and returns its result, or rethrows its exception.
// On a worker it is a plain call. Any number of threads may call it at once. A thread from outside
// becomes a worker until run returns, which costs some 0.1 µs; sg_run in saguaro.h makes all the
// promises.
template <class F>
auto run(F &&f) -> std::decay_t<std::invoke_result_t<F>>;

// The same, but on a worker as well the calling thread works for f() alone until this returns,
// which is on the same thread. sg_isolate in saguaro.h makes all the promises.
//
//     const std::lock_guard guard(mutex); // of this thread
//     saguaro::isolate([&] { saguaro::parallel_for(table, fill); });
template <class F>
auto isolate(F &&f) -> std::decay_t<std::invoke_result_t<F>>;

// Settings that a program chooses itself, as sg_options: start({.workers = 2}).
struct options {
    unsigned workers = 0;
    std::size_t stack_bytes = 0;
    const char *policy = nullptr;
    bool statistics = false;
    const char *cpus = nullptr;
};

// As sg_start and sg_stop, but they throw std::system_error where those return an error.
void start(const options &chosen) SG_BY_DETECTOR("start_as_chosen");
void start() SG_BY_DETECTOR("start_as_usual");
void stop() SG_BY_DETECTOR("stop_all");

// The number of workers that run, or that a start would begin.
inline unsigned workers() {
    return sg_workers();
}

// The number of the worker that calls, from 0; -1 outside. It may change at each spawn and sync.
inline int worker_id() {
    return sg_worker_id();
}

// What the workers have done since they were started.
inline sg_statistics stats() {
    sg_statistics out;
    sg_get_statistics(&out);
    return out;
}

namespace detail {

// Calls f() by enter(function, argument): sg_run, sg_isolate, or sg_arena_run.
template <class Enter, class F>
auto call_by(Enter enter, F &&f) -> std::decay_t<std::invoke_result_t<F>> {
    using result = std::invoke_result_t<F>;
    struct call {
        std::remove_reference_t<F> *f;
        std::optional<detail::copy_of<result>> value;
        std::exception_ptr error;
    } entered{std::addressof(f), std::nullopt, nullptr};
    enter(
        [](void *argument) {
            call &c = *static_cast<call *>(argument);
            SG_TRY {
                c.value.emplace(detail::call_for<detail::copy_of<result>>(std::forward<F>(*c.f)));
            }
            SG_CATCH_ALL {
                c.error = detail::caught_error();
            }
        },
        &entered);
    if (entered.error != nullptr)
        std::rethrow_exception(std::move(entered.error));
    if constexpr (!std::is_void_v<result>)
        return std::move(*entered.value);
}

} // namespace detail

template <class F>
auto run(F &&f) -> std::decay_t<std::invoke_result_t<F>> {
    return detail::call_by(&sg_run, std::forward<F>(f));
}

template <class F>
auto isolate(F &&f) -> std::decay_t<std::invoke_result_t<F>> {
    return detail::call_by(&sg_isolate, std::forward<F>(f));
}

} // namespace saguaro
