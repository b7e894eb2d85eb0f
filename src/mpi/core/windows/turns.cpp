// SPDX-License-Identifier: MIT
// Requesting a turn at targets, waiting for it, and carrying out what is pending.
#include "mpi/core/windows/turns.hpp"

#include "mpi/core/process/process.hpp"
#include "mpi/core/windows/bursts.hpp"

#include <algorithm>

namespace saguaro::mpi {

namespace {

// A set of targets as bits.
using target_bits = std::vector<std::uint64_t>;

void add(target_bits &to, int target) {
    to[static_cast<std::size_t>(target) / 64] |= std::uint64_t{1} << (target % 64);
}

// No rival requests anything before this rank's present clock any more, and those that have
// requested earlier turns at the same targets have had them.
class turn_event final : public awaited_event {
public:
    turn_event(const win_object &on, const std::vector<int> &rivals, const target_bits *wanted,
               const char *name)
        : on_(on), rivals_(rivals), wanted_(wanted) {
        asks_by_any_order = true;
        call = name;
    }

    bool is_over(const clock_bounds &known) override {
        bool is_decided = true;
        // All of them, so that the rank asks for the least of the bounds that it needs.
        for (const int rival : rivals_)
            is_decided = has_passed(rival, known) && is_decided;
        return is_decided;
    }

    // Nothing but the clocks of others decides, so the rank goes on by itself, as in a test.
    bool describe(blockage &) const override { return false; }

private:
    bool has_passed(int rival, const clock_bounds &known) const {
        rank &me = *rank::mine;
        const std::uint32_t other = on_.on->world_rank(rival);
        const clock_value clock = me.clock();
        // What it requests next is later than its bound.
        const bool goes_first = comes_before(me.all(), other, me.number());
        const clock_value needed = goes_first ? clock : clock - 1;
        if (me.rule().bound_of(other, known) < needed) {
            me.rule().wants(needed);
            return false;
        }
        if (wanted_ == nullptr)
            return true;
        // Acquire pairs with the release in `turn`: what that has stored is in the memory. It was
        // stored before the bound that is known.
        const clock_value turn = on_.records.turn(rival).clock.load(std::memory_order_acquire);
        if (turn == 0 || turn > clock || (turn == clock && !goes_first) || !wants_the_same(rival))
            return true;
        me.rule().wants(turn);
        return false;
    }

    bool wants_the_same(int rival) const {
        const std::atomic<std::uint64_t> *const theirs = on_.records.targets(rival);
        bool any = false;
        // Acquire pairs with the release in `turn`: if these are the bits of a later turn, then
        // everything of the earlier one is in the memory.
        for (std::size_t w = 0; w < wanted_->size(); ++w)
            any = any || (theirs[w].load(std::memory_order_acquire) & (*wanted_)[w]) != 0;
        return any;
    }

    const win_object &on_;
    const std::vector<int> &rivals_;
    const target_bits *const wanted_;
};

// A request for a turn, and the turn itself, as others see it.
class turn {
public:
    turn(win_object &on, const target_bits &wanted, const std::vector<int> &rivals,
         const char *call)
        : record_(on.records.turn(on.me())) {
        std::atomic<std::uint64_t> *const targets = on.records.targets(on.me());
        // Release, both: pair with the acquires in `turn_event`.
        for (std::size_t w = 0; w < wanted.size(); ++w)
            targets[w].store(wanted[w], std::memory_order_release);
        record_.clock.store(rank::mine->clock(), std::memory_order_release);
        rank::mine->publish();
        turn_event mine(on, rivals, &wanted, call);
        rank::mine->wait(mine);
    }
    // Whoever waits for it is waked when the clock is published behind.
    ~turn() { record_.clock.store(0, std::memory_order_release); }
    turn(const turn &) = delete;
    turn &operator=(const turn &) = delete;

private:
    turn_record &record_;
};

bool is_at(const operation &o, int target) {
    return target == all_targets || o.target == target;
}

} // namespace

std::vector<int> others_of(const win_object &on) {
    std::vector<int> others;
    for (int r = 0; r < on.ranks(); ++r)
        if (r != on.me())
            others.push_back(r);
    return others;
}

void wait_for_clocks(const win_object &on, const std::vector<int> &rivals, const char *call) {
    if (rivals.empty())
        return;
    rank::mine->publish();
    turn_event passed(on, rivals, nullptr, call);
    rank::mine->wait(passed);
}

int carry_out_pending(win_object &on, int target) {
    int error = abi::success;
    const auto note = [&](int own) { error = error != 0 ? error : own; };
    bursts all;
    for (const operation &o : on.pending)
        if (is_at(o, target))
            note(all.carry_out(o));
    note(all.finish());
    std::erase_if(on.pending, [&](const operation &o) { return is_at(o, target); });
    return error;
}

int take_turn(win_object &on, int target, const std::vector<int> &rivals, const char *call) {
    target_bits wanted(on.records.words());
    bool any = false;
    for (const operation &o : on.pending)
        if (is_at(o, target)) {
            add(wanted, o.target);
            any = true;
        }
    if (!any)
        return abi::success;
    if (rivals.empty())
        return carry_out_pending(on, target);
    const turn mine(on, wanted, rivals, call);
    return carry_out_pending(on, target);
}

int flush(win_object &on, int target, const char *call) {
    int error = abi::success;
    for (int t = 0; t < on.ranks(); ++t)
        if ((target == all_targets || t == target) &&
            on.locks[static_cast<std::size_t>(t)] == lock_state::exclusive)
            if (const int own = carry_out_pending(on, t))
                error = own;
    const int own = take_turn(on, target, others_of(on), call);
    return error != 0 ? error : own;
}

} // namespace saguaro::mpi
