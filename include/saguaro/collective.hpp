// SPDX-License-Identifier: MIT
// Collectives of values, for C++: collective.h with types.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <saguaro/collective.h>

#include <cerrno>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <vector>

namespace saguaro {

// What can go from one space to another: bytes that mean the same there.
template <class T>
concept collective_value =
    std::is_trivially_copyable_v<T> && alignof(T) <= 64 && !std::ranges::range<T>;

// An array of such values: a std::vector, std::array, std::span or the like.
template <class Range>
concept collective_array =
    std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    collective_value<std::ranges::range_value_t<Range>>;

// Members that do something together: spaces or threads. A handle: copy it freely, also into the
// functions of spaces and threads, which then have the same team. It lives as long as the job.
//
// The rules are those of collective.h: a member's number belongs to the first thread that uses it,
// and all members call the same functions in the same order, with arrays of equal sizes. An array
// is a std::vector, std::array, std::span or the like. An operation is a function object on two
// values, std::plus<>{} for example. In which order it is applied depends on the number of members
// alone. It must not throw, because the others would wait. Functions throw std::length_error,
// before they send anything, if the sizes of two arrays of the caller do not fit.
class team {
public:
    // Throws std::system_error if a team of so many cannot be had. 1 µs.
    explicit team(unsigned members) : name_(sg_team_create(members)) {
        if (name_ == 0)
            saguaro::detail::throw_error<std::system_error>(errno, std::generic_category(),
                                                            "a team");
    }

    unsigned members() const { return sg_team_members(name_); }

    // Returns when all members have called it.
    void barrier(unsigned member) const { sg_barrier(name_, member); }

    // Stores what the root has there at all others.
    template <collective_value T>
    void broadcast(unsigned member, unsigned root, T &value) const {
        sg_broadcast(name_, member, root, std::addressof(value), sizeof(T));
    }
    template <collective_array Values>
    void broadcast(unsigned member, unsigned root, Values &&values) const {
        sg_broadcast(name_, member, root, std::ranges::data(values), bytes_of(values));
    }

    // The values of all, combined; at the root, and elsewhere nothing.
    template <collective_value T, class Operation = std::plus<>>
    std::optional<T> reduce(unsigned member, unsigned root, const T &value,
                            const Operation &operation = {}) const {
        T result = value;
        const sg_reduction how = reduction_of<T>(1, operation);
        sg_reduce(name_, member, root, std::addressof(value), std::addressof(result), &how);
        return member == root ? std::optional<T>(result) : std::nullopt;
    }
    // The same for each element of arrays. `to` is as long as `from` at the root, and not used
    // elsewhere. It may be the same array, here and below.
    template <collective_array From, collective_array To, class Operation = std::plus<>>
    void reduce(unsigned member, unsigned root, const From &from, To &&to,
                const Operation &operation = {}) const {
        if (member == root)
            check(std::ranges::size(from), std::ranges::size(to));
        const sg_reduction how =
            reduction_of<std::ranges::range_value_t<From>>(std::ranges::size(from), operation);
        sg_reduce(name_, member, root, std::ranges::data(from), data_of<From>(to), &how);
    }

    // The values of all, combined, at all members.
    template <collective_value T, class Operation = std::plus<>>
    T allreduce(unsigned member, const T &value, const Operation &operation = {}) const {
        T result = value;
        const sg_reduction how = reduction_of<T>(1, operation);
        sg_allreduce(name_, member, std::addressof(value), std::addressof(result), &how);
        return result;
    }
    template <collective_array From, collective_array To, class Operation = std::plus<>>
    void allreduce(unsigned member, const From &from, To &&to,
                   const Operation &operation = {}) const {
        check(std::ranges::size(from), std::ranges::size(to));
        const sg_reduction how =
            reduction_of<std::ranges::range_value_t<From>>(std::ranges::size(from), operation);
        sg_allreduce(name_, member, std::ranges::data(from), data_of<From>(to), &how);
    }

    // The values of members 0 to `member`, combined.
    template <collective_value T, class Operation = std::plus<>>
    T scan(unsigned member, const T &value, const Operation &operation = {}) const {
        T result = value;
        const sg_reduction how = reduction_of<T>(1, operation);
        sg_scan(name_, member, std::addressof(value), std::addressof(result), &how);
        return result;
    }
    template <collective_array From, collective_array To, class Operation = std::plus<>>
    void scan(unsigned member, const From &from, To &&to, const Operation &operation = {}) const {
        check(std::ranges::size(from), std::ranges::size(to));
        const sg_reduction how =
            reduction_of<std::ranges::range_value_t<From>>(std::ranges::size(from), operation);
        sg_scan(name_, member, std::ranges::data(from), data_of<From>(to), &how);
    }

    // What all have, in the order of the members; at the root, and elsewhere nothing.
    template <collective_value T>
    std::vector<T> gather(unsigned member, unsigned root, const T &value) const {
        std::vector<T> all(member == root ? members() : 0);
        sg_gather(name_, member, root, std::addressof(value), all.data(), sizeof(T));
        return all;
    }
    template <collective_array Values>
    std::vector<std::ranges::range_value_t<Values>> gather(unsigned member, unsigned root,
                                                           const Values &values) const {
        std::vector<std::ranges::range_value_t<Values>> all(
            member == root ? std::ranges::size(values) * members() : 0);
        sg_gather(name_, member, root, std::ranges::data(values), all.data(), bytes_of(values));
        return all;
    }

    // What the root has for this member: its `values` are as many as there are members, and those
    // of others are not used.
    template <collective_array Values>
    std::ranges::range_value_t<Values> scatter(unsigned member, unsigned root,
                                               const Values &values) const {
        std::ranges::range_value_t<Values> own;
        if (member == root)
            check(std::ranges::size(values), members());
        sg_scatter(name_, member, root, std::ranges::data(values), std::addressof(own),
                   sizeof(own));
        return own;
    }
    // The same for parts of equal size, of which `to` has room for one.
    template <collective_array From, collective_array To>
    void scatter(unsigned member, unsigned root, const From &from, To &&to) const {
        if (member == root)
            check(std::ranges::size(from), std::ranges::size(to) * members());
        sg_scatter(name_, member, root, std::ranges::data(from), data_of<From>(to), bytes_of(to));
    }

    // What all have for this member, in the order of the members: `values` has a part of equal size
    // for each.
    template <collective_array Values>
    std::vector<std::ranges::range_value_t<Values>> alltoall(unsigned member,
                                                             const Values &values) const {
        const std::size_t each = std::ranges::size(values) / members();
        check(std::ranges::size(values), each * members());
        std::vector<std::ranges::range_value_t<Values>> all(std::ranges::size(values));
        sg_alltoall(name_, member, std::ranges::data(values), all.data(),
                    each * sizeof(std::ranges::range_value_t<Values>));
        return all;
    }

    // What C calls it.
    sg_team name() const { return name_; }

private:
    template <class Range>
    static std::size_t bytes_of(const Range &values) {
        return std::ranges::size(values) * sizeof(std::ranges::range_value_t<Range>);
    }

    // Where the values go: as many as come, and of the same type.
    template <class From, class To>
    static std::ranges::range_value_t<From> *data_of(To &to) {
        return std::ranges::data(to);
    }

    static void check(std::size_t has, std::size_t needs) {
        if (has != needs)
            saguaro::detail::throw_error<std::length_error>(
                "saguaro: the sizes of a team's arrays do not fit");
    }

    template <class T, class Operation>
    static sg_reduction reduction_of(std::size_t count, const Operation &operation) {
        static_assert(std::is_invocable_r_v<T, const Operation &, const T &, const T &>,
                      "an operation makes one value of two of the same type, and is const");
        const auto combine = [](void *into, const void *left, const void *right, std::size_t number,
                                void *context) {
            const Operation &apply = *static_cast<const Operation *>(context);
            for (std::size_t i = 0; i < number; ++i)
                static_cast<T *>(into)[i] =
                    apply(static_cast<const T *>(left)[i], static_cast<const T *>(right)[i]);
        };
        return {count, sizeof(T), combine, const_cast<Operation *>(std::addressof(operation))};
    }

    sg_team name_;
};

} // namespace saguaro
