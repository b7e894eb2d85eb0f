// SPDX-License-Identifier: MIT
// A thread's cache of the pools' blocks: a chain for each class and node. A block that the thread
// frees waits in the chain of the block's own node, whoever took it and wherever the thread runs;
// chains that grow too long go back to that node's pool, and all do when the thread ends.
#pragma once

#include "numa/segment.hpp"

#include <cstddef>

namespace saguaro::numa {

// A block of at least `bytes`, 1 to `largest_block`, of the node where the calling thread runs.
// Null: no memory.
void *take(std::size_t bytes);

// Frees a block of `take`, from any thread; in which segment it is, and of which class, is known.
void give_back(void *block, const segment *from, unsigned block_class);

} // namespace saguaro::numa
