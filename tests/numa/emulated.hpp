// SPDX-License-Identifier: MIT
// A machine below the library: nodes 0, 1, 2, 3 and 5 with two processors each, where the control
// group forbids node 3. It keeps account of what is bound where, and refuses what a test says.
#pragma once

#include "numa/system.hpp"
#include "platform/memory.hpp"
#include "support/things.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string>

namespace emulated {

struct kernel {
    std::mutex lock;
    std::map<std::uintptr_t, std::pair<std::uintptr_t, int>> bound; // begin -> end, node
    std::map<std::string, std::string> files;
    saguaro::numa::node_mask allowed;
    int refuse_allowed = 0; // an errno for each call that fails
    int refuse_prefer = 0;
    int refuse_nodes_of = 0;
    int refuse_move = 0;
    int full_node = -1;     // its pages come from node 0
    bool half_full = false; // every other one of them does
    int prefers = 0;        // calls so far
    int moves = 0;          // the same
    std::size_t moved = 0;  // pages so far
};

inline kernel &it() {
    static kernel made;
    return made;
}

inline thread_local int cpu = 0;

// Under the lock. Addresses are used again after munmap: what was bound there is forgotten.
inline void bind(std::uintptr_t begin, std::uintptr_t end, int node) {
    kernel &k = it();
    auto at = k.bound.lower_bound(begin);
    if (at != k.bound.begin() && std::prev(at)->second.first > begin) {
        --at;
        const auto old = at->second;
        at->second.first = begin;
        if (old.first > end)
            k.bound[end] = old;
        ++at;
    }
    while (at != k.bound.end() && at->first < end) {
        if (at->second.first > end)
            k.bound[end] = at->second;
        at = k.bound.erase(at);
    }
    k.bound[begin] = {end, node};
}

inline int prefer(void *p, std::size_t bytes, int node) {
    kernel &k = it();
    const std::lock_guard guard(k.lock);
    ++k.prefers;
    if (k.refuse_prefer != 0)
        return k.refuse_prefer;
    const auto begin = reinterpret_cast<std::uintptr_t>(p);
    bind(begin, begin + bytes, node);
    return 0;
}

inline int move_to(std::size_t count, void **pages, int node) {
    kernel &k = it();
    const std::lock_guard guard(k.lock);
    ++k.moves;
    if (k.refuse_move != 0)
        return k.refuse_move;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = reinterpret_cast<std::uintptr_t>(pages[i]);
        bind(begin, begin + saguaro::platform::page_size(), node);
    }
    k.moved += count;
    return 0;
}

inline int node_at(std::uintptr_t address) {
    kernel &k = it();
    auto at = k.bound.upper_bound(address);
    const bool known = at != k.bound.begin() && address < (--at)->second.first;
    const int node = known ? at->second.second : 0;
    const bool has_room = k.half_full && address / saguaro::platform::page_size() % 2 == 0;
    return node == k.full_node && !has_room ? 0 : node;
}

inline int nodes_of(std::size_t count, void **pages, int *status) {
    kernel &k = it();
    const std::lock_guard guard(k.lock);
    if (k.refuse_nodes_of != 0)
        return k.refuse_nodes_of;
    for (std::size_t i = 0; i < count; ++i)
        status[i] = node_at(reinterpret_cast<std::uintptr_t>(pages[i]));
    return 0;
}

inline int allowed_nodes(saguaro::numa::node_mask *nodes) {
    *nodes = it().allowed;
    return it().refuse_allowed;
}

inline std::string read_file(const std::string &name) {
    const auto found = it().files.find(name);
    return found == it().files.end() ? "" : found->second;
}

inline void describe() {
    kernel &k = it();
    k.files = {{"online", "0-3,5\n"},      {"has_memory", "0-3,5\n"},
               {"node0/cpulist", "0,5\n"}, {"node1/cpulist", "2-3\n"},
               {"node2/cpulist", "4,6\n"}, {"node3/cpulist", "1,7\n"},
               {"node5/cpulist", "8-9\n"}, {"node3/distance", "40 30 20 10 15\n"}};
    k.allowed = {};
    for (const int node : {0, 1, 2, 5})
        k.allowed.add(node);
    k.refuse_allowed = k.refuse_prefer = k.refuse_nodes_of = k.refuse_move = 0;
    k.full_node = -1;
    k.half_full = false;
}

// For SG_BEFORE_CASES: before anything else asks what the machine is.
inline void install() {
    describe();
    saguaro::numa::calls = {prefer,  allowed_nodes,      nodes_of,
                            move_to, [] { return cpu; }, read_file};
    // Another thread may have the lock at a fork, but it only reads: the library binds memory under
    // locks of its own, which it takes before the fork.
    pthread_atfork(nullptr, nullptr, [] { new (&it().lock) std::mutex; });
}

// As if the calling thread ran on a processor of node 0, 1, 2, 3 or 5.
inline void run_on(int node) {
    constexpr int processors[] = {0, 2, 4, 7, -1, 9};
    cpu = processors[node];
}

} // namespace emulated
