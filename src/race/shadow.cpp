// SPDX-License-Identifier: MIT
// Reserving the shadow, splitting cells, forgetting accesses.
#include "race/shadow.hpp"

#include <sys/mman.h>
#include <vector>

namespace saguaro::race {

char *shadow_begin = nullptr;
split_cells *splits = nullptr;

namespace {

constexpr std::size_t most_splits = std::size_t{1} << 28;

// From this many bytes on, whole pages of the shadow go back to the system.
constexpr std::size_t large = 65536;

std::uint32_t splits_used = 0;
std::vector<std::uint32_t> *splits_free = nullptr; // never destroyed: memory is freed to the last

void give_back_splits(address begin, address end) {
    for (address at = begin; at < end; at += cell_bytes)
        if (const cell &c = *cell_of(at); c.is_split())
            splits_free->push_back(c.writer_place);
}

void forget_cells(address begin, address end) {
    give_back_splits(begin, end);
    for (address at = begin; at < end; at += cell_bytes)
        *cell_of(at) = {};
}

} // namespace

void *reserve(std::size_t bytes) {
    void *const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED)
        return nullptr;
    // A cell here and there must not cost 2 MB.
    madvise(begin, bytes, MADV_NOHUGEPAGE);
    madvise(begin, bytes, MADV_DONTDUMP);
    return begin;
}

bool make_shadow() {
    splits_free = new std::vector<std::uint32_t>;
    splits = static_cast<split_cells *>(reserve(most_splits * sizeof(split_cells)));
    void *const begin = reserve((shadowed + 1) / cell_bytes * sizeof(cell));
    if (splits == nullptr || begin == nullptr)
        return false;
    shadow_begin = static_cast<char *>(begin);
    return true;
}

void split(cell &c) {
    std::uint32_t which = splits_used;
    if (splits_free->empty()) {
        ++splits_used;
    } else {
        which = splits_free->back();
        splits_free->pop_back();
    }
    for (cell &each : splits[which].at)
        each = c;
    c = {split_mark, split_mark, which, 0};
}

void forget(address begin, std::size_t bytes) {
    const address end = begin + bytes;
    begin &= ~(cell_bytes - 1);
    // A page of the shadow, in bytes of the program.
    constexpr address page = 4096 / sizeof(cell) * cell_bytes;
    if (bytes >= large) {
        const address first = (begin + page - 1) & ~(page - 1);
        const address last = end & ~(page - 1);
        forget_cells(begin, first);
        give_back_splits(first, last);
        madvise(cell_of(first), (last - first) / cell_bytes * sizeof(cell), MADV_DONTNEED);
        begin = last;
    }
    forget_cells(begin, end);
}

} // namespace saguaro::race
