// SPDX-License-Identifier: MIT
// Who accessed each place of the program's memory last.
//
// Each 4 bytes of the program have a cell of 16, at a fixed function of their address: the strand
// that wrote last, one that has read since, and where in the program both did. A write forgets the
// reader, so "it was this strand" is one comparison of 8 bytes. Accesses to less than the 4 bytes
// split the cell into four, one for each byte, which lie elsewhere.
#pragma once

#include "race/order.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::race {

using address = std::uintptr_t;

// Of a strand in a cell: it accessed by an atomic operation.
inline constexpr strand atomic_bit = 0x80000000U;

// As a cell's writer and reader: the cell is split, and its first place is the number of the four.
inline constexpr strand split_mark = 0xffffffffU;

struct alignas(16) cell {
    strand writer;
    strand reader;
    std::uint32_t writer_place; // the low half of an address in the program's code
    std::uint32_t reader_place;

    bool is_empty() const { return (writer | reader) == 0; }
    bool is_split() const { return writer == split_mark; }
};

// The cells of the 4 bytes that a split cell stands for.
struct alignas(64) split_cells {
    cell at[4];
};

inline constexpr std::size_t cell_bytes = 4;

// The program, its heap and its mappings lie at addresses that differ in these bits: 47 bits of
// address space are used by three narrow bands. A cell is four times as large as its memory.
inline constexpr address shadowed = (address{1} << 42) - 1;

// The shadow's first cell; null before the start.
extern char *shadow_begin;
extern split_cells *splits;

inline cell *cell_of(address at) {
    return reinterpret_cast<cell *>(shadow_begin + ((at & shadowed & ~(cell_bytes - 1)) << 2));
}

// Reserves the address space. False: the system refuses it.
bool make_shadow();

// Gives each byte of the cell a cell of its own, with what it has.
void split(cell &c);

// The memory [begin, begin + bytes) is as if nobody had accessed it.
void forget(address begin, std::size_t bytes);

// Address space of that size, zeros, whose pages are had when they are touched; null if the system
// refuses it.
void *reserve(std::size_t bytes);

} // namespace saguaro::race
