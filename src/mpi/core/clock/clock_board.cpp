// SPDX-License-Identifier: MIT
// Publishing a rank's clock and its waits, and reading those of other ranks.
#include "mpi/core/clock/clock_board.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace saguaro::mpi {

void blockage::clear() {
    waits_for.clear();
    of_all = 0;
    hop = hop_of_message;
    least = 0;
    candidate = forever;
    sends.clear();
    waits_for_match = false;
}

void blockage::reserve(std::uint32_t ranks) {
    waits_for.reserve(ranks);
    sends.reserve(ranks);
}

void blockage::add_match(std::uint32_t by, std::uint32_t number) {
    waits_for.add(by);
    waits_for_match = true;
    if (by >= sends.size())
        sends.resize(by + 1);
    sends[by] = std::max(sends[by], number);
}

clock_board::clock_board(world &of, std::uint32_t me)
    : clock_board(of, me, counters_of_processors(of)) {}

clock_board::clock_board(world &of, std::uint32_t me, work_of_others::count_of read)
    : of_(of), me_(me), said_seen_(of.capacity()), work_(of, me, std::move(read)),
      seen_(of.capacity()) {
    said_.reserve(of.capacity());
}

// ---- Telling ----

void tell_watchers(const world &of, std::uint32_t whose, clock_value bound) {
    rank_record &mine = of.rank(whose);
    // Before the bits are read: a watcher sets its bit first, and this word then.
    mine.is_watched.exchange(0, std::memory_order_acquire);
    std::atomic<std::uint64_t> *const watchers = of.watchers(mine);
    const std::atomic<clock_value> *const thresholds = of.thresholds(mine);
    bool are_left = false;
    for (std::uint32_t w = 0; w < of.words(); ++w)
        for (std::uint64_t bits = watchers[w].load(std::memory_order_acquire); bits != 0;
             bits &= bits - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
            const std::uint32_t who = w * 64 + bit;
            if (thresholds[who].load(std::memory_order_relaxed) > bound) {
                are_left = true;
                continue;
            }
            // Acquire pairs with the release in `watch`: the watcher may have set the bit once more
            // since, and then its bell's bit and its bound are read behind that.
            watchers[w].fetch_and(~(std::uint64_t{1} << bit), std::memory_order_acquire);
            of.ring_bell(who);
        }
    if (are_left)
        mine.is_watched.store(1, std::memory_order_relaxed);
}

// A sequence lock, whose writer is alone: pairs with the loads in `look_at` and `look_at_all`.
void clock_board::begin_change() {
    std::atomic<std::uint64_t> &epoch = of_.rank(me_).epoch;
    epoch.store(epoch.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
}

void clock_board::end_change() {
    std::atomic<std::uint64_t> &epoch = of_.rank(me_).epoch;
    // Release: whatever the rank does next comes behind.
    epoch.store(epoch.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void clock_board::say_blocked(const blockage &why, const std::vector<in_ring> &in) {
    rank_record &mine = of_.rank(me_);
    const std::uint32_t ranks = of_.size();
    bool is_known = says_blocked_ && said_ == why && said_among_ == ranks;
    for (std::uint32_t s = 0; s < ranks; ++s) {
        const std::uint64_t position = in[s].position(of_);
        is_known = is_known && said_seen_[s] == position;
        said_seen_[s] = position;
    }
    if (is_known)
        return;
    said_ = why;
    said_among_ = ranks;
    says_blocked_ = true;
    begin_change();
    mine.is_blocked.store(1, std::memory_order_relaxed);
    mine.hop.store(why.hop, std::memory_order_relaxed);
    mine.least.store(why.least, std::memory_order_relaxed);
    mine.candidate.store(why.candidate, std::memory_order_relaxed);
    mine.waits_for_match.store(why.waits_for_match ? 1 : 0, std::memory_order_relaxed);
    mine.waits_for_all.store(why.of_all, std::memory_order_relaxed);
    for (std::uint32_t w = 0; w * 64 < ranks; ++w)
        of_.waits_for(mine)[w].store(why.waits_for.word(w), std::memory_order_relaxed);
    for (std::uint32_t s = 0; s < ranks; ++s)
        of_.seen(mine)[s].store(said_seen_[s], std::memory_order_relaxed);
    if (why.waits_for_match)
        for (std::uint32_t s = 0; s < ranks; ++s)
            of_.sends(mine)[s].store(why.last_send(s), std::memory_order_relaxed);
    end_change();
    say_changed();
}

void clock_board::say_changed() {
    light_fence(of_); // pairs with the heavy fence in `waiter::sleep`
    // Whatever their thresholds: the bounds that follow from this may be higher than they wait for.
    if (of_.rank(me_).is_watched.load(std::memory_order_relaxed) != 0)
        tell_watchers(of_, me_, forever);
}

void clock_board::say_running() {
    if (!says_blocked_)
        return;
    says_blocked_ = false;
    begin_change();
    of_.rank(me_).is_blocked.store(0, std::memory_order_relaxed);
    end_change();
}

void clock_board::watch(clock_value threshold) {
    for (std::uint32_t s = 0; s < of_.size(); ++s) {
        if (s == me_)
            continue;
        rank_record &other = of_.rank(s);
        of_.thresholds(other)[me_].store(threshold, std::memory_order_relaxed);
        // Release, both: pair with the acquires in `tell_watchers`.
        of_.watchers(other)[me_ / 64].fetch_or(std::uint64_t{1} << (me_ % 64),
                                               std::memory_order_release);
        other.is_watched.store(1, std::memory_order_release);
    }
}

// ---- Reading ----

void clock_board::read(clock_bounds &out) const {
    for (std::uint32_t s = 0; s < of_.size(); ++s)
        // Acquire pairs with the release in `publish`.
        out[s] = of_.rank(s).bound.load(std::memory_order_acquire);
}

seen_rank clock_board::look_at(std::uint32_t which, std::uint32_t ranks) {
    const rank_record &r = of_.rank(which);
    seen_rank s;
    s.epoch = r.epoch.load(std::memory_order_acquire);
    // Relaxed: the epoch is looked at again behind a fence.
    s.is_blocked = (s.epoch & 1) == 0 && r.is_blocked.load(std::memory_order_relaxed) != 0;
    // What has been spawned since may let it go on, at an earlier clock than those that it names.
    const std::uint32_t all = r.waits_for_all.load(std::memory_order_relaxed);
    s.is_blocked = s.is_blocked && (all == 0 || all >= ranks);
    s.hop = r.hop.load(std::memory_order_relaxed);
    s.least = r.least.load(std::memory_order_relaxed);
    s.candidate = r.candidate.load(std::memory_order_relaxed);
    // By another order than that of work nothing has been learned.
    s.bound = std::max(r.bound.load(std::memory_order_acquire), work_[which]);
    // Copied, for the rank may be in another blockage when bounds are derived from this one.
    for (std::uint32_t w = 0; s.is_blocked && w < of_.words(); ++w)
        seen_.waits_of(which)[w] = of_.waits_for(r)[w].load(std::memory_order_relaxed);
    return s;
}

std::uint32_t last_to_await_a_post(const world &of, std::uint32_t receiver, std::uint32_t sender) {
    const rank_record &r = of.rank(receiver);
    // A rank that has finalized matches nothing any more: what it did match is in the ring.
    // Acquire, both: pair with the releases in `publish_bound` and `match_replies::tell_unmatched`.
    // The bound of a rank on another machine may say that it never goes on: receives that it has
    // posted may still match.
    if (r.bound.load(std::memory_order_acquire) >= forever &&
        r.life.load(std::memory_order_relaxed) == life::finished)
        return UINT32_MAX;
    return of.unmatched(r)[sender].load(std::memory_order_acquire);
}

clock_value first_untold_match(const world &of, std::uint32_t receiver, std::uint32_t sender) {
    // Acquire pairs with the release in `match_replies::tell_untold`.
    const clock_value when = of.untold(of.rank(receiver))[sender].load(std::memory_order_acquire);
    return when != 0 ? when : forever;
}

// Whether the blocked rank's synchronous sends await receives that are still to be posted. Those
// that were matched may be on their way, or not told: then one of them is at `first`.
bool clock_board::await_posts(std::uint32_t sender, clock_value &first) const {
    const rank_record &r = of_.rank(sender);
    if (r.waits_for_match.load(std::memory_order_relaxed) == 0)
        return true;
    return !seen_.any_waited_for(sender, [&](std::uint32_t x) {
        if (of_.sends(r)[x].load(std::memory_order_relaxed) > last_to_await_a_post(of_, x, sender))
            return true;
        first = std::min(first, first_untold_match(of_, x, sender));
        return false;
    });
}

// Whether something that may let a blocked rank go on has been sent, and it has not read it.
bool clock_board::is_on_its_way(std::uint32_t to) const {
    const rank_record &r = of_.rank(to);
    return seen_.any_waited_for(to, [&](std::uint32_t s) {
        return !in_ring::is_read(of_, to, s, of_.seen(r)[s].load(std::memory_order_relaxed));
    });
}

void clock_board::snapshot(clock_bounds &out, bool *all_stuck) {
    // A rank may wait for one that is spawned meanwhile, and that has to be among those looked at.
    std::uint32_t n;
    do {
        n = of_.size();
        look_at_all(n).derive(n, out);
    } while (n != of_.size());
    if (all_stuck != nullptr)
        *all_stuck = std::all_of(out.begin(), out.begin() + n,
                                 [](clock_value bound) { return bound >= forever; });
}

wait_graph &clock_board::look_at_all(std::uint32_t n) {
    seen_.begin(n);
    for (std::uint32_t r = 0; r < n; ++r)
        seen_[r] = look_at(r, n);
    // Here is the cut: a rank that is found in the same blockage before and after was blocked at
    // this moment, with nothing on its way.
    for (std::uint32_t r = 0; r < n; ++r) {
        seen_rank &s = seen_[r];
        // The rings last: of a match that is no longer untold the record is there. The time of an
        // untold one is that of a candidate.
        s.is_blocked = s.is_blocked && await_posts(r, s.candidate) && !is_on_its_way(r);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    for (std::uint32_t r = 0; r < n; ++r) {
        seen_rank &s = seen_[r];
        s.is_blocked = s.is_blocked && of_.rank(r).epoch.load(std::memory_order_relaxed) == s.epoch;
    }
    return seen_;
}

} // namespace saguaro::mpi
