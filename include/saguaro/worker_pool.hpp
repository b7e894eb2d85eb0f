// SPDX-License-Identifier: MIT
// A supervised pool of worker processes, for C++: worker_pool.h with types.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <saguaro/worker_pool.h>

#include <cerrno>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace saguaro {

// What has become of a job: a value, or a line that names the job and why there is none.
template <class Result>
class job_result {
public:
    explicit job_result(Result value) : value_(std::move(value)) {}
    static job_result failed(std::string error) {
        return job_result(std::nullopt, std::move(error));
    }

    explicit operator bool() const { return value_.has_value(); }

    // Throws std::runtime_error with the line if there is none.
    const Result &value() const & { return must(*this); }
    Result &&value() && { return std::move(must(*this)); }

    // Empty if there is a value.
    const std::string &error() const { return error_; }

private:
    job_result(std::nullopt_t, std::string error) : error_(std::move(error)) {}

    template <class Self>
    static auto &must(Self &self) {
        if (!self.value_)
            saguaro::detail::throw_error<std::runtime_error>(self.error_);
        return *self.value_;
    }

    std::optional<Result> value_;
    std::string error_;
};

struct worker_pool_options {
    unsigned workers = 0;                   // 0: one for each processor that the program may use
    unsigned attempts = 3;                  // how often a job may begin before it counts as failed
    std::chrono::nanoseconds time_limit{0}; // of one attempt; 0: none
    std::size_t memory_limit = 0; // bytes a worker may take beside what it has from the caller
};

namespace detail {

// What a worker sends of a result: the bytes of an object, or those that a string or a vector
// holds.
template <class Result>
struct result_bytes {
    static_assert(std::is_trivially_copyable_v<Result> && !std::is_pointer_v<Result> &&
                      !std::ranges::view<Result>,
                  "saguaro: the result of a job comes from another process: it must be trivially "
                  "copyable and hold no pointer, or be a std::string, or a std::vector of such "
                  "values");

    static void append(sg_job_result *to, const Result &value) {
        sg_job_result_append(to, std::addressof(value), sizeof(Result));
    }
    static Result value(const void *bytes, std::size_t) {
        alignas(Result) std::byte room[sizeof(Result)];
        std::memcpy(room, bytes, sizeof(Result));
        return *std::launder(reinterpret_cast<Result *>(room));
    }
};

template <class Container>
struct container_bytes {
    using element = typename Container::value_type;

    static void append(sg_job_result *to, const Container &value) {
        sg_job_result_append(to, value.data(), value.size() * sizeof(element));
    }
    static Container value(const void *bytes, std::size_t size) {
        const auto *const first = static_cast<const element *>(bytes);
        return Container(first, first + size / sizeof(element));
    }
};

template <>
struct result_bytes<std::string> : container_bytes<std::string> {};

template <class T>
    requires(std::is_trivially_copyable_v<T> && alignof(T) <= 8 && !std::same_as<T, bool>)
struct result_bytes<std::vector<T>> : container_bytes<std::vector<T>> {};

template <>
struct result_bytes<std::monostate> {
    static void append(sg_job_result *, std::monostate) {}
    static std::monostate value(const void *, std::size_t) { return {}; }
};

// What a function returns for a job, and std::monostate for nothing.
template <class Function, class Job>
using result_of_job =
    std::conditional_t<std::is_void_v<std::invoke_result_t<const Function &, const Job &>>,
                       std::monostate,
                       std::remove_cvref_t<std::invoke_result_t<const Function &, const Job &>>>;

} // namespace detail

// Runs jobs that may crash, hang or take all memory in processes of their own, and gives their
// results in the order of the jobs: sg_worker_pool_run. A plain object, with what the runs have in
// common; each run begins workers of its own.
class worker_pool {
public:
    explicit worker_pool(worker_pool_options options = {}) : options_(options) {}

    // Calls function(job) for each of the jobs in some worker, and take(number, result) for each in
    // this process, in their order: `result` is a job_result of what the function returns.
    //
    // The function is a const object, which may refer to the caller's variables and finds them as
    // they were when its worker began; its result should depend on the job alone. It returns a
    // trivially copyable value, a std::string, a std::vector of trivially copyable values, or
    // nothing (std::monostate). What it throws is the job's error. What `take` throws ends the run
    // and leaves it. The jobs are a range with random access, of anything.
    //
    // Throws std::system_error where sg_worker_pool_run returns an error, and std::invalid_argument
    // if an option is negative or there are no attempts.
    template <std::ranges::random_access_range Jobs, class Function, class Take>
        requires std::ranges::sized_range<const Jobs>
    void run(const Jobs &jobs, const Function &function, Take &&take) {
        using job = std::ranges::range_value_t<const Jobs>;
        using result = detail::result_of_job<Function, job>;
        using bytes = detail::result_bytes<result>;
        struct both {
            const Jobs &jobs;
            const Function &function;
            std::remove_reference_t<Take> &take;

            decltype(auto) compute(std::size_t number) const {
                const auto at = static_cast<std::ranges::range_difference_t<const Jobs>>(number);
                return std::invoke(function, std::as_const(std::ranges::begin(jobs)[at]));
            }
        } context{jobs, function, take};
        const auto compute = [](void *told, std::size_t number, sg_job_result *to) {
            if constexpr (std::is_same_v<result, std::monostate>)
                static_cast<const both *>(told)->compute(number);
            else
                bytes::append(to, static_cast<const both *>(told)->compute(number));
            return 0;
        };
        const auto give = [](void *told, std::size_t number, const void *got, std::size_t size,
                             const char *error) {
            static_cast<const both *>(told)->take(
                number, error != nullptr ? job_result<result>::failed(error)
                                         : job_result<result>(bytes::value(got, size)));
            return 0;
        };
        start(std::ranges::size(jobs), compute, give, &context);
    }

    // The same, with all results in a vector.
    template <std::ranges::random_access_range Jobs, class Function>
    auto map(const Jobs &jobs, const Function &function) {
        using result = detail::result_of_job<Function, std::ranges::range_value_t<const Jobs>>;
        std::vector<job_result<result>> all;
        all.reserve(std::ranges::size(jobs));
        run(jobs, function,
            [&](std::size_t, job_result<result> &&each) { all.push_back(std::move(each)); });
        return all;
    }

    // How many workers have replaced others in the last run that has ended.
    std::size_t restarts() const { return restarts_; }

private:
    void start(std::size_t jobs, sg_job_function *compute, sg_job_taker *give, void *context) {
        if (options_.attempts == 0 || options_.time_limit < std::chrono::nanoseconds(0))
            saguaro::detail::throw_error<std::invalid_argument>(
                "saguaro: a worker pool has at least one attempt, and no negative time limit");
        const sg_worker_pool_options options = {
            options_.workers, options_.attempts,
            static_cast<std::uint64_t>(options_.time_limit.count()), options_.memory_limit};
        if (const int refused =
                sg_worker_pool_run(&options, jobs, compute, give, context, &restarts_))
            saguaro::detail::throw_error<std::system_error>(refused, std::generic_category(),
                                                            "a worker pool");
    }

    worker_pool_options options_;
    std::size_t restarts_ = 0;
};

} // namespace saguaro
