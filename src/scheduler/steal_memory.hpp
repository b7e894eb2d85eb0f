// SPDX-License-Identifier: MIT
// The memory for what a steal makes. A thief gets it before it takes a lock: an allocation may be a
// system call, and the program may have replaced it by code of its own.
#pragma once

#include "numa/near.hpp"

#include <array>
#include <cstddef>
#include <new>

namespace saguaro::scheduler {

// What is made in a block of steal_memory and freed by `delete`. The block may be larger than the
// object, so the size must not be told to the allocator.
struct in_steal_memory {
    static void *operator new(std::size_t, void *block) { return block; }
    static void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
        return numa::take_near(bytes);
    }
    static void operator delete(void *block) { numa::give_near(block); }
};

// A worker's. Only its own thread uses it.
class steal_memory {
public:
    steal_memory() = default;
    ~steal_memory();
    steal_memory(const steal_memory &) = delete;
    steal_memory &operator=(const steal_memory &) = delete;

    // Whether block i has bytes[i] bytes at least, for each that is not 0. If not, fetch() shall
    // get them. No system call: for use under a lock.
    bool have(std::size_t first, std::size_t second = 0, std::size_t third = 0);

    // Block `i`, of which `have` has made sure: the caller's now, from take_near. The next
    // `refill` gets another one.
    void *take(unsigned i);

    // A block that was taken and is not needed.
    void put_back(unsigned i, void *block);

    // Gets what the last `have` missed. False: there is no memory for it. Not under a lock.
    bool fetch();

    // Gets what was taken since, so that the next steal need not come back for it. Not under a
    // lock.
    void refill();

private:
    struct block {
        void *memory = nullptr;
        std::size_t bytes = 0;  // of `memory`
        std::size_t wanted = 0; // by who needs it next
    };
    static bool fill(block &b);

    std::array<block, 3> blocks_{};
    bool short_of_some_ = false; // since the last `take`: refill has something to do
};

} // namespace saguaro::scheduler
