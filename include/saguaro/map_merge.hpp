// SPDX-License-Identifier: MIT
// Maps and sets that strands fill, joined into one.
//
//     saguaro::reducer<saguaro::map_merge<std::map<std::string, long>, std::plus<>>> words;
//     saguaro::parallel_for(text.begin(), text.end(), [&](const auto &w) { ++(*words)[w]; });
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/merge_nodes.hpp"

#include <concepts>
#include <utility>

namespace saguaro {

// Containers of nodes with one element for a key: std::map, std::set, and the unordered ones.
template <typename C>
concept node_container =
    std::default_initializable<C> && requires(C &c, typename C::node_type node) {
        typename C::insert_return_type;
        { c.extract(c.begin()) } -> std::same_as<typename C::node_type>;
        { c.insert(std::move(node)) } -> std::same_as<typename C::insert_return_type>;
    };

// For map_merge: what was inserted first stays, as with insert and try_emplace.
struct keep_first {
    template <typename T>
    T operator()(T &&first, T &&) const {
        return std::move(first);
    }
};

// For map_merge: what was inserted last replaces it, as with insert_or_assign.
struct keep_last {
    template <typename T>
    T operator()(T &&, T &&last) const {
        return std::move(last);
    }
};

// The union of maps. Where both have a key, the mapped value becomes combine(earlier's, later's),
// which get rvalues, in serial order; it must be associative, and the program itself has to do the
// same with a strand's view (std::plus<>: `(*r)[key] += x`). Of equal keys the earlier one stays.
//
// Elements are never copied and do not change their addresses, unless both maps have the key. For a
// join the nodes of the smaller map are moved into the larger: for maps of s and l nodes, s
// insertions without allocation, each O(log l) in an ordered map, and constant if the keys of the
// one all lie between two neighbouring keys of the other. The key's comparison, its hash and
// `combine` must not throw.
template <node_container Map, typename Combine = keep_first>
    requires requires { typename Map::mapped_type; }
struct map_merge {
    using value_type = Map;

    explicit map_merge(Combine c = Combine()) : combine_(std::move(c)) {}

    value_type identity() const { return {}; }

    void reduce(value_type &left, value_type &&right) const {
        detail::merge_nodes(left, right, [this](auto &earlier, auto &later) {
            auto &first = detail::mapped_of(earlier);
            first = combine_(std::move(first), std::move(detail::mapped_of(later)));
        });
    }

private:
    [[no_unique_address]] Combine combine_;
};

// The union of sets. Of equal elements the serially first one stays. Costs as for map_merge.
template <node_container Set>
    requires(!requires { typename Set::mapped_type; })
struct set_merge {
    using value_type = Set;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const {
        detail::merge_nodes(left, right, [](const auto &, const auto &) {});
    }
};

} // namespace saguaro
