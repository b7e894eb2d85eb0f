// SPDX-License-Identifier: MIT
// Allocating shadow page tables, counting their references and freeing their pages.
#include "spmc/tables.hpp"

#include "platform/arithmetic.hpp"
#include "spmc/shared_list.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace saguaro::spmc {

namespace {

// A table that is used again keeps so many of its pages; the rest goes back to the system. To clear
// a page takes a thirtieth of what it takes to get one.
constexpr std::uint64_t most_kept = 512;

constexpr std::uint64_t end_of_file = ~std::uint64_t{0};

// Where the file has memory, from `from` on; `end_of_file` if nowhere.
std::uint64_t next_data(const job &all, std::uint64_t from) {
    const off_t found = lseek(all.writable(), static_cast<off_t>(from), SEEK_DATA);
    return found < 0 ? end_of_file : static_cast<std::uint64_t>(found);
}

void give_back(const job &all, std::uint64_t from, std::uint64_t bytes) {
    // Where it fails, the memory stays until the job ends.
    [[maybe_unused]] const int done =
        fallocate(all.writable(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(from), static_cast<off_t>(bytes));
}

// Calls visit(first, end) for the bytes within [from, to) of the file that have memory, page by
// page: to ask where a run of pages ends takes the longer, the more pages follow, whosever they
// are.
template <class Visit>
void for_each_data_page(const job &all, std::uint64_t from, std::uint64_t to, Visit visit) {
    for (std::uint64_t at = next_data(all, from); at < to;) {
        const std::uint64_t end = std::min((at / page_bytes + 1) * page_bytes, to);
        visit(at, end);
        at = end < to ? next_data(all, end) : to;
    }
}

// How many of the first pages there have to be looked at to have seen all memory.
std::uint64_t pages_with_data(const job &all, std::uint64_t from, std::uint64_t pages) {
    const auto has_data = [&](std::uint64_t first) {
        return next_data(all, from + first * page_bytes) < from + pages * page_bytes;
    };
    if (has_data(pages - 1))
        return pages;
    std::uint64_t known = 0; // the last one with memory is this or one behind it, if there is any
    for (std::uint64_t beyond = pages - 1; known < beyond;) {
        const std::uint64_t middle = known + (beyond - known) / 2;
        if (has_data(middle))
            known = middle + 1;
        else
            beyond = middle;
    }
    return known;
}

// One reference less. A table without any goes in front of `dead`.
void drop(const job &all, table &of, table *&dead) {
    // Release: what this space did with it comes before its recycling; acquire: for the last one.
    if (of.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    // Relaxed: nobody else has it in hand.
    of.next.store(dead != nullptr ? all.place_of(dead) : 0, std::memory_order_relaxed);
    dead = &of;
}

// Offset of the entries in the file: the control area is its begin.
std::uint64_t entries_offset(const table &of) {
    return std::uint64_t{of.entries} * unit_bytes;
}

// Gives back the memory of bytes of the control area; what is left of them are zeros.
void clear_by_giving_back(const job &all, std::uint64_t at, std::uint64_t end) {
    const std::uint64_t first = platform::round_up(at, page_bytes);
    const std::uint64_t last = end / page_bytes * page_bytes;
    give_back(all, first, last - first);
    std::memset(all.control() + at, 0, first - at);
    std::memset(all.control() + last, 0, end - last);
}

// Makes all entries zeros, and adds to `dead` the tables that pages were expanded to and that
// nobody else refers to. Looks only where there is memory: a region of a terabyte has entries of
// two gigabytes.
void clear_entries(job &all, table &of, table *&dead) {
    constexpr std::uint64_t many = 16 * page_bytes;
    const std::uint64_t begin = entries_offset(of);
    const std::uint64_t bytes = of.pages * sizeof(entry);
    for_each_data_page(all, begin, begin + bytes, [&](std::uint64_t at, std::uint64_t end) {
        const entry *const first = &all.entry_of(of, (at - begin) / sizeof(entry));
        const entry *const last = &all.entry_of(of, (end - begin) / sizeof(entry));
        for (const entry *e = first; e != last; ++e)
            if (kind_of(*e) == page::extended)
                drop(all, *expansion_of(all, *e), dead);
        if (bytes < many)
            std::memset(all.control() + at, 0, end - at);
    });
    if (bytes >= many)
        clear_by_giving_back(all, begin, begin + bytes);
}

// Keeps the first pages for the next use, and gives back the others.
void recycle_data(job &all, table &of) {
    // Of all that there is room for: an earlier use may have had more pages.
    const std::uint64_t room = std::uint64_t{1} << of.order;
    const std::uint64_t pages = std::min(room, most_kept);
    const std::uint64_t kept = pages * page_bytes;
    const std::uint64_t all_bytes = room * page_bytes;
    of.dirty = static_cast<std::uint32_t>(pages_with_data(all, of.data, pages));
    if (all_bytes > kept && next_data(all, of.data + kept) < of.data + all_bytes)
        give_back(all, of.data + kept, all_bytes - kept);
}

table *fresh_table(job &all, std::uint32_t order) {
    const std::uint64_t pages = std::uint64_t{1} << order;
    const place where = take_control(all, sizeof(table));
    const place entries = take_control(all, pages * sizeof(entry));
    if (where == 0 || entries == 0)
        return nullptr;
    table &made = *all.at<table>(where);
    made.entries = entries;
    made.order = order;
    // Relaxed: it shares nothing but the number.
    const std::uint64_t used =
        all.header().data_used.fetch_add(pages * page_bytes, std::memory_order_relaxed);
    made.data = all.header().control_bytes + used;
    return &made;
}

} // namespace

table *new_table(job &all, std::uint64_t pages) {
    const auto order = static_cast<std::uint32_t>(std::bit_width(pages - 1));
    if (order >= most_orders)
        return nullptr;
    table *made = take_first<table>(all, all.header().free_tables[order]);
    if (made == nullptr)
        made = fresh_table(all, order);
    if (made == nullptr)
        return nullptr;
    made->pages = pages;
    // Relaxed, all: others learn of it through a grant, or through an extended page.
    made->references.store(1, std::memory_order_relaxed);
    made->producers.store(1, std::memory_order_relaxed);
    made->owner.store(all.self_slot(), std::memory_order_relaxed);
    return made;
}

void retain(table &of) {
    // Relaxed: the caller's own reference keeps it alive.
    of.references.fetch_add(1, std::memory_order_relaxed);
}

void release(job &all, table &of) {
    // A list and no recursion: an endless stream that nobody has read is a chain of such tables.
    table *dead = nullptr;
    drop(all, of, dead);
    while (dead != nullptr) {
        table &each = *dead;
        const place next = each.next.load(std::memory_order_relaxed);
        dead = next != 0 ? all.at<table>(next) : nullptr;
        clear_entries(all, each, dead);
        recycle_data(all, each);
        put_back(all, all.header().free_tables[each.order], each);
    }
}

void keep_out_of_copies(void *begin, std::size_t bytes) {
    madvise(begin, bytes, MADV_DONTFORK);
    madvise(begin, bytes, MADV_DONTDUMP);
}

std::uint32_t kind_of(const entry &e) {
    // Acquire pairs with the release of the producer that fixed or extended the page: its contents,
    // or the table that it was expanded to.
    return e.state.load(std::memory_order_acquire) & page::kind;
}

table *expansion_of(job &all, const entry &e) {
    // Relaxed: `kind_of` has acquired it.
    return all.at<table>(e.other.load(std::memory_order_relaxed) & ~is_table);
}

std::uint32_t tagged(const job &all, const table &expansion) {
    return all.place_of(&expansion) | is_table;
}

slot producer_of(const table &of, const entry &e) {
    // Relaxed, all: a transfer may be under way, and whoever asks looks again.
    // An expansion, which is written before the state says so, is no slot.
    const std::uint32_t own = e.other.load(std::memory_order_relaxed);
    return own != 0 && (own & is_table) == 0 ? own : of.owner.load(std::memory_order_relaxed);
}

bool is_given_up(const table &of, const entry &e) {
    // Acquire, both: pair with the releases of who gave it up, and may have fixed it before.
    return of.producers.load(std::memory_order_acquire) == 0 ||
           e.other.load(std::memory_order_acquire) == nobody;
}

} // namespace saguaro::spmc
