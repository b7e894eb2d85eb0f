// SPDX-License-Identifier: MIT
// The end of a row of slots at which thieves take: of a deque's frames, or of a worker's suspended
// parents. README.md, "Pop and steal", has the protocol.
//
// The owner pops with a store and a load: it empties the slot, then looks at a mark, `exc`. If the
// slot is below the mark, the owner asks: it takes the lock, and the lock decides whose the slot
// is. So a slot is *public*, and a thief may take it without a fence, as soon as it is certain that
// the owner sees a mark above it. That is the case where the owner has written the mark itself,
// where the owner has held the lock since a thief wrote it, and where a thief has made all
// processors pass a fence since.
#pragma once

#include "platform/spin_lock.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::scheduler {

// What thieves ask of a row's owner: to come to the lock at its next pop. There is one request at a
// time, whichever thief has made it, and it stands until the owner has answered or a fence that was
// begun for it has ended. All under the row's lock, if nothing else is said.
class thief_request {
public:
    // Whether the owner may not have seen the mark, and what else the request was to show it.
    bool stands() const { return state_.load(std::memory_order_relaxed) != state::none; }

    // Whether it waits for the owner's answer, and no thief fences for it. Without the lock a hint.
    bool waits() const { return state_.load(std::memory_order_relaxed) == state::asked; }

    // Of whoever does not come back to see what became of it: its time begins when a thief asks for
    // that. Reading the clock takes up to 25 ns.
    static constexpr std::uint64_t undated = UINT64_MAX;

    // Called by the row, which shows the mark that goes with it.
    void make(std::uint64_t now) {
        ++number_;
        made_at_ = now;
        // Relaxed: `waits` only looks.
        state_.store(state::asked, std::memory_order_relaxed);
    }
    void forget() { state_.store(state::none, std::memory_order_relaxed); }

    // Whether it has waited for so many ticks, and somebody must fence for it. A thief that fences
    // may have lost its processor: after a while another one does it again.
    bool is_overdue(std::uint64_t now, std::uint64_t ticks) {
        if (made_at_ == undated)
            made_at_ = now;
        // Relaxed, here and below: written under the lock. Processors' ticks may differ a little.
        const bool fences = state_.load(std::memory_order_relaxed) == state::fencing;
        return static_cast<std::int64_t>(now - made_at_) >=
               static_cast<std::int64_t>(fences ? 8 * ticks : ticks);
    }

    // Begins to fence for it. It stands while the lock is released: its number.
    unsigned begin_fence() {
        state_.store(state::fencing, std::memory_order_relaxed);
        return number_;
    }
    // Whether that fence was for the request that stands.
    bool is_fenced_for(unsigned number) const {
        return number == number_ && state_.load(std::memory_order_relaxed) == state::fencing;
    }

private:
    enum class state : unsigned char {
        none,    // the owner has seen all
        asked,   // it is to come to the lock
        fencing, // a thief makes all pass a fence, without the lock
    };

    std::uint64_t made_at_ = 0;
    unsigned number_ = 0;
    std::atomic<state> state_{state::none};
};

// `Row` derives from this and shows the mark to its owner: void show_exc(Entry **).
template <class Row, class Entry>
class steal_end {
public:
    using slot = Entry **;

    // A mark above every slot.
    static slot everything() { return reinterpret_cast<slot>(UINTPTR_MAX); }

    // So many of the oldest slots an owner makes public at once, or a thief that has paid a fence.
    // Thieves need no answer until all of them are taken: an owner that descends for long without a
    // pop feeds so many. With four, recursions on hundreds of workers took twice as long in the
    // simulator as with sixteen; with more than sixteen they are not faster.
    static constexpr std::ptrdiff_t ahead = 16;

    // So many pops in a row may ask in vain before the owner makes its slots private again. A pop
    // that asks costs 5 to 10 ns more than one that does not; a request costs the thief 1 µs.
    static constexpr unsigned char patience = 8;

    // Guards all that follows and, for writers, `exc`. Held for a few dozen instructions, never
    // across a system call, an allocation or code of the program's. A thief that looks for work
    // only tries it.
    alignas(64) platform::spin_lock lock;

    // The oldest slot that has not been taken. Written under the lock, read without it by thieves
    // that look whether a try is worth while.
    std::atomic<slot> head{nullptr};

    thief_request request;

    // What is in the oldest slot. Acquire: pairs with the owner's push; what it pushed is visible.
    // Any thread; without the lock a hint. The first acquire pairs with pass_to, for is_oldest.
    Entry *oldest() const {
        return __atomic_load_n(head.load(std::memory_order_acquire), __ATOMIC_ACQUIRE);
    }

    // -- For the owner, or where there is none. The lock is held.

    // As new, with `first` as the oldest slot; what earlier owners have learnt of thieves stays.
    // `always_public`: for ever.
    void start(slot first, bool always_public) {
        always_ = always_public;
        keeps_asking_ = false;
        forget_requests();
        head.store(first, std::memory_order_relaxed);
        open_ = first + (patience_left_ > 0 ? ahead : 0);
        show();
    }

    // The slots from `first` on are gone or popped, and nothing older is left either.
    void restart_at(slot first) {
        // Release: pairs with `oldest`; who sees it sees the slots as they are left.
        head.store(first, std::memory_order_release);
        open_ = first;
        answer(first);
    }

    // The owner has popped `popped`, or asks on behalf of a frame there: whoever waits for an
    // answer has it now. Slots become public if that has paid lately, and private from `popped` on
    // if not.
    void answer(slot popped) {
        if (is_asked() || robbed_)
            patience_left_ = patience;
        else if (patience_left_ > 0)
            --patience_left_;
        forget_requests();
        const slot oldest = head.load(std::memory_order_relaxed);
        open_ = patience_left_ > 0 ? oldest + ahead : std::max(oldest, std::min(open_, popped));
        show();
    }

    // Makes the oldest slots public for a while: where something was stolen before, more will be.
    void expect_thieves() {
        patience_left_ = patience;
        open_ = std::max(open_, head.load(std::memory_order_relaxed) + ahead);
        show();
    }

    // Whether the owner's last answers have paid: its slots are public.
    bool expects_thieves() const { return always_ || patience_left_ > 0; }

    // In the child of a fork: the thieves are gone.
    void forget_thieves() {
        forget_requests();
        show();
    }

    // -- For thieves and others. The lock is held.

    // Whether the owner's pop of `s` is certain to ask.
    bool is_public(slot s) const { return always_ || s < open_; }

    // Asks the owner to come to the lock at its next pop. `now`: platform::ticks.
    void ask(std::uint64_t now) {
        if (!is_asked())
            ask_anew(now);
    }

    // The same for those who do not come back to fence, but want the owner to come: a fence that is
    // under way would end the request.
    void insist() {
        if (!request.waits())
            ask_anew(thief_request::undated);
    }

    // The same where the owner is to see more than what the last request has shown it.
    void ask_anew(std::uint64_t now) {
        request.make(now);
        show();
    }

    // All processors have passed a fence since request.begin_fence gave `number`. Unless the owner
    // has answered meanwhile, it is now certain to see the mark.
    void end_fence(unsigned number) {
        if (!request.is_fenced_for(number))
            return;
        forget_requests();
        open_ = std::max(open_, head.load(std::memory_order_relaxed) + ahead);
        show();
    }

    bool is_asked() const { return request.stands(); }

    // What was below `next` has been taken; the slots were public.
    void take_up_to(slot next) {
        robbed_ = true;
        pass_to(next);
    }

    // There is nothing left in the slots below `next`, which were public.
    void pass_to(slot next) {
        // Release: pairs with `oldest`; who sees it sees that the lock is held, or what was done
        // under it.
        head.store(next, std::memory_order_release);
        open_ = std::max(open_, next);
        show();
    }

    // From now on each pop asks, whatever thieves do, until rest_again. Who needs to be certain
    // that the owner sees it makes all pass a fence.
    void keep_asking() {
        keeps_asking_ = true;
        show();
    }
    void rest_again() {
        keeps_asking_ = false;
        show();
    }

    // -- In a recorded run, where all pops ask and nobody steals: dozing.hpp. Without the lock.

    // Pops of `s` and of the slots above do not ask, until the owner comes to the lock or calls
    // ask_again.
    void pass_from(slot s) { static_cast<Row *>(this)->show_exc(shown_ = s); }
    void ask_again() { show(); }
    // The owner's next pop asks. From another thread, while the row is there.
    void ask_from_outside() { static_cast<Row *>(this)->show_exc(everything()); }

    // -- Without the lock.

    // For the owner, which has loaded `exc` (relaxed: it goes on from the owner's own last store to
    // it): whether `s` is public for certain. `exc` is `open_` unless it is above everything; a
    // thief raises it after `open_`, and only the owner lowers them.
    static bool is_public_below(slot exc, slot s) { return s < exc && exc != everything(); }

    // For the owner, where nobody else comes to the lock: a pop of `s` would not ask if it did not
    // always. So nothing is to be answered, and the slot is there.
    bool is_asked_for_nothing(slot s) const { return !keeps_asking_ && !is_asked() && open_ <= s; }

private:
    void forget_requests() {
        request.forget();
        robbed_ = false;
    }

    // Stores the mark only if it changes: the owner uses its cache line with each push.
    void show() {
        const bool all = always_ || keeps_asking_ || is_asked();
        const slot mark = all ? everything() : open_;
        if (mark != shown_)
            static_cast<Row *>(this)->show_exc(shown_ = mark);
    }

    slot open_ = nullptr;  // slots below are public; not below `head`
    slot shown_ = nullptr; // `exc`
    unsigned char patience_left_ = 0;
    bool robbed_ = false;
    bool always_ = false;       // no kernel's fence, or statistics: pops always ask
    bool keeps_asking_ = false; // for aborts and inlets: aborts.hpp
};

} // namespace saguaro::scheduler
