// SPDX-License-Identifier: MIT
// Checking an access: does it race with what its memory's cells remember? Inline, for what
// compilers call at each access.
#pragma once

#include "race/detector.hpp"
#include "race/reports.hpp"
#include "race/shadow.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace saguaro::race {

enum class access { read, write };

// An access by the strand that runs. `flag` is atomic_bit or 0; `place` is in the program's code.
struct accessor {
    strand flag;
    address place;

    std::uint32_t low() const { return static_cast<std::uint32_t>(place); }
    strand self() const { return now.self | flag; }

    // Two atomic operations do not race.
    bool races_with(strand earlier) const {
        return now.is_parallel(earlier & ~atomic_bit) && (flag == 0 || (earlier & atomic_bit) == 0);
    }
};

// Not of a split cell.
inline void write_cell(cell &c, address at, const accessor &by) {
    if (c.is_empty()) {
        now.touch(at & ~(cell_bytes - 1));
    } else {
        if (by.races_with(c.writer)) [[unlikely]]
            report(at, {c.writer, c.writer_place, access_kind::write}, by.place,
                   access_kind::write);
        if (by.races_with(c.reader)) [[unlikely]]
            report(at, {c.reader, c.reader_place, access_kind::read}, by.place, access_kind::write);
    }
    c = {by.self(), 0, by.low(), 0};
}

inline void read_cell(cell &c, address at, const accessor &by) {
    if (by.races_with(c.writer)) [[unlikely]]
        report(at, {c.writer, c.writer_place, access_kind::write}, by.place, access_kind::read);
    if (c.writer == by.self())
        return;
    // A reader that is parallel stays: whatever is parallel to this one is parallel to that one, if
    // it comes later (Feng and Leiserson). But a plain read stands for more than an atomic one.
    if (now.is_parallel(c.reader & ~atomic_bit) && ((c.reader & atomic_bit) == 0 || by.flag != 0))
        return;
    if (c.is_empty())
        now.touch(at & ~(cell_bytes - 1));
    c.reader = by.self();
    c.reader_place = by.low();
}

template <access kind>
void access_cell(cell &c, address at, const accessor &by) {
    if constexpr (kind == access::write)
        write_cell(c, at, by);
    else
        read_cell(c, at, by);
}

// The strand that runs has done the same to it, or more.
template <access kind>
bool is_own(const cell &c) {
    if constexpr (kind == access::write)
        return c.writer == now.self && c.reader == 0;
    else
        return c.writer == now.self || c.reader == now.self;
}

// A read that changes nothing: after a serial write, and beside a parallel read, as of a matrix
// that all strands read. False if that is not known yet.
inline bool is_one_more_read(const cell &c) {
    return (c.writer == 0 || now.serial_kin.holds(c.writer)) && now.parallel_kin.holds(c.reader);
}

// Some bytes of one cell.
template <access kind>
[[gnu::noinline]] void check_part(address at, std::size_t bytes, const accessor &by) {
    cell &whole = *cell_of(at);
    if (!whole.is_split())
        split(whole);
    cell *const parts = splits[whole.writer_place].at;
    now.touch(at & ~(cell_bytes - 1));
    for (const address end = at + bytes; at < end; ++at) {
        cell &c = parts[at % cell_bytes];
        if (by.flag != 0 || !is_own<kind>(c))
            access_cell<kind>(c, at, by);
    }
}

// Any bytes.
template <access kind>
[[gnu::noinline]] void check_range(address at, std::size_t bytes, const accessor &by) {
    if (now.off != 0)
        return;
    const address end = at + bytes;
    if (at % cell_bytes != 0) {
        const address next = std::min((at | (cell_bytes - 1)) + 1, end);
        check_part<kind>(at, next - at, by);
        at = next;
    }
    for (; at + cell_bytes <= end; at += cell_bytes) {
        cell &c = *cell_of(at);
        if (by.flag == 0 && is_own<kind>(c))
            continue;
        if (c.is_split()) [[unlikely]]
            check_part<kind>(at, cell_bytes, by);
        else
            access_cell<kind>(c, at, by);
    }
    if (at < end)
        check_part<kind>(at, end - at, by);
}

// Whole cells, most often.
template <access kind, std::size_t cells>
[[gnu::noinline]] void check_cells(address at, address place) {
    if (now.off != 0) [[unlikely]]
        return;
    cell *const c = cell_of(at);
    bool are_whole = at % cell_bytes == 0;
    for (std::size_t i = 0; i < cells; ++i)
        are_whole = are_whole && !c[i].is_split();
    const accessor by{0, place};
    if (!are_whole) [[unlikely]] {
        check_range<kind>(at, cells * cell_bytes, by);
        return;
    }
    for (std::size_t i = 0; i < cells; ++i)
        access_cell<kind>(c[i], at + i * cell_bytes, by);
}

// The place of the call of the function that says it.
#define SG_CALLER (saguaro::race::address_of(__builtin_return_address(0)))

// The caller of the function that says it reads, or writes, so many bytes.
#define SG_ACCESSES(kind, at, bytes)                                                               \
    (saguaro::race::check_range<saguaro::race::access::kind>(saguaro::race::address_of(at), bytes, \
                                                             {0, SG_CALLER}))
#define SG_READS(at, bytes) SG_ACCESSES(read, at, bytes)
#define SG_WRITES(at, bytes) SG_ACCESSES(write, at, bytes)

// What compilers call at an access of a type's size: most often the strand has done the same there.
template <access kind, std::size_t bytes>
[[gnu::always_inline]] inline void check(address at, address place) {
    const cell *const c = cell_of(at);
    if constexpr (bytes < cell_bytes) {
        if (is_own<kind>(*c)) [[likely]]
            return;
        if (bytes == 1 && c->is_split() &&
            is_own<kind>(splits[c->writer_place].at[at % cell_bytes]))
            return;
        check_range<kind>(at, bytes, {0, place});
    } else {
        constexpr std::size_t cells = bytes / cell_bytes;
        bool are_own = at % cell_bytes == 0;
        for (std::size_t i = 0; i < cells; ++i)
            are_own = are_own && is_own<kind>(c[i]);
        if (are_own) [[likely]]
            return;
        if constexpr (kind == access::read) {
            bool are_more = at % cell_bytes == 0;
            for (std::size_t i = 0; i < cells; ++i)
                are_more = are_more && is_one_more_read(c[i]);
            if (are_more)
                return;
        }
        check_cells<kind, cells>(at, place);
    }
}

} // namespace saguaro::race
