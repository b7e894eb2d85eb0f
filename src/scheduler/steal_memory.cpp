// SPDX-License-Identifier: MIT
// Allocating and keeping the blocks that a thief may need for its next steal.
#include "scheduler/steal_memory.hpp"

#include <cassert>
#include <utility>

namespace saguaro::scheduler {

steal_memory::~steal_memory() {
    for (const block &b : blocks_)
        numa::give_near(b.memory);
}

bool steal_memory::have(std::size_t first, std::size_t second, std::size_t third) {
    const std::array<std::size_t, 3> needed{first, second, third};
    bool all = true;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        blocks_[i].wanted = needed[i];
        all = all && blocks_[i].bytes >= needed[i];
    }
    return all;
}

void *steal_memory::take(unsigned i) {
    assert(blocks_[i].memory != nullptr);
    short_of_some_ = true;
    blocks_[i].bytes = 0;
    return std::exchange(blocks_[i].memory, nullptr);
}

void steal_memory::put_back(unsigned i, void *memory) {
    blocks_[i].memory = memory;
    blocks_[i].bytes = blocks_[i].wanted;
}

bool steal_memory::fill(block &b) {
    if (b.bytes >= b.wanted)
        return true;
    numa::give_near(std::exchange(b.memory, nullptr));
    b.bytes = 0;
    b.memory = numa::take_near(b.wanted);
    if (b.memory == nullptr)
        return false;
    b.bytes = b.wanted;
    return true;
}

bool steal_memory::fetch() {
    bool all = true;
    for (block &b : blocks_)
        all = fill(b) && all;
    return all;
}

void steal_memory::refill() {
    if (short_of_some_)
        short_of_some_ = !fetch();
}

} // namespace saguaro::scheduler
