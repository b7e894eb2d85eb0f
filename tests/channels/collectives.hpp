// SPDX-License-Identifier: MIT
// Collectives, and what they must give: computed serially, from what each member must have had.
#pragma once

#include "saguaro/collective.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace saguaro::test_support {

struct algorithm_name {
    const char *operation;
    const char *algorithm;

    std::string setting() const { return std::string(operation) + ":" + algorithm; }
};

inline constexpr algorithm_name all_algorithms[] = {
    {"barrier", "flat"},        {"barrier", "binomial"},   {"barrier", "dissemination"},
    {"broadcast", "flat"},      {"broadcast", "binomial"}, {"broadcast", "chain"},
    {"broadcast", "multicast"}, {"reduce", "flat"},        {"reduce", "binomial"},
    {"reduce", "pairwise"},     {"allreduce", "flat"},     {"allreduce", "binomial"},
    {"allreduce", "doubling"},  {"allreduce", "ring"},     {"allreduce", "multicast"},
    {"scan", "flat"},           {"scan", "chain"},         {"scan", "doubling"},
    {"gather", "flat"},         {"gather", "binomial"},    {"scatter", "flat"},
    {"scatter", "binomial"},    {"alltoall", "flat"},      {"alltoall", "pairwise"},
    {"alltoall", "bruck"}};

using content = std::vector<unsigned char>;

// One collective of a team: which, how large, and what makes its contents differ from others'.
struct collective_call {
    std::string operation;
    unsigned members;
    unsigned root;
    std::size_t size;    // bytes of one member, or from one to another
    std::size_t element; // bytes
    unsigned salt;
    bool in_place = false;
};

// What member m has at first.
inline content initial(const collective_call &c, unsigned m) {
    content made(c.size);
    std::uint64_t state = (c.salt * 1009 + c.members) * 131 + m;
    for (std::size_t at = 0; at < made.size(); at += sizeof(state)) {
        state = (state ^ (state >> 29)) * 6364136223846793005U + 1442695040888963407U;
        std::memcpy(made.data() + at, &state, std::min(sizeof(state), made.size() - at));
    }
    return made;
}

// What it has for another, and for all.
inline content initial_for(const collective_call &c, unsigned m, unsigned other) {
    return initial(c, m * c.members + other);
}

inline void append(content &to, const content &more) {
    to.insert(to.end(), more.begin(), more.end());
}

inline content initial_for_all(const collective_call &c, unsigned m) {
    content made;
    for (unsigned other = 0; other < c.members; ++other)
        append(made, initial_for(c, m, other));
    return made;
}

// An operation that is neither commutative nor associative: its result tells in which order it was
// done.
inline void mix(void *into, const void *left, const void *right, std::size_t count, void *element) {
    const std::size_t size = *static_cast<const std::size_t *>(element);
    auto *const to = static_cast<unsigned char *>(into);
    const auto *const a = static_cast<const unsigned char *>(left);
    const auto *const b = static_cast<const unsigned char *>(right);
    for (std::size_t i = 0; i < count * size; ++i)
        to[i] = static_cast<unsigned char>(a[i] * 3 + (b[i] ^ (b[i] >> 3)) + 1);
}

// The documented order, from its definition.
inline content combined(const collective_call &c, unsigned first, unsigned count) {
    if (count == 1)
        return initial(c, first);
    unsigned cut = 1;
    while (cut * 2 < count)
        cut *= 2;
    content left = combined(c, first, cut);
    const content right = combined(c, first + cut, count - cut);
    std::size_t element = 1;
    mix(left.data(), left.data(), right.data(), left.size(), &element);
    return left;
}

// What member m must have afterwards; nothing if it gets nothing.
inline content expected(const collective_call &c, unsigned m) {
    const bool is_root = m == c.root;
    content all;
    if (c.operation == "broadcast")
        return initial(c, c.root);
    if (c.operation == "reduce")
        return is_root ? combined(c, 0, c.members) : all;
    if (c.operation == "allreduce")
        return combined(c, 0, c.members);
    if (c.operation == "scan")
        return combined(c, 0, m + 1);
    if (c.operation == "scatter")
        return initial_for(c, c.root, m);
    if (c.operation == "gather" && is_root)
        for (unsigned other = 0; other < c.members; ++other)
            append(all, initial(c, other));
    if (c.operation == "alltoall")
        for (unsigned other = 0; other < c.members; ++other)
            append(all, initial_for(c, other, m));
    return all;
}

// What the member has, by the library.
inline content result_of(const collective_call &c, sg_team team, unsigned m) {
    const bool is_root = m == c.root;
    const std::string &what = c.operation;
    if (what == "barrier") {
        sg_barrier(team, m);
        return {};
    }
    if (what == "broadcast") {
        content data = is_root ? initial(c, m) : content(c.size, 0xaa);
        sg_broadcast(team, m, c.root, data.data(), c.size);
        return data;
    }
    if (what == "gather") {
        const content from = initial(c, m);
        content to(is_root ? c.size * c.members : 0);
        sg_gather(team, m, c.root, from.data(), to.data(), c.size);
        return to;
    }
    if (what == "scatter") {
        const content from = is_root ? initial_for_all(c, m) : content();
        content to(c.size);
        sg_scatter(team, m, c.root, from.data(), to.data(), c.size);
        return to;
    }
    if (what == "alltoall") {
        const content from = initial_for_all(c, m);
        content to(c.size * c.members);
        sg_alltoall(team, m, from.data(), to.data(), c.size);
        return to;
    }
    content from = initial(c, m);
    content other(what == "reduce" && !is_root ? 0 : c.size);
    content &to = c.in_place ? from : other;
    std::size_t element = c.element;
    const sg_reduction how = {c.size / element, element, mix, &element};
    if (what == "reduce")
        sg_reduce(team, m, c.root, from.data(), to.data(), &how);
    else if (what == "allreduce")
        sg_allreduce(team, m, from.data(), to.data(), &how);
    else
        sg_scan(team, m, from.data(), to.data(), &how);
    return what == "reduce" && !is_root ? content() : to;
}

// Does it, and ends the process with a line unless the result is right.
inline void check_call(const collective_call &c, sg_team team, unsigned m) {
    if (result_of(c, team, m) == expected(c, m))
        return;
    std::fprintf(stderr, "wrong: %s of %zu bytes, member %u of %u, root %u\n", c.operation.c_str(),
                 c.size, m, c.members, c.root);
    std::_Exit(1);
}

} // namespace saguaro::test_support
