// SPDX-License-Identifier: MIT
// The primitives of spmc.h over pieces: allocating, fixing, moving and freeing regions.
#include "spmc/regions.hpp"

#include "saguaro/spmc.h"
#include "spmc/grants.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/spaces.hpp"
#include "spmc/tables.hpp"
#include "spmc/trace/record.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE // Linux 5.14; before it the pages come one by one
#define MADV_POPULATE_WRITE 23
#endif

namespace saguaro::spmc {

namespace {

// Behind all regions that this space, or those from which it descends when it began, had without a
// wish. 0: a space that has just begun.
std::atomic<std::uintptr_t> next_fresh{0};

// ---- What a caller may give ----

// A range of pages within the window. Says what is wrong with it.
bool is_range(const char *function, const void *address, std::uint64_t size) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at % page_bytes == 0 && size % page_bytes == 0 && size > 0 && in_window(at, size))
        return true;
    say("%s was given %" PRIu64 " bytes at 0x%" PRIxPTR ": regions are whole pages of %zu bytes "
        "within 0x%" PRIxPTR " to 0x%" PRIxPTR,
        function, size, at, page_bytes, window_begin, window_end);
    return false;
}

bool is_other_space(const char *function, const job &all, spmc_space index, slot &out) {
    out = slot_of(index);
    if (out != all.self_slot())
        return true;
    say("%s was given space %" PRIu64 ", which is the caller itself", function, index);
    return false;
}

// Addresses for a region without a wish.
std::uintptr_t take_fresh(std::size_t size) {
    std::uintptr_t known = next_fresh.load(std::memory_order_relaxed);
    std::uintptr_t at;
    do
        at = known != 0 ? known : fresh_address();
    while (!next_fresh.compare_exchange_weak(known, at + size, std::memory_order_relaxed));
    return at;
}

// ---- Walks over a range ----

// The part of a piece within [at, end).
piece part_of(const piece &p, std::uintptr_t at, std::uintptr_t end) {
    piece part = p;
    part.first = p.page_at(at);
    part.pages = (std::min(end, p.end()) - at) / page_bytes;
    part.address = at;
    return part;
}

// Calls visit(piece, part) for each piece within the range, in order; waits for those that somebody
// is to give first.
template <class Visit>
void for_each_part(job &all, void *address, std::uint64_t size, Visit visit) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    for (std::uintptr_t at = begin; at < begin + size;) {
        piece p{};
        find_or_wait(all, at, p);
        const piece part = part_of(p, at, begin + size);
        visit(p, part);
        at = part.end();
        pieces::mine().done_with(p);
    }
}

template <class Visit>
void for_each_page(job &all, const piece &part, Visit visit) {
    for (std::uint64_t i = 0; i < part.pages; ++i)
        visit(all.entry_of(*part.of, part.first + i), part.address + i * page_bytes);
}

// What may be done with one's own pages that are not fixed or extended; each with the lines for
// those that are not.
struct act {
    const char *of_others;
    const char *of_fixed;
    const char *of_extended;
};
constexpr act a_fix{"a fix of a page that it does not produce", "a fix of a fixed page",
                    "a fix of an extension page"};
constexpr act an_extension{"", "an extension of a fixed page", "an extension of an extended page"};

void must_be_open(const act &what, const piece &p, std::uintptr_t address, const entry &e) {
    const std::uint32_t kind = kind_of(e);
    if (kind >= page::fixed)
        break_rule(kind == page::fixed ? what.of_fixed : what.of_extended, p, address);
}

// ---- What becomes of pages ----

// The page is from now on what its producer has made it. Wakes who waits for it.
void produce(entry &e, std::uint32_t kind) {
    // Release pairs with the acquire in `kind_of`: the contents, or the expansion.
    if ((e.state.exchange(kind, std::memory_order_release) & page::waiters) != 0)
        wake_all(e.state);
}

// Maps a table that nobody else knows. Its pages are zeros, also those that had another use.
void map_fresh(job &all, const piece &p) {
    map_or_give_up(p, writing);
    void *const begin = reinterpret_cast<void *>(p.address);
    const std::size_t dirty = std::min<std::size_t>(p.of->dirty, p.pages) * page_bytes;
    if (dirty > 0) {
        madvise(begin, dirty, MADV_POPULATE_WRITE);
        std::memset(begin, 0, dirty);
    }
    if (all.enforces())
        protect(p.address, p.pages * page_bytes, PROT_NONE);
}

table *table_or_line(job &all, const char *function, std::uint64_t size) {
    table *const made = new_table(all, size / page_bytes);
    if (made == nullptr)
        say("%s: no room for the state of %" PRIu64 " pages: the job has %zu bytes for it",
            function, size / page_bytes, all.control_bytes());
    return made;
}

piece whole(table &of, void *address) {
    piece p{};
    p.address = reinterpret_cast<std::uintptr_t>(address);
    p.pages = of.pages;
    p.of = &of;
    p.produces = true;
    return p;
}

// A page's producer is another space from now on.
void change_producer(job &all, const piece &part, slot to) {
    if (part.pages == part.of->pages) {
        // Relaxed, here and below: who waits for a page looks again, and needs no more.
        part.of->owner.store(to, std::memory_order_relaxed);
        return;
    }
    for_each_page(all, part, [&](entry &e, std::uintptr_t) {
        if (kind_of(e) < page::fixed)
            e.other.store(to, std::memory_order_relaxed);
    });
}

// Takes over one of the producers' if the part produces.
void give_part(job &all, const char *function, slot whom, const piece &part, std::uintptr_t to) {
    retain(*part.of);
    if (!give(all, whom, part, to))
        give_up("%s: no room for one more grant", function);
}

// Under the lock of the pieces, so that no fault of another thread opens a page that becomes fixed.
void fix_part(job &all, piece whole, const piece &part) {
    const auto held = pieces::mine().hold(whole, part.address);
    if (!held.owns_lock() || whole.end() < part.end())
        break_rule(a_fix.of_others, part, part.address);
    for_each_page(all, part,
                  [&](const entry &e, std::uintptr_t at) { must_be_open(a_fix, whole, at, e); });
    // First nobody can write any more; then everybody may read.
    protect(part.address, part.pages * page_bytes, PROT_READ);
    for_each_page(all, part, [](entry &e, std::uintptr_t) { produce(e, page::fixed); });
}

int extend_as_producer(job &all, piece p, std::uintptr_t extension, void *address,
                       std::size_t size) {
    entry &e = all.entry_of(*p.of, p.page_at(extension));
    must_be_open(an_extension, p, extension, e);
    if (kind_of(e) == page::touched)
        break_rule("an extension of a page that it has written to", p, extension);
    table *const fresh = table_or_line(all, "spmc_extend", size);
    if (fresh == nullptr)
        return ENOMEM;
    retain(*fresh); // the page refers to it too
    {
        const auto held = pieces::mine().hold(p, extension);
        // Another thread of this space may have been faster.
        if (!held.owns_lock())
            break_rule("an extension of a page that another thread has replaced meanwhile", p,
                       extension);
        must_be_open(an_extension, p, extension, e);
        protect(extension, page_bytes, PROT_NONE);
        e.other.store(tagged(all, *fresh), std::memory_order_relaxed);
        produce(e, page::extended);
    }
    map_fresh(all, whole(*fresh, address));
    return 0;
}

int extend_as_consumer(job &all, const piece &p, std::uintptr_t extension, void *address,
                       std::size_t size) {
    if (wait_for_page(all, p, extension) == page::fixed)
        break_rule("an extension of a page that its producer has fixed as data", p, extension);
    table *const next = expansion_of(all, all.entry_of(*p.of, p.page_at(extension)));
    if (size / page_bytes > next->pages) {
        char rule[120];
        std::snprintf(
            rule, sizeof(rule),
            "an extension by %zu pages of a page that its producer has extended by %" PRIu64,
            size / page_bytes, next->pages);
        break_rule(rule, p, extension);
    }
    retain(*next);
    piece expanded = whole(*next, address);
    expanded.pages = size / page_bytes;
    expanded.produces = false;
    map_or_give_up(expanded, PROT_NONE);
    return 0;
}

} // namespace

std::uintptr_t fresh_address() {
    // Relaxed, here and below: a number of its own.
    const std::uintptr_t known = next_fresh.load(std::memory_order_relaxed);
    if (known != 0)
        return known;
    const std::uintptr_t told = job::mine().self().fresh;
    return told != 0 ? told : window_begin;
}

void map_or_give_up(const piece &p, int protection) {
    if (pieces::mine().map(p, protection))
        return;
    give_up_mapping("map", p.pages * page_bytes, p.address);
}

void protect(std::uintptr_t address, std::uint64_t bytes, int protection) {
    if (mprotect(reinterpret_cast<void *>(address), bytes, protection) == 0)
        return;
    give_up_mapping("protect", bytes, address);
}

void break_rule(const char *rule, const piece &at, std::uintptr_t address) {
    trap("%s: 0x%" PRIxPTR ", page %" PRIu64 " of the %" PRIu64 " at 0x%" PRIxPTR
         ", of which it is the %s",
         rule, address, (address - at.address) / page_bytes, at.pages, at.address,
         at.produces ? "producer" : "consumer");
}

std::uint32_t wait_for_page(job &all, const piece &p, std::uintptr_t address) {
    const std::uint64_t number = p.page_at(address);
    entry &e = all.entry_of(*p.of, number);
    const awaited what{wait_kind::page, e.state, producer_of(*p.of, e), address, p.of, number};
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `produce`.
        expected = e.state.load(std::memory_order_acquire);
        return (expected & page::kind) >= page::fixed;
    };
    const trace::wait shown(trace::kind::wait_page, 0, 0, address);
    // Relaxed: `look` follows, and the producer exchanges the word.
    wait_until(what, look, [&] { e.state.fetch_or(page::waiters, std::memory_order_relaxed); });
    return kind_of(e);
}

} // namespace saguaro::spmc

using namespace saguaro::spmc;

extern "C" {

void *spmc_alloc(void *address, size_t size) {
    job &all = job::mine();
    // The first address stands for any; its own is taken when nothing is wrong with the size.
    const void *const wish = address != nullptr ? address : reinterpret_cast<void *>(window_begin);
    if (!is_range("spmc_alloc", wish, size)) {
        errno = EINVAL;
        return nullptr;
    }
    const std::uintptr_t at =
        address != nullptr ? reinterpret_cast<std::uintptr_t>(address) : take_fresh(size);
    if (!in_window(at, size)) {
        say("spmc_alloc: no addresses are left for a region of %zu bytes", size);
        errno = ENOMEM;
        return nullptr;
    }
    if (piece there{}; pieces::mine().find_within(at, size, there))
        break_rule("an allocation where it has pages", there, std::max(at, there.address));
    table *const fresh = table_or_line(all, "spmc_alloc", size);
    if (fresh == nullptr) {
        errno = ENOMEM;
        return nullptr;
    }
    void *const where = reinterpret_cast<void *>(at);
    map_fresh(all, whole(*fresh, where));
    return where;
}

int spmc_free(void *address, size_t size) {
    if (!is_range("spmc_free", address, size))
        return EINVAL;
    // What is on its way here is freed too, or it would depend on chance what is left.
    for_each_part(job::mine(), address, size, [](const piece &, const piece &) {});
    pieces::mine().unmap(reinterpret_cast<std::uintptr_t>(address), size);
    return 0;
}

int spmc_transfer_ownership(spmc_space space, void *from, void *to, size_t size) {
    job &all = job::mine();
    slot whom = 0;
    if (!is_range("spmc_transfer_ownership", from, size) ||
        !is_range("spmc_transfer_ownership", to, size) ||
        !is_other_space("spmc_transfer_ownership", all, space, whom))
        return EINVAL;
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    constexpr const char *rule = "a transfer of a page that it does not produce";
    for_each_part(all, from, size, [](const piece &p, const piece &part) {
        if (!part.produces)
            break_rule(rule, p, part.address);
    });
    // The other must find the contents, so this space does not change them any more.
    if (!pieces::mine().become_consumer(begin, size))
        trap("%s: 0x%" PRIxPTR ", which another thread has given away meanwhile", rule, begin);
    for_each_part(all, from, size, [&](const piece &, piece part) {
        part.produces = true;
        change_producer(all, part, whom);
        give_part(all, "spmc_transfer_ownership", whom, part,
                  reinterpret_cast<std::uintptr_t>(to) + (part.address - begin));
    });
    return 0;
}

int spmc_copy_consumer(spmc_space space, void *from, void *to, size_t size) {
    job &all = job::mine();
    slot whom = 0;
    if (!is_range("spmc_copy_consumer", from, size) || !is_range("spmc_copy_consumer", to, size) ||
        !is_other_space("spmc_copy_consumer", all, space, whom))
        return EINVAL;
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    for_each_part(all, from, size, [&](const piece &, piece part) {
        part.produces = false;
        give_part(all, "spmc_copy_consumer", whom, part,
                  reinterpret_cast<std::uintptr_t>(to) + (part.address - begin));
    });
    return 0;
}

int spmc_fix(void *address, size_t size) {
    job &all = job::mine();
    if (!is_range("spmc_fix", address, size))
        return EINVAL;
    for_each_part(all, address, size, [&](const piece &p, const piece &part) {
        if (!part.produces)
            break_rule(a_fix.of_others, p, part.address);
        fix_part(all, p, part);
    });
    trace::note_pages(trace::kind::fix, address, size);
    return 0;
}

int spmc_extend(void *extension, void *address, size_t size) {
    job &all = job::mine();
    if (!is_range("spmc_extend", extension, page_bytes) || !is_range("spmc_extend", address, size))
        return EINVAL;
    const auto at = reinterpret_cast<std::uintptr_t>(extension);
    piece p{};
    find_or_wait(all, at, p);
    const int refused = p.produces ? extend_as_producer(all, p, at, address, size)
                                   : extend_as_consumer(all, p, at, address, size);
    trace::note_pages(trace::kind::extend, address, size);
    pieces::mine().done_with(p);
    return refused;
}

} // extern "C"
