// SPDX-License-Identifier: MIT
#include "detmpi/core/parked_memory.hpp"

#include "detmpi/core/order.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace saguaro::detmpi {

namespace {

// Pieces of 2^order bytes. Larger ones are mapped for themselves.
constexpr unsigned least_order = 7;
constexpr unsigned most_order = 20;

struct free_piece {
    free_piece *next;
};
free_piece *free_pieces[most_order + 1];

unsigned order_of(std::size_t bytes) {
    return std::max(least_order, static_cast<unsigned>(std::bit_width(bytes - 1)));
}

void *map(std::size_t bytes) {
    void *const got =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return got != MAP_FAILED ? got : nullptr;
}

// From one mapping as many pieces as fit.
bool add_pieces(unsigned order) {
    char *const all = static_cast<char *>(map(std::size_t{1} << most_order));
    if (all == nullptr)
        return false;
    for (std::size_t at = std::size_t{1} << most_order; at != 0;) {
        at -= std::size_t{1} << order;
        free_pieces[order] = new (all + at) free_piece{free_pieces[order]};
    }
    return true;
}

} // namespace

void *take_parked_memory(std::size_t bytes) {
    if (order::by != order::rule::work)
        return std::malloc(bytes);
    const unsigned order = order_of(bytes);
    if (order > most_order)
        return map(bytes);
    if (free_pieces[order] == nullptr && !add_pieces(order))
        return nullptr;
    free_piece *const taken = free_pieces[order];
    free_pieces[order] = taken->next;
    return taken;
}

void give_parked_memory(void *memory, std::size_t bytes) {
    if (order::by != order::rule::work) {
        std::free(memory);
        return;
    }
    const unsigned order = order_of(bytes);
    if (order > most_order)
        munmap(memory, bytes);
    else
        free_pieces[order] = new (memory) free_piece{free_pieces[order]};
}

} // namespace saguaro::detmpi
