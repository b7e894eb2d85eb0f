// SPDX-License-Identifier: MIT
// The world in the control area: how the launcher makes it, how a rank finds it, and memory of it.
#pragma once

#include "mpi/core/world/layout.hpp"
#include "spmc/job.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::mpi {

// Takes away the bit of the bell, if it is there, and wakes the rank.
void wake(rank_record &which);

class world {
public:
    world(spmc::job &all, place where)
        : all_(all), head_(*all.at<world_record>(where)), where_(where) {}

    // A world of so many ranks, none of which has begun. Ends the process with a line if there is
    // no room.
    // `here`: so many of them on this machine.
    static place make(spmc::job &all, std::uint32_t ranks, std::uint32_t here);
    static place make(spmc::job &all, std::uint32_t ranks) { return make(all, ranks, ranks); }

    // Whether there are more ranks on this machine than processors for the job.
    bool shares_processors() const { return size() - head_.elsewhere > head_.processors; }

    // Acquire pairs with the release in `add`: the records of these ranks are there.
    std::uint32_t size() const { return head_.ranks.load(std::memory_order_acquire); }
    // How many there may ever be: for arrays.
    static constexpr std::uint32_t capacity() { return most_ranks; }
    // Of a set of the ranks that there are.
    std::uint32_t words() const { return (size() + 63) / 64; }
    world_record &head() const { return head_; }
    place where() const { return where_; }
    spmc::job &job() const { return all_; }

    rank_record &rank(std::uint32_t which) const {
        return all_.at<rank_record>(head_.records)[which];
    }
    // The place of the ring between two ranks; 0 until the first message.
    std::atomic<place> &ring_to(std::uint32_t reader, std::uint32_t writer) const {
        return all_.at<std::atomic<place>>(head_.rings)[std::size_t{reader} * capacity() + writer];
    }
    std::atomic<std::uint64_t> *waits_for(const rank_record &of) const {
        return all_.at<std::atomic<std::uint64_t>>(of.waits_for);
    }
    std::atomic<std::uint64_t> *seen(const rank_record &of) const {
        return all_.at<std::atomic<std::uint64_t>>(of.seen);
    }
    std::atomic<std::uint32_t> *sends(const rank_record &of) const {
        return all_.at<std::atomic<std::uint32_t>>(of.sends);
    }
    std::atomic<std::uint32_t> *unmatched(const rank_record &of) const {
        return all_.at<std::atomic<std::uint32_t>>(of.unmatched);
    }
    std::atomic<clock_value> *untold(const rank_record &of) const {
        return all_.at<std::atomic<clock_value>>(of.untold);
    }
    std::atomic<std::uint64_t> *watchers(const rank_record &of) const {
        return all_.at<std::atomic<std::uint64_t>>(of.watchers);
    }
    std::atomic<clock_value> *thresholds(const rank_record &of) const {
        return all_.at<std::atomic<clock_value>>(of.thresholds);
    }

    // A free block of more bytes gives its pages back to the system, but for the first one.
    static constexpr std::size_t most_kept = std::size_t{64} << 20;

    // Ranks that a spawn begins, all of one family and none of which sends a stamp below its clock.
    // The first one, or `capacity` if there is no room for all. The launcher alone calls it.
    std::uint32_t add(std::uint32_t count, std::uint32_t parent, clock_value at, place family);

    // Memory for a header and so many bytes behind it. What it holds is undefined.
    block &take_block(std::size_t bytes);
    block &take_block_of_order(std::uint32_t order);
    void give_block(block &what);

    // Tells a rank that sleeps that something has changed. Behind a light fence.
    void ring_bell(std::uint32_t of) const {
        rank_record &r = rank(of);
        // Relaxed: the fence before orders it behind what has changed; pairs with the heavy fence
        // of whoever sets the bit.
        if ((r.bell.load(std::memory_order_relaxed) & 1) != 0) [[unlikely]]
            wake(r);
    }

    // The same, of a message that a sleeper may read later if it waits for another rank's.
    void ring_bell_of_message(std::uint32_t of, std::uint32_t from) const {
        rank_record &r = rank(of);
        // Relaxed, both, as above: who sets the bit has said before whom it heeds, and looks
        // behind.
        if ((r.bell.load(std::memory_order_relaxed) & 1) != 0) [[unlikely]]
            if (const std::uint32_t heeds = r.heeds.load(std::memory_order_relaxed);
                heeds == 0 || heeds == from + 1)
                wake(r);
    }

private:
    spmc::job &all_;
    world_record &head_;
    place where_;
};

// Both are spawned ranks.
bool was_spawned_before(const world &of, std::uint32_t a, std::uint32_t b);

// The order of ranks in the rule: those of the first world by their numbers, then spawned ranks by
// when, by whom and in which order they were spawned. Their numbers may be others in each run,
// where ranks spawn at the same time.
inline bool comes_before(const world &of, std::uint32_t a, std::uint32_t b) {
    return b < of.head().first_ranks || a < of.head().first_ranks ? a < b
                                                                  : was_spawned_before(of, a, b);
}

// The fence between a store of this process and its next load, where the other side stores and
// loads the other way around. The first is free where the kernel has membarrier, and the other, of
// who goes to sleep, pays for both; unless there are more ranks than processors.
inline void light_fence(const world &of) {
    if (of.head().has_membarrier != 0) [[likely]]
        std::atomic_signal_fence(std::memory_order_seq_cst);
    else
        std::atomic_thread_fence(std::memory_order_seq_cst);
}
void heavy_fence(const world &of);

// The process will be seen by the heavy fences of others.
void register_for_fences(const world &of);

// Rings a rank's bell after a change that no fence has followed: it may sleep until there is room,
// or until no rank reads any more, or may have read too little.
inline void wake_if_asleep(const world &of, std::uint32_t which) {
    light_fence(of); // pairs with the heavy fence in `waiter::sleep`
    of.ring_bell(which);
}

} // namespace saguaro::mpi
