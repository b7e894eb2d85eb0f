// SPDX-License-Identifier: MIT
#include "spmc/grants.hpp"

#include "spmc/lines.hpp"
#include "spmc/regions.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/waiting.hpp"

#include <atomic>
#include <cinttypes>
#include <sys/mman.h>

namespace saguaro::spmc {

namespace {

void map_grant(job &all, grant &given) {
    piece p{};
    p.address = given.to;
    p.pages = given.pages;
    p.first = given.first;
    p.of = all.at<table>(given.of);
    p.produces = given.produces != 0;
    if (pieces::mine().any_in(p.address, p.pages * page_bytes)) {
        char name[name_bytes];
        trap("space %s gave it %" PRIu64 " pages at 0x%" PRIxPTR
             ", where it has others: free these first, or give another address",
             name_of(given.from, name), p.pages, p.address);
    }
    // A page that was touched is opened when it is needed, and so is one that is fixed.
    map_or_give_up(p, PROT_NONE);
    put_back(all, all.header().free_grants, given);
}

} // namespace

bool give(job &all, slot whom, const piece &what, std::uintptr_t to) {
    grant *given = take_first<grant>(all, all.header().free_grants);
    if (given == nullptr) {
        const place fresh = take_control(all, sizeof(grant));
        if (fresh == 0)
            return false;
        given = all.at<grant>(fresh);
    }
    given->to = to;
    given->pages = what.pages;
    given->first = what.first;
    given->of = all.place_of(what.of);
    given->from = all.self_slot();
    given->produces = what.produces ? 1 : 0;
    space &target = all.space_in(whom);
    const place me = all.place_of(given);
    std::uint32_t seen = target.grants.load(std::memory_order_relaxed);
    do
        given->next.store(seen, std::memory_order_relaxed);
    // Release pairs with the acquire in `accept_grants`: what stands above.
    while (!target.grants.compare_exchange_weak(seen, me, std::memory_order_release,
                                                std::memory_order_relaxed));
    // Release pairs with the acquire in `find_or_wait`, which then finds the grant.
    target.grants_made.fetch_add(1, std::memory_order_release);
    wake_all(target.grants_made);
    return true;
}

void accept_grants(job &all) {
    // Acquire pairs with the release in `give`.
    place at = all.self().grants.exchange(0, std::memory_order_acquire);
    // The newest is first; they are mapped in the order in which they came.
    grant *oldest = nullptr;
    while (at != 0) {
        grant *const each = all.at<grant>(at);
        at = each->next.load(std::memory_order_relaxed);
        each->next.store(oldest != nullptr ? all.place_of(oldest) : 0, std::memory_order_relaxed);
        oldest = each;
    }
    while (oldest != nullptr) {
        const place next = oldest->next.load(std::memory_order_relaxed);
        map_grant(all, *oldest);
        oldest = next != 0 ? all.at<grant>(next) : nullptr;
    }
}

void find_or_wait(job &all, std::uintptr_t address, piece &out) {
    if (pieces::mine().find(address, out))
        return;
    std::atomic<std::uint32_t> &made = all.self().grants_made;
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `give`.
        expected = made.load(std::memory_order_acquire);
        // A hint: most looks find nothing new.
        if (all.self().grants.load(std::memory_order_relaxed) != 0)
            accept_grants(all);
        return pieces::mine().find(address, out);
    };
    wait_until({wait_kind::grant, made, 0, address}, look, [] { /* always woken */ });
}

} // namespace saguaro::spmc
