// SPDX-License-Identifier: MIT
// Laying out the world's records and rings, taking blocks, waking ranks.
#include "mpi/core/world/world.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "platform/cpus.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <bit>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

long membarrier(int command) {
    return syscall(SYS_membarrier, command, 0, 0);
}

place take(spmc::job &all, std::size_t bytes) {
    const place got = spmc::take_control(all, bytes);
    if (got == 0)
        fail("no room for %zu more bytes: the ranks share %zu bytes", bytes, all.control_bytes());
    return got;
}

// The same for records that lie in pairs of cache lines: places are multiples of one.
place take_records(spmc::job &all, std::size_t bytes) {
    static_assert(alignof(world_record) == 2 * spmc::unit_bytes);
    static_assert(alignof(rank_record) == 2 * spmc::unit_bytes);
    const place got = take(all, bytes + spmc::unit_bytes);
    return got + got % 2;
}

} // namespace

place world::make(spmc::job &all, std::uint32_t ranks, std::uint32_t here) {
    const place where = take_records(all, sizeof(world_record));
    world_record &w = *all.at<world_record>(where);
    w.magic = world_magic;
    w.first_ranks = ranks;
    w.hosts = 1;
    w.elsewhere = ranks - here;
    w.processors = platform::default_workers();
    w.contexts_limit = most_contexts;
    if (getrandom(w.identity, sizeof(w.identity), 0) != sizeof(w.identity))
        fail("the system has no random numbers");
    w.records = take_records(all, capacity() * sizeof(rank_record));
    w.rings = take(all, std::size_t{capacity()} * capacity() * sizeof(place));
    const long commands = membarrier(MEMBARRIER_CMD_QUERY);
    // It interrupts all processors where ranks compute, for 7.5 µs on two of them. Where ranks
    // share processors they sleep often, and a fence of 6 ns for each message costs less. This
    // never changes, whatever is spawned: both sides have to count on the same fence.
    w.has_membarrier =
        here <= w.processors && commands > 0 && (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0
            ? 1
            : 0;
    world(all, where).add(ranks, 0, 0, 0);
    return where;
}

std::uint32_t world::add(std::uint32_t count, std::uint32_t parent, clock_value at, place family) {
    const std::uint32_t first = size();
    if (count > capacity() - first)
        return capacity();
    const std::size_t set_bytes = capacity() / 8;
    for (std::uint32_t i = 0; i < count; ++i) {
        rank_record &r = rank(first + i);
        r.waits_for = take(all_, set_bytes);
        r.seen = take(all_, capacity() * sizeof(std::uint64_t));
        r.sends = take(all_, capacity() * sizeof(std::uint32_t));
        r.unmatched = take(all_, capacity() * sizeof(std::uint32_t));
        r.untold = take(all_, capacity() * sizeof(clock_value));
        r.watchers = take(all_, set_bytes);
        r.thresholds = take(all_, capacity() * sizeof(clock_value));
        r.parent = parent;
        r.number_in_spawn = i;
        r.spawned_at = at;
        r.family = family;
        r.bound.store(at, std::memory_order_relaxed);
    }
    // Release pairs with the acquire in `size`.
    head_.ranks.store(first + count, std::memory_order_release);
    return first;
}

bool was_spawned_before(const world &of, std::uint32_t a, std::uint32_t b) {
    const rank_record &x = of.rank(a);
    const rank_record &y = of.rank(b);
    if (x.spawned_at != y.spawned_at)
        return x.spawned_at < y.spawned_at;
    if (x.parent != y.parent)
        return comes_before(of, x.parent, y.parent);
    return x.number_in_spawn < y.number_in_spawn;
}

block &world::take_block(std::size_t bytes) {
    const auto order = static_cast<std::uint32_t>(std::bit_width(bytes + sizeof(block) - 1));
    return take_block_of_order(order < least_block_order ? least_block_order : order);
}

block &world::take_block_of_order(std::uint32_t order) {
    if (order >= most_block_orders)
        fail("no room for a message of more than %zu bytes", std::size_t{1} << (order - 1));
    block *taken = spmc::take_first<block>(all_, head_.free_blocks[order]);
    if (taken == nullptr) {
        taken = all_.at<block>(take(all_, std::size_t{1} << order));
        taken->order = order;
    }
    // Relaxed: others learn of the block later.
    taken->readers.store(1, std::memory_order_relaxed);
    taken->there.store(UINT64_MAX, std::memory_order_relaxed);
    return *taken;
}

void world::give_block(block &what) {
    // Release and acquire: whoever takes it next writes behind all who have read it.
    if (what.readers.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    const std::size_t bytes = std::size_t{1} << what.order;
    if (bytes > most_kept)
        madvise(reinterpret_cast<char *>(&what) + spmc::page_bytes, bytes - spmc::page_bytes,
                MADV_REMOVE);
    spmc::put_back(all_, head_.free_blocks[what.order], what);
}

void heavy_fence(const world &of) {
    if (of.head().has_membarrier == 0 || membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0)
        std::atomic_thread_fence(std::memory_order_seq_cst);
}

void register_for_fences(const world &of) {
    if (of.head().has_membarrier != 0 && membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0)
        fail("the system refuses membarrier to this rank, and not to the launcher");
}

void wake(rank_record &which) {
    std::uint32_t seen = which.bell.load(std::memory_order_relaxed);
    while ((seen & 1) != 0)
        // Relaxed: what has changed was stored with a release of its own, and the sleeper looks
        // again. Whoever takes the bit away wakes.
        if (which.bell.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
            spmc::wake_all(which.bell);
            return;
        }
}

} // namespace saguaro::mpi
