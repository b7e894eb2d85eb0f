// SPDX-License-Identifier: MIT
// Groups: sets of ranks in an order.
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

#include <algorithm>
#include <cstdlib>

namespace saguaro::mpi {

group_object::group_object(std::vector<std::uint32_t> of_world) : members(std::move(of_world)) {
    bool is_plain = true;
    for (std::size_t i = 0; i < members.size(); ++i)
        is_plain = is_plain && members[i] == i;
    if (is_plain)
        return;
    places_.assign(*std::max_element(members.begin(), members.end()) + std::size_t{1},
                   abi::undefined);
    for (std::size_t i = 0; i < members.size(); ++i)
        places_[members[i]] = static_cast<std::int32_t>(i);
}

int group_object::place_of(std::uint32_t world_rank) const {
    if (!places_.empty())
        return world_rank < places_.size() ? places_[world_rank] : abi::undefined;
    return world_rank < members.size() ? static_cast<int>(world_rank) : abi::undefined;
}

const group_pointer *find(group which) {
    static const group_pointer empty = std::make_shared<group_object>(std::vector<std::uint32_t>{});
    return which == group::empty ? &empty : process::mine->groups.find(which);
}

namespace core {

namespace {

int give(std::vector<std::uint32_t> members, group *out) {
    *out = members.empty()
               ? group::empty
               : process::mine->groups.add(std::make_shared<group_object>(std::move(members)));
    return abi::success;
}

// The places that the triples (first, last, stride) list; err_arg or err_rank.
int list_ranges(int count, int (*ranges)[3], int size, std::vector<int> &out) {
    if (count < 0)
        return abi::err_arg;
    for (int i = 0; i < count; ++i) {
        const int first = ranges[i][0];
        const int last = ranges[i][1];
        const int stride = ranges[i][2];
        if (stride == 0)
            return abi::err_arg;
        if (first < 0 || first >= size || last < 0 || last >= size)
            return abi::err_rank;
        for (int at = first; stride > 0 ? at <= last : at >= last; at += stride)
            out.push_back(at);
    }
    return abi::success;
}

// Combines two groups: those of the first, then those of the second, that are wanted.
template <class Keep, class Add>
int combine(group a, group b, group *out, Keep keep, Add add) {
    const group_pointer *const first = find(a);
    const group_pointer *const second = find(b);
    if (first == nullptr || second == nullptr)
        return abi::err_group;
    std::vector<std::uint32_t> members;
    for (const std::uint32_t m : (*first)->members)
        if (keep((*second)->place_of(m) != abi::undefined))
            members.push_back(m);
    for (const std::uint32_t m : (*second)->members)
        if (add((*first)->place_of(m) != abi::undefined))
            members.push_back(m);
    return give(std::move(members), out);
}

} // namespace

int group_size(group of, int *out) {
    const group_pointer *const g = find(of);
    if (g == nullptr)
        return abi::err_group;
    *out = (*g)->size();
    return abi::success;
}

int group_rank(group of, int *out) {
    const group_pointer *const g = find(of);
    if (g == nullptr)
        return abi::err_group;
    *out = (*g)->place_of(rank::mine->number());
    return abi::success;
}

int group_translate_ranks(group from, int count, const int *ranks, group to, int *out) {
    const group_pointer *const a = find(from);
    const group_pointer *const b = find(to);
    if (a == nullptr || b == nullptr)
        return abi::err_group;
    if (count < 0 || (count > 0 && (ranks == nullptr || out == nullptr)))
        return abi::err_arg;
    for (int i = 0; i < count; ++i) {
        if (ranks[i] == abi::proc_null) {
            out[i] = abi::proc_null;
            continue;
        }
        if (ranks[i] < 0 || ranks[i] >= (*a)->size())
            return abi::err_rank;
        out[i] = (*b)->place_of((*a)->members[static_cast<std::size_t>(ranks[i])]);
    }
    return abi::success;
}

int group_compare(group a, group b, int *result) {
    const group_pointer *const first = find(a);
    const group_pointer *const second = find(b);
    if (first == nullptr || second == nullptr)
        return abi::err_group;
    const auto &x = (*first)->members;
    const auto &y = (*second)->members;
    *result = x == y                                                        ? abi::ident
              : std::is_permutation(x.begin(), x.end(), y.begin(), y.end()) ? abi::similar
                                                                            : abi::unequal;
    return abi::success;
}

int group_union(group a, group b, group *out) {
    return combine(a, b, out, [](bool) { return true; }, [](bool is_there) { return !is_there; });
}

int group_intersection(group a, group b, group *out) {
    return combine(a, b, out, [](bool is_there) { return is_there; }, [](bool) { return false; });
}

int group_difference(group a, group b, group *out) {
    return combine(a, b, out, [](bool is_there) { return !is_there; }, [](bool) { return false; });
}

int group_incl(group of, int count, const int *ranks, group *out) {
    const group_pointer *const g = find(of);
    if (g == nullptr)
        return abi::err_group;
    if (count < 0)
        return abi::err_arg;
    std::vector<std::uint32_t> members;
    for (int i = 0; i < count; ++i) {
        if (ranks[i] < 0 || ranks[i] >= (*g)->size())
            return abi::err_rank;
        members.push_back((*g)->members[static_cast<std::size_t>(ranks[i])]);
        if (std::count(ranks, ranks + i, ranks[i]) != 0)
            return abi::err_rank;
    }
    return give(std::move(members), out);
}

int group_excl(group of, int count, const int *ranks, group *out) {
    const group_pointer *const g = find(of);
    if (g == nullptr)
        return abi::err_group;
    if (count < 0)
        return abi::err_arg;
    for (int i = 0; i < count; ++i)
        if (ranks[i] < 0 || ranks[i] >= (*g)->size() || std::count(ranks, ranks + i, ranks[i]) != 0)
            return abi::err_rank;
    std::vector<std::uint32_t> members;
    for (int at = 0; at < (*g)->size(); ++at)
        if (std::find(ranks, ranks + count, at) == ranks + count)
            members.push_back((*g)->members[static_cast<std::size_t>(at)]);
    return give(std::move(members), out);
}

int group_range_incl(group of, int count, int (*ranges)[3], group *out) {
    int size = 0;
    int error = group_size(of, &size);
    std::vector<int> listed;
    if (error == 0)
        error = list_ranges(count, ranges, size, listed);
    return error != 0 ? error : group_incl(of, static_cast<int>(listed.size()), listed.data(), out);
}

int group_range_excl(group of, int count, int (*ranges)[3], group *out) {
    int size = 0;
    int error = group_size(of, &size);
    std::vector<int> listed;
    if (error == 0)
        error = list_ranges(count, ranges, size, listed);
    return error != 0 ? error : group_excl(of, static_cast<int>(listed.size()), listed.data(), out);
}

int group_free(group *which) {
    if (find(*which) == nullptr)
        return abi::err_group;
    if (*which != group::empty)
        process::mine->groups.remove(*which);
    *which = group::null;
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
