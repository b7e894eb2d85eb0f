// SPDX-License-Identifier: MIT
// How a space waits for another: one way for pages, grants, ends and channels.
//
// It looks for a while that costs less than anything else; spins as long as the other runs on
// another processor; offers its own processor, which the other may need, twice; and sleeps. It
// knows where the others run from a table with the space that was last seen on each processor:
// a space enters itself whenever it begins to wait in earnest.
#pragma once

#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "spmc/deadlocks.hpp"
#include "spmc/layout.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::spmc {

// What a thread of this space waits for.
struct awaited {
    wait_kind kind;
    std::atomic<std::uint32_t> &word; // in the control area; changes before the wait is over
    slot peer;                        // who ends the wait; 0: any, or a page's producer
    std::uintptr_t address;           // what it concerns, for the line that says so
    table *of = nullptr;              // of a page: its table
    std::uint64_t page = 0;           // and its number in that
    // Where the peer's slot will stand, if it is not known yet: 0 there until some space is the
    // peer; with `has_left` when the peer has given its end up.
    const std::atomic<std::uint32_t> *whose = nullptr;

    // Relaxed: a hint for how to wait, and for who has ended.
    slot who() const {
        return whose != nullptr ? whose->load(std::memory_order_relaxed) & ~has_left : peer;
    }
    // Acquire pairs with the release of who has given its end up: what it did before.
    bool peer_has_left() const {
        return whose != nullptr && (whose->load(std::memory_order_acquire) & has_left) != 0;
    }
};

// Returns when look(expected) is true. While it is false it sets `expected` to the word's value as
// it has seen it, behind which nothing is missed. Before it sleeps it calls announce(), after which
// whoever changes the word must wake it, and looks again. Ends this space with a line if the wait
// can never be over: the peer has ended, or all wait for each other. From 20 ns; 20 µs and more if
// it sleeps.
template <class Look, class Announce>
void wait_until(const awaited &what, Look look, Announce announce);

// The same, but false if the peer has ended or given its end up. A deadlock still ends this space.
template <class Look, class Announce>
[[nodiscard]] bool wait_unless_gone(const awaited &what, Look look, Announce announce);

// From now on a thread calls the function before it sleeps in a wait: what it has put off to tell
// others may be what they wait for. It must not wait itself, and may be called in a handler of
// faults.
void set_before_sleep(void (*function)());

// Wakes everybody who sleeps on the word, which the caller has changed.
void wake_all(std::atomic<std::uint32_t> &word);

// ---- The parts ----

// Enters the calling space where it runs now.
void say_where();

// The same, and asks once for each thread that the kernel runs it soon after it is woken, beside
// programs that compute.
void begin_to_wait();

// Whether the space was last seen on another processor than this, where no other has been seen
// since.
bool runs_elsewhere(slot peer);

// Whether it was last seen on this one, where it cannot go on while the caller looks.
bool was_seen_here(slot peer);

// Offers the processor to other programs. False: the spaces of the job offer none for a while,
// because a program that is not of the job has computed on one. If `is_wanted`, another space of
// the job wants this processor, and the caller offers it in any case.
bool offer_processor(bool is_wanted = false);

// A wait that has come to sleep.
class sleeper {
public:
    explicit sleeper(const awaited &what) : what_(what), told_(what) {}
    ~sleeper();

    sleeper(const sleeper &) = delete;
    sleeper &operator=(const sleeper &) = delete;

    // Sleeps while the word holds `expected`, for `most_ns` at most.
    void nap(std::uint32_t expected, std::int64_t most_ns = longest_nap_ns);

    // A dead peer is seen so late at most.
    static constexpr std::int64_t longest_nap_ns = 50'000'000;

    // Behind a look in vain: whether nobody is left who could end the wait. If another look is in
    // vain as well, `end` says so.
    bool may_be_in_vain();
    [[noreturn]] void end();

    // Ends this space with a line if all wait for each other.
    void look_for_a_deadlock();

private:
    // Of full length: several short ones are as one.
    std::int64_t naps() const { return napped_ns_ / longest_nap_ns; }

    const awaited &what_;
    std::int64_t napped_ns_ = 0;
    told_wait told_;
    bool was_given_up_ = false;
    bool has_named_one_ = false;
};

inline constexpr int short_looks = 200;
inline constexpr std::int64_t spin_ns = 30'000;
inline constexpr int offers = 2;

// `is_crowded`: another space wants this very processor.
template <class Look>
bool look_for_a_while(slot peer, Look look, bool is_crowded = false) {
    const int looks = is_crowded || (peer != 0 && was_seen_here(peer)) ? 0 : short_looks;
    for (int i = 0; i < looks; ++i) {
        if (look())
            return true;
        platform::cpu_relax();
    }
    begin_to_wait();
    if (peer != 0 && !is_crowded)
        for (const std::int64_t until = platform::now_ns() + spin_ns;
             runs_elsewhere(peer) && platform::now_ns() < until;)
            for (int i = 0; i < 20; ++i) {
                if (look())
                    return true;
                platform::cpu_relax();
            }
    for (int i = 0; i < offers && offer_processor(is_crowded); ++i)
        if (look())
            return true;
    return false;
}

// Sleeps until look(expected) is true; false if that is in vain.
template <class Look, class Announce>
bool sleep_until(sleeper &asleep, Look look, Announce announce) {
    std::uint32_t expected = 0;
    for (;;) {
        announce();
        if (look(expected))
            return true;
        asleep.nap(expected);
        if (look(expected))
            return true;
        if (asleep.may_be_in_vain())
            return look(expected);
        asleep.look_for_a_deadlock();
    }
}

template <class Look, class Announce>
void wait_until(const awaited &what, Look look, Announce announce) {
    std::uint32_t expected = 0;
    if (look(expected) || look_for_a_while(what.who(), [&] { return look(expected); }))
        return;
    sleeper asleep(what);
    if (!sleep_until(asleep, look, announce))
        asleep.end();
}

template <class Look, class Announce>
bool wait_unless_gone(const awaited &what, Look look, Announce announce) {
    std::uint32_t expected = 0;
    if (look(expected) || look_for_a_while(what.who(), [&] { return look(expected); }))
        return true;
    sleeper asleep(what);
    // Before the first nap: who asks may have been told so already.
    if (asleep.may_be_in_vain())
        return look(expected);
    return sleep_until(asleep, look, announce);
}

} // namespace saguaro::spmc
