// SPDX-License-Identifier: MIT
// Pedigrees: the place of a strand in the tree of spawns, the same in every run.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/strand_node.hpp"

#include <cstdint>
#include <vector>

namespace saguaro {

// While it lives, strands have pedigrees: it begins one where there is none yet. To be made in the
// serial part of the program, or in the strand below which pedigrees are wanted; an automatic
// variable. With it a spawn makes a node besides. What is spawned while it lives must be synced
// before it ends, even if its scope is an older one.
class pedigree_root {
public:
    pedigree_root() : here_(detail::strand_node() != nullptr ? *detail::strand_node() : root_) {}
    pedigree_root(const pedigree_root &) = delete;
    pedigree_root &operator=(const pedigree_root &) = delete;
    static void *operator new(std::size_t) = delete;

private:
    detail::ancestor root_;
    const detail::as_strand here_;
};

// The path from the root to the strand that runs: at each level the number of spawns (iterations,
// random numbers) that came before in the serial order; the last one is the strand's own. The same
// on any number of workers, and no two points of a program between spawns have the same (Leiserson,
// Schardl, Sukha: Deterministic Parallel Random-Number Generation for Dynamic-Multithreading
// Platforms, 2012, section 3). Empty if no pedigree_root lives. Calls and scopes outside any worker
// have pedigrees as well. O(depth).
std::vector<std::uint64_t> pedigree();

} // namespace saguaro
