// SPDX-License-Identifier: MIT
#include "detmpi/core/files/turns.hpp"

namespace saguaro::detmpi {

namespace {

// Nobody is before this rank, and nobody will be.
class file_turn_event final : public awaited_event {
public:
    file_turn_event(const comm_object &among, const shared_file &shared, const char *name)
        : among_(among), shared_(shared) {
        asks_by_any_order = true;
        call = name;
    }

    bool is_over(const clock_bounds &known) override {
        rank &me = *rank::mine;
        bool is_first = true;
        for (int other = 0; other < among_.size(); ++other) {
            if (other == among_.rank)
                continue;
            const std::uint32_t rival = among_.world_rank(other);
            const bool goes_first = me.all().comes_before(rival, me.number());
            // What it does next is later than its bound. Also where messages come in another order
            // than the clock's (-order): a turn is one rank's at a time.
            const clock_value needed = me.clock() - (goes_first ? 0 : 1);
            if (me.bound_of(rival, known) < needed) {
                me.wants(needed);
                is_first = false;
                continue;
            }
            // Behind the bound, which was published behind this. Acquire pairs with the release
            // in `~file_turn`: what the other has done in its turn comes before what this rank
            // does.
            const clock_value wanted = shared_.wanted[other].load(std::memory_order_acquire);
            if (wanted != 0 && (wanted < me.clock() || (wanted == me.clock() && goes_first)))
                is_first = false;
        }
        return is_first;
    }

    // It goes on by itself, as a poll does.
    bool describe(blockage &) const override { return false; }

private:
    const comm_object &among_;
    const shared_file &shared_;
};

} // namespace

file_turn::file_turn(const comm_object &among, shared_file &shared, const char *call)
    : among_(among), shared_(shared) {
    rank &me = *rank::mine;
    me.tick();
    // Relaxed: the bound is published behind it, with release.
    shared_.wanted[among_.rank].store(me.clock(), std::memory_order_relaxed);
    me.publish();
    file_turn_event first(among_, shared_, call);
    me.wait(first);
}

file_turn::~file_turn() {
    rank &me = *rank::mine;
    // Pairs with the acquire in `file_turn_event::is_over`.
    shared_.wanted[among_.rank].store(0, std::memory_order_release);
    me.all().light_fence(); // pairs with the heavy fence in `rank::sleep`
    for (int other = 0; other < among_.size(); ++other)
        if (other != among_.rank && shared_.wanted[other].load(std::memory_order_relaxed) != 0)
            me.all().ring_bell(among_.world_rank(other));
}

} // namespace saguaro::detmpi
