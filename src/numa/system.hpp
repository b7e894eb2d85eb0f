// SPDX-License-Identifier: MIT
// The six calls of the kernel that this floor needs, in one table. The library never changes the
// table. Tests put calls of their own there before anything else runs, and so emulate machines.
#pragma once

#include <cstddef>
#include <string>

namespace saguaro::numa {

// A set of nodes as the kernel reads it: bit n of the array is node n.
inline constexpr int most_nodes = 1024;
inline constexpr std::size_t bits_in_word = sizeof(unsigned long) * 8;
struct node_mask {
    unsigned long words[most_nodes / bits_in_word] = {};

    void add(int node) { words[word_of(node)] |= bit_of(node); }
    bool contains(int node) const { return (words[word_of(node)] & bit_of(node)) != 0; }

private:
    static std::size_t word_of(int node) { return static_cast<std::size_t>(node) / bits_in_word; }
    static unsigned long bit_of(int node) {
        return 1UL << (static_cast<std::size_t>(node) % bits_in_word);
    }
};

inline constexpr std::size_t most_moved_at_once = 64;

// Each call returns 0, or the kernel's errno.
struct system_calls {
    // Pages that are touched from now on come from `node` while it has memory, from elsewhere
    // otherwise. Whole pages.
    int (*prefer)(void *p, std::size_t bytes, int node);

    // The nodes that the process may take memory from.
    int (*allowed_nodes)(node_mask *nodes);

    // The node of each page, or a negative errno: -ENOENT for a page that nobody has touched (of
    // several pages perhaps -EFAULT, as for one that is not there).
    int (*nodes_of)(std::size_t count, void **pages, int *status);

    // Moves those of the pages to the node that are in memory and that it can move. At most
    // `most_moved_at_once`.
    int (*move_to)(std::size_t count, void **pages, int node);

    // The processor that the calling thread runs on. Some nanoseconds.
    int (*current_cpu)();

    // A file under /sys/devices/system/node/; empty where there is none.
    std::string (*read_file)(const std::string &name);
};

// The kernel's own. Constant after the first call into this floor.
extern system_calls calls;

} // namespace saguaro::numa
