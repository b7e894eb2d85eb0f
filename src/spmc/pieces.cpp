// SPDX-License-Identifier: MIT
// The sorted list of mapped pieces: inserting, splitting, cutting and finding them.
#include "spmc/pieces.hpp"

#include "spmc/lines.hpp"
#include "spmc/tables.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <sys/mman.h>

namespace saguaro::spmc {

namespace {

// More than the kernel lets a process map; addresses only.
constexpr std::size_t most_pieces = std::size_t{1} << 20;

constinit std::mutex list_lock; // guards the rest
piece *items = nullptr;         // in the order of their addresses, in memory of our own: what the
std::size_t items_used = 0;     // heap gives a program must not depend on when pages come
std::uint64_t last_made = 0;

bool prepare_list() {
    if (items != nullptr)
        return true;
    void *const memory = mmap(nullptr, most_pieces * sizeof(piece), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    items = static_cast<piece *>(memory);
    return true;
}

// The first piece that ends behind the address.
std::size_t first_behind(std::uintptr_t address) {
    return static_cast<std::size_t>(
        std::upper_bound(items, items + items_used, address,
                         [](std::uintptr_t a, const piece &p) { return a < p.end(); }) -
        items);
}

void insert(std::size_t where, const piece &p) {
    if (items_used == most_pieces)
        give_up("it has %zu ranges of pages, and there is no room for more", items_used);
    std::copy_backward(items + where, items + items_used, items + items_used + 1);
    items[where] = p;
    ++items_used;
}

// A part of a piece is a user of the table like the piece.
void retain_part(const piece &p) {
    retain(*p.of);
    if (p.produces)
        // Relaxed: as `retain`.
        p.of->producers.fetch_add(1, std::memory_order_relaxed);
}

// Nobody here fixes the piece's pages any more. Release, both: what was fixed before is fixed for
// whoever finds no producer.
void give_up_production(piece &p) {
    if (!p.produces)
        return;
    p.produces = false;
    job &all = job::mine();
    // Of a part each page says so, because others produce the rest.
    if (p.pages != p.of->pages)
        for (std::uint64_t i = 0; i < p.pages; ++i)
            if (entry &e = all.entry_of(*p.of, p.first + i); kind_of(e) < page::fixed)
                e.other.store(nobody, std::memory_order_release);
    p.of->producers.fetch_sub(1, std::memory_order_release);
}

void drop(piece &p) {
    give_up_production(p);
    release(job::mine(), *p.of);
}

// Makes `at` a border between two pieces.
void split(std::uintptr_t at) {
    const std::size_t i = first_behind(at);
    if (i == items_used || items[i].address >= at)
        return;
    piece upper = items[i];
    upper.pages = (items[i].end() - at) / page_bytes;
    upper.first = items[i].page_at(at);
    upper.address = at;
    retain_part(upper);
    items[i].pages -= upper.pages;
    insert(i + 1, upper);
}

// Takes the pieces within these addresses from the list, and their references.
void cut(std::uintptr_t address, std::uintptr_t end) {
    split(address);
    split(end);
    const std::size_t first = first_behind(address);
    std::size_t last = first;
    while (last < items_used && items[last].address < end)
        drop(items[last++]);
    std::copy(items + last, items + items_used, items + first);
    items_used -= last - first;
}

bool map_pages(const piece &p, int protection) {
    const job &all = job::mine();
    void *const where = reinterpret_cast<void *>(p.address);
    const std::size_t bytes = p.pages * page_bytes;
    // A consumer's descriptor only reads: its pages can never be made writable.
    const int fd = p.produces ? all.writable() : all.readable();
    if (mmap(where, bytes, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd,
             static_cast<off_t>(p.of->data + p.first * page_bytes)) == MAP_FAILED)
        return false;
    keep_out_of_copies(where, bytes);
    return true;
}

} // namespace

pieces &pieces::mine() {
    static pieces all;
    return all;
}

bool pieces::find(std::uintptr_t address, piece &out) {
    const std::lock_guard guard(list_lock);
    const std::size_t i = first_behind(address);
    if (i == items_used || items[i].address > address)
        return false;
    out = items[i];
    retain(*out.of);
    return true;
}

void pieces::done_with(const piece &p) {
    release(job::mine(), *p.of);
}

bool pieces::map(const piece &p, int protection) {
    const std::lock_guard guard(list_lock);
    if (!prepare_list() || !map_pages(p, protection))
        return false;
    cut(p.address, p.end());
    piece mapped = p;
    mapped.made = ++last_made;
    insert(first_behind(p.address), mapped);
    return true;
}

bool pieces::find_within(std::uintptr_t address, std::uint64_t bytes, piece &out) {
    const std::lock_guard guard(list_lock);
    const std::size_t i = first_behind(address);
    if (i == items_used || items[i].address >= address + bytes)
        return false;
    out = items[i];
    retain(*out.of);
    return true;
}

std::unique_lock<std::mutex> pieces::hold(piece &found, std::uintptr_t address) {
    std::unique_lock held(list_lock);
    const std::size_t i = first_behind(address);
    if (i == items_used || items[i].address > address || items[i].made != found.made)
        held.unlock();
    else
        found = items[i];
    return held;
}

void pieces::unmap(std::uintptr_t address, std::uint64_t bytes) {
    const std::lock_guard guard(list_lock);
    if (items == nullptr)
        return;
    if (munmap(reinterpret_cast<void *>(address), bytes) != 0)
        give_up_mapping("unmap", bytes, address);
    cut(address, address + bytes);
}

bool pieces::become_consumer(std::uintptr_t address, std::uint64_t bytes) {
    const std::lock_guard guard(list_lock);
    const std::uintptr_t end = address + bytes;
    std::uintptr_t at = address;
    for (std::size_t i = first_behind(at); at < end; at = items[i++].end())
        if (i == items_used || items[i].address > at || !items[i].produces)
            return false;
    split(address);
    split(end);
    for (std::size_t i = first_behind(address); i < items_used && items[i].address < end; ++i) {
        piece &p = items[i];
        p.produces = false;
        if (!map_pages(p, PROT_NONE))
            give_up_mapping("map for reading", p.pages * page_bytes, p.address);
        p.made = ++last_made;
    }
    return true;
}

void pieces::fix_no_more() {
    const std::lock_guard guard(list_lock);
    for (std::size_t i = 0; i < items_used; ++i)
        give_up_production(items[i]);
}

void pieces::unmap_all() {
    const std::lock_guard guard(list_lock);
    for (std::size_t i = 0; i < items_used; ++i) {
        munmap(reinterpret_cast<void *>(items[i].address), items[i].pages * page_bytes);
        drop(items[i]);
    }
    items_used = 0;
}

void pieces::before_fork() {
    list_lock.lock();
}

void pieces::after_fork(bool in_child) {
    // Mostly there is nothing to unmap; but qemu's user mode copies what it should not.
    for (std::size_t i = 0; in_child && i < items_used; ++i)
        munmap(reinterpret_cast<void *>(items[i].address), items[i].pages * page_bytes);
    if (in_child)
        items_used = 0;
    list_lock.unlock();
}

} // namespace saguaro::spmc
