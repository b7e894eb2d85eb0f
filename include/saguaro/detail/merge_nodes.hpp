// SPDX-License-Identifier: MIT
// Joining two node containers by moving the nodes of the smaller one.
#pragma once

#include <iterator>
#include <utility>

namespace saguaro::detail {

// Inserts a node, which keeps its element if the key is there already. Returns the key's place.
template <typename C>
typename C::iterator insert_node(C &into, typename C::iterator hint, typename C::node_type &node) {
    if constexpr (requires { typename C::key_compare; }) {
        return into.insert(hint, std::move(node));
    } else {
        // Where there is no order a hint is worth nothing, and with one libstdc++ 12 destroys the
        // element that it does not insert.
        auto result = into.insert(std::move(node));
        node = std::move(result.node);
        return result.position;
    }
}

// Moves all nodes of `from` into `into`, in ascending order where there is one: the place after the
// last node is then the right one for the next, as long as nothing of `into` comes between, and is
// found in constant time. Where the key is there already, on_equal(place, node) decides; it returns
// the place of the element that remains.
template <typename C, typename OnEqual>
void splice_nodes(C &into, C &from, OnEqual on_equal) {
    auto hint = into.end();
    while (!from.empty()) {
        auto node = from.extract(from.begin());
        auto place = insert_node(into, hint, node);
        if (!node.empty())
            place = on_equal(place, node);
        hint = std::next(place);
    }
}

// left = left followed by right. Whichever has fewer nodes is moved into the other. Where both have
// a key, combine(left's, right's) decides on left's mapped value, and left's node remains: places
// and node handles both serve as arguments.
template <typename C, typename Combine>
void merge_nodes(C &left, C &right, Combine combine) {
    if (right.size() <= left.size()) {
        splice_nodes(left, right, [&](auto place, auto &node) {
            combine(*place, node);
            return place;
        });
        return;
    }
    splice_nodes(right, left, [&](auto place, auto &node) {
        combine(node, *place);
        return insert_node(right, right.erase(place), node);
    });
    left.swap(right);
}

// The mapped value of an element or of a node handle.
auto &mapped_of(auto &element) {
    if constexpr (requires { element.second; })
        return element.second;
    else
        return element.mapped();
}

} // namespace saguaro::detail
