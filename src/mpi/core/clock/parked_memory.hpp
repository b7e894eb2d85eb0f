// SPDX-License-Identifier: MIT
// Memory whose need depends on who is faster: for messages that no receive has taken above all.
//
// By -order work that must not show in what the program does. If this memory came from the
// program's malloc, the state of the heap would depend on it, and so would the number of
// instructions that malloc takes; if it were mapped when it is needed, later mappings of the
// program would have other addresses. So by that order it comes from a part of the address space
// that the rank reserves when it begins.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace saguaro::mpi {

// By -order work, before any is taken. Ends the process with a line if the system has no room.
void reserve_parked_memory();

// Null where there is no memory.
void *take_parked_memory(std::size_t bytes);
void give_parked_memory(void *memory, std::size_t bytes);

// For containers.
template <class T>
struct parked_allocator {
    using value_type = T;

    parked_allocator() = default;
    template <class U>
    parked_allocator(const parked_allocator<U> &) {}

    T *allocate(std::size_t count) {
        void *const memory = take_parked_memory(count * sizeof(T));
        if (memory == nullptr)
            throw std::bad_alloc();
        return static_cast<T *>(memory);
    }
    void deallocate(T *memory, std::size_t count) { give_parked_memory(memory, count * sizeof(T)); }
    bool operator==(const parked_allocator &) const = default;
};

template <class T>
using parked_vector = std::vector<T, parked_allocator<T>>;

} // namespace saguaro::mpi
