// SPDX-License-Identifier: MIT
// Waiting for a shared turn and giving it up.
#include "mpi/core/waiting/shared_turns.hpp"

namespace saguaro::mpi {

namespace {

// Nobody is before this rank, and nobody will be.
class shared_turn_event final : public awaited_event {
public:
    shared_turn_event(const turn_takers &all, std::uint32_t me, const char *name)
        : all_(all), me_(me) {
        asks_by_any_order = true;
        is_alone = true; // the word is one thread's
        call = name;
    }

    bool is_over(const clock_bounds &known) override {
        bool is_first = true;
        // The bounds are known already: whoever has been spawned before one of them is counted.
        for (std::uint32_t other = 0; other < all_.count(); ++other)
            is_first = (other == me_ || comes_later(other, known)) && is_first;
        return is_first;
    }

    // It goes on by itself, as a poll does.
    bool describe(blockage &) const override { return false; }

private:
    bool comes_later(std::uint32_t other, const clock_bounds &known) const {
        rank &me = *rank::mine;
        const std::uint32_t rival = all_.rank_at(other);
        const bool goes_first = comes_before(me.all(), rival, me.number());
        // What it does next is later than its bound. Also where messages come in another order
        // than the clock's (-order): a turn is one rank's at a time.
        const clock_value needed = me.clock() - (goes_first ? 0 : 1);
        if (me.rule().bound_of(rival, known) < needed) {
            me.rule().wants(needed);
            return false;
        }
        // Behind the bound, which was published behind this. Acquire pairs with the release in
        // `~shared_turn`: what the other has done in its turn comes before what this rank does.
        const clock_value wanted = all_.wanted(other).load(std::memory_order_acquire);
        return wanted == 0 || wanted > me.clock() || (wanted == me.clock() && !goes_first);
    }

    const turn_takers &all_;
    const std::uint32_t me_;
};

} // namespace

shared_turn::shared_turn(const turn_takers &all, std::uint32_t me, const char *call)
    : all_(all), me_(me) {
    rank &own = *rank::mine;
    own.tick();
    // Before the bound is published. Release, as in `~shared_turn`: another rank may read the word
    // of this turn without ever having read the 0 behind this rank's turn before.
    all_.wanted(me_).store(own.clock(), std::memory_order_release);
    own.publish();
    shared_turn_event first(all_, me_, call);
    own.wait(first);
}

shared_turn::~shared_turn() {
    const world &shared = rank::mine->all();
    // Pairs with the acquire in `shared_turn_event::comes_later`.
    all_.wanted(me_).store(0, std::memory_order_release);
    light_fence(shared); // pairs with the heavy fence in `waiter::sleep`
    for (std::uint32_t other = 0; other < all_.count(); ++other)
        if (other != me_ && all_.wanted(other).load(std::memory_order_relaxed) != 0)
            shared.ring_bell(all_.rank_at(other));
}

} // namespace saguaro::mpi
