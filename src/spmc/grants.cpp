// SPDX-License-Identifier: MIT
// Giving pages to another space, and mapping the grants that have come.
#include "spmc/grants.hpp"

#include "spmc/ends.hpp"
#include "spmc/lines.hpp"
#include "spmc/regions.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/tables.hpp"
#include "spmc/trace/record.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <sys/mman.h>

namespace saguaro::spmc {

namespace {

// The grants of this space that it has seen and not mapped, the oldest first.
constinit std::mutex seen_lock; // guards the rest
constinit place oldest = 0;
constinit place newest = 0;

place next_of(const job &all, place of) {
    // Relaxed, here and below: a grant that was taken off its space's list is one thread's.
    return all.at<grant>(of)->next.load(std::memory_order_relaxed);
}

void link(const job &all, place from, place to) {
    all.at<grant>(from)->next.store(to, std::memory_order_relaxed);
}

// Adds those that came since. Under the lock.
void look_for_new(const job &all) {
    // Acquire pairs with the release in `give`.
    place at = all.self().grants.exchange(0, std::memory_order_acquire);
    // The newest is first.
    place in_order = 0;
    while (at != 0) {
        const place next = next_of(all, at);
        link(all, at, in_order);
        in_order = at;
        at = next;
    }
    if (in_order == 0)
        return;
    if (oldest == 0)
        oldest = in_order;
    else
        link(all, newest, in_order);
    for (newest = in_order; next_of(all, newest) != 0;)
        newest = next_of(all, newest);
}

// Takes the oldest one that has the address; null if there is none. Under the lock.
grant *take_for(const job &all, std::uintptr_t address) {
    place before = 0;
    for (place at = oldest; at != 0; before = at, at = next_of(all, at)) {
        grant &each = *all.at<grant>(at);
        if (address < each.to || address - each.to >= each.pages * page_bytes)
            continue;
        const place next = next_of(all, at);
        if (before == 0)
            oldest = next;
        else
            link(all, before, next);
        if (newest == at)
            newest = before;
        return &each;
    }
    return nullptr;
}

void map_grant(job &all, grant &given) {
    piece p{};
    p.address = given.to;
    p.pages = given.pages;
    p.first = given.first;
    p.of = all.at<table>(given.of);
    p.produces = given.produces != 0;
    if (piece there{}; pieces::mine().find_within(p.address, p.pages * page_bytes, there)) {
        char rule[name_bytes + 100];
        char name[name_bytes];
        std::snprintf(rule, sizeof(rule),
                      "space %s has given it %" PRIu64 " pages where it has others",
                      name_of(given.from, name), p.pages);
        break_rule(rule, there, std::max(p.address, there.address));
    }
    // A page that was touched is opened when it is needed, and so is one that is fixed.
    map_or_give_up(p, PROT_NONE);
    put_back(all, all.header().free_grants, given);
}

// What nobody will map.
void drop(job &all, place first) {
    while (first != 0) {
        grant &each = *all.at<grant>(first);
        first = next_of(all, first);
        table &of = *all.at<table>(each.of);
        if (each.produces != 0)
            // Release: as when a piece is given up.
            of.producers.fetch_sub(1, std::memory_order_release);
        release(all, of);
        put_back(all, all.header().free_grants, each);
    }
}

// The piece at that address, by a grant that has come if need be.
bool find_or_map(job &all, std::uintptr_t address, piece &out) {
    if (pieces::mine().find(address, out))
        return true;
    const std::lock_guard guard(seen_lock);
    // Another thread may have mapped it.
    if (pieces::mine().find(address, out))
        return true;
    look_for_new(all);
    grant *const wanted = take_for(all, address);
    if (wanted == nullptr)
        return false;
    map_grant(all, *wanted);
    return pieces::mine().find(address, out);
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
    // Release pairs with the acquire in `look_for_new`: what stands above.
    while (!target.grants.compare_exchange_weak(seen, me, std::memory_order_release,
                                                std::memory_order_relaxed));
    // Release pairs with the acquire in `find_or_wait`, which then finds the grant.
    target.grants_made.fetch_add(1, std::memory_order_release);
    wake_all(target.grants_made);
    // Whoever sees the end takes back what was there then, and this is what came later.
    if (ended_with(all, whom) != 0)
        drop_grants(all, whom);
    return true;
}

void find_or_wait(job &all, std::uintptr_t address, piece &out) {
    if (find_or_map(all, address, out))
        return;
    std::atomic<std::uint32_t> &made = all.self().grants_made;
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `give`.
        expected = made.load(std::memory_order_acquire);
        return find_or_map(all, address, out);
    };
    const trace::wait shown(trace::kind::wait_grant, 0, 0, address);
    wait_until({wait_kind::grant, made, 0, address}, look, [] { /* always woken */ });
}

void drop_grants(job &all, slot whose) {
    if (whose == all.self_slot()) {
        const std::lock_guard guard(seen_lock);
        drop(all, oldest);
        oldest = newest = 0;
    }
    // Acquire as above. An exchange: each is dropped by one.
    drop(all, all.space_in(whose).grants.exchange(0, std::memory_order_acquire));
}

void grants_before_fork() {
    seen_lock.lock();
}

void grants_after_fork(bool in_child) {
    if (in_child)
        oldest = newest = 0;
    seen_lock.unlock();
}

} // namespace saguaro::spmc
