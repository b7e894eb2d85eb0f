// SPDX-License-Identifier: MIT
// Which threads compute, and which sleep and may be woken.
//
// Each thread has a worker of its own: a thread of the runtime's for good, a thread that enters
// from the workers of callers (callers.hpp) as long as its call lasts. A thread that enters
// computes at once. The runtime's threads compute where processors are left: with k threads inside
// that do not sleep, P - k of them. A thread in a blocking scope needs no processor, and a stand-in
// is one more of the runtime's threads, for such times. README.md has the protocol, "Threads that
// call `run`", "Blocking scopes" and "Sleeping and waking".
#pragma once

#include "platform/spin_lock.hpp"
#include "platform/thread.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace saguaro::scheduler {

struct root;
struct worker;

// A thread of the runtime's, or one that has entered, as long as its call lasts.
struct participant {
    // Bits of `call`. The participant has been woken to work: it is in no list any more. It needs
    // not go on, because its root is done or the runtime stops. It sleeps in the kernel. It is to
    // look around.
    static constexpr std::uint32_t woken = 1;
    static constexpr std::uint32_t over = 2;
    static constexpr std::uint32_t asleep = 4;
    static constexpr std::uint32_t called = 8;

    struct list;

    root *mine = nullptr;   // what it has entered with; null: a thread of the runtime's
    worker *seat = nullptr; // its worker. Its own thread's, as is all to `place`
    worker *at = nullptr;   // the same while it works, null while it sleeps
    platform::home_cpu *place = nullptr; // where it sleeps; null: it is not ours
    // The list of `seats` that it is in, and its place there; under the lock. (The place is not
    // null at first: gcc would set a root's words to 0 by an instruction that takes 5 ns.)
    list *in = nullptr;
    participant *next;
    participant **link;
    unsigned node_bit = 0;              // of sleeping_nodes, while it is in the list of sleepers
    std::atomic<std::uint32_t> call{0}; // a futex
    // Whether the program's code has run on the thread. Relaxed: where nothing is under way, what
    // each thread has done was handed over at joins.
    std::atomic<bool> has_worked{false};

    // Acquire: pairs with the release in `tell`; what the root has done is visible.
    bool is_over() const { return (call.load(std::memory_order_acquire) & over) != 0; }

    // Sleeps until it is woken, called or over; or, unless it is negative, for `nap`.
    void sleep(std::chrono::nanoseconds nap);
};

// Tells `who` that it is over, whatever it does, and wakes it if it sleeps. `who` may be gone when
// this returns.
void tell_over(participant &who);

// The same for the calling thread's own, which works: it is in no list, so nobody else writes
// there.
inline void tell_over_of_itself(participant &me) {
    // Relaxed: the thread reads it itself.
    me.call.store(participant::over, std::memory_order_relaxed);
}

// Participants in a row. Anybody can be taken from the middle.
struct participant::list {
    participant *first = nullptr;
    participant **end = &first;
    unsigned size = 0;

    void push_front(participant &who);
    void remove(participant &who);
};

// On which nodes threads of the runtime's sleep. Changed under the lock of `seats`.
class sleeping_nodes {
public:
    // For a thread without a worker, as tests have, and for a stand-in: it may help on each.
    void add(participant &who);
    void remove(const participant &who);

    // A bit for each node, modulo their number: two nodes may have one.
    std::uint64_t bits() const { return counts_[on_each] != 0 ? ~std::uint64_t{0} : bits_; }
    static std::uint64_t bit_of(int node) {
        return std::uint64_t{1} << (static_cast<unsigned>(node) % on_each);
    }

private:
    static constexpr unsigned on_each = 64;

    std::array<unsigned, on_each + 1> counts_{};
    std::uint64_t bits_ = 0;
};

// The threads of the runtime's beyond those that it begins with, or about to be made. Written under
// the lock of `seats`; relaxed: hints without.
struct stand_in_counts {
    std::atomic<unsigned> there{0};
    std::atomic<unsigned> helpers{0}; // of these: needed although no thread waits

    unsigned all() const { return there.load(std::memory_order_relaxed); }
    // Whether any was made because a thread waited.
    bool any_for_waits() const { return all() > helpers.load(std::memory_order_relaxed); }
};

// Of the threads that sleep while something runs, one watches: it naps, and looks around for all.
// Sequentially consistent, all but what is said otherwise: a thread that falls asleep because there
// is a watch is counted as a sleeper before it looks for it; the thread that ends the watch looks
// for sleepers afterwards.
class watch {
public:
    // Whether `who` is the one from now on, or was before.
    bool begin(const participant &who) {
        const participant *nobody = nullptr;
        return who_.compare_exchange_strong(nobody, &who, std::memory_order_seq_cst) ||
               nobody == &who;
    }
    void end(const participant &who) {
        // Relaxed: its own store.
        if (is_kept_by(who))
            who_.store(nullptr, std::memory_order_seq_cst);
    }
    bool is_kept() const { return who_.load(std::memory_order_seq_cst) != nullptr; }
    // Relaxed: exact for `who` itself, a hint for others.
    bool is_kept_by(const participant &who) const {
        return who_.load(std::memory_order_relaxed) == &who;
    }

private:
    std::atomic<const participant *> who_{nullptr};
};

// Those who sleep in one runtime. All but `open` from any thread. Everything happens under one
// lock, but for threads that enter and leave: these are counted among the holders of the runtime.
class seats {
public:
    seats() = default;
    seats(const seats &) = delete;
    seats &operator=(const seats &) = delete;

    // As many threads may compute as there are workers; all of the runtime's do, one fewer.
    // `cpu` is left for those that enter; -1: no thread has a home. `hears_all_pushes`: pushes of
    // C++ constructs call sg_wake until `dismiss`, even if no thread sleeps.
    void open(unsigned workers, int cpu, bool hears_all_pushes = false);

    // How many threads sleep for which there is a processor: `wake` may wake one. Relaxed: a hint,
    // which does not know of threads that have entered or left since somebody last took the lock.
    unsigned sleepers() const { return can_be_woken_.load(std::memory_order_relaxed); }

    // How many more threads may compute; negative: so many fewer should. Without `leaving` of those
    // that have entered. While a root is under way with which no thread has entered, one of the
    // runtime's may, however many have entered; one more, until a thread has begun it: others may
    // have callers' work for long. A hint, as before.
    int free_processors(unsigned leaving = 0) const;

    // How many of the runtime's threads compute, or look for work. A hint, as before.
    int awake() const { return awake_.load(std::memory_order_relaxed); }

    // Of the roots under way, `more` more have no thread inside: they take no processor. Of these,
    // `unbegun` more wait for a thread of the runtime's to begin them. A hint, as before.
    void count_threadless(int more, int unbegun) {
        threadless_.fetch_add(more, std::memory_order_relaxed);
        unbegun_.fetch_add(unbegun, std::memory_order_relaxed);
    }

    // `who` sleeps from now on. Sequentially consistent with the look at sg_hear_pushes after a
    // push. With `gives_way` it only does so where threads are in each other's way; false: they are
    // not.
    bool rest(participant &who, bool gives_way);

    // `who`, which slept, works: because it was woken, or because it sees something to do and there
    // is a processor for it. A thread that has entered needs none. False: it sleeps on.
    bool rise(participant &who);

    // Counts anew how many can be woken: others may have entered or left.
    void look_again();

    // `who` has entered, and its root was done while it slept. `leaving` as below.
    void leave(participant &who, unsigned leaving);

    // A thread that computes works for a root inside its own from now on: 1; and no longer: -1.
    void count_inside(int by) { inside_.fetch_add(by, std::memory_order_relaxed); }
    // How many work for such a root. Relaxed, both: a hint; who takes the lock next counts anew.
    int inside() const { return inside_.load(std::memory_order_relaxed); }
    // How many roots threads work for, of either sort. A hint, but for `leaving` as below.
    int roots(unsigned leaving = 0) const;

    // Whether a thread may sleep that `wake` would find for `node`, if there is a processor.
    // Relaxed: a hint, as sg_hear_pushes is, and written with it; no lock is taken.
    bool any_sleeps_on(int node) const {
        return node == -1 ||
               (asleep_on_.load(std::memory_order_relaxed) & sleeping_nodes::bit_of(node)) != 0;
    }

    // Wakes one of the runtime's threads that sleeps, if a processor is left for it, or the only
    // thread that has entered: it looks for work, on another processor than the caller. `leaving`
    // of the threads that have entered, the caller, are about to leave. Of the threads of `node`
    // and the stand-ins; -1: of all. False: there is none.
    bool wake(unsigned leaving = 0, int node = -1);

    // The least node of a thread of the runtime's that sleeps, of those above `after`. That of the
    // stand-ins, `everywhere`, is the last one.
    std::optional<int> next_node_asleep(std::optional<int> after);

    // One of the runtime's threads that sleep looks around, whether or not there is a processor for
    // it: it watches from then on.
    void call_one();

    // Tells the runtime's threads that sleep to end. A thread that falls asleep later gets up.
    void dismiss();

    // A thread that computes waits for something outside of the runtime from now on, and needs no
    // processor. True: there is a stand-in for fewer threads than wait, and the caller is to make
    // one, which calls `join`; it is counted already. `most`: no more stand-ins than that.
    // `is_own`: the thread is the runtime's.
    bool begin_blocking(unsigned most, bool is_own);
    void end_blocking(bool is_own);

    // 1: the caller makes a stand-in, as above, for roots with which no thread enters. -1: it could
    // not be made.
    void count_helper(int by);

    // A stand-in, whose thread has begun, sleeps. Null: it could not be made. False: so it was, or
    // the runtime ends.
    bool join(participant *who);

    // How many threads wait like that. Relaxed: a hint without the lock.
    int blocked() const { return blocked_.load(std::memory_order_relaxed); }

    stand_in_counts stand_ins;

    class watch watch;

private:
    // The lock, and who is to be told something once it is free: no system call is made under it.
    class holding {
    public:
        explicit holding(seats &of);
        ~holding();
        holding(const holding &) = delete;
        holding &operator=(const holding &) = delete;

    private:
        seats &of_;
    };

    // Under the lock:
    void tell(participant &who, std::uint32_t what);
    void settle(unsigned leaving = 0);
    participant *one_to_wake(unsigned leaving, int node) const;

    int workers_ = 0;
    std::atomic<int> threadless_{0};
    std::atomic<int> unbegun_{0};

    alignas(64) platform::spin_lock lock_;    // guards what follows
    participant::list sleepers_;              // threads of the runtime's
    participant::list guests_;                // threads that have entered
    std::atomic<int> awake_{0};               // threads of the runtime's; a hint without the lock
    std::atomic<int> guests_asleep_{0};       // the size of the list; a hint without the lock
    std::atomic<int> blocked_{0};             // threads in blocking scopes; likewise
    std::atomic<int> own_blocked_{0};         // of these the runtime's; likewise
    bool dismissed_ = false;                  // the runtime ends
    std::atomic<int> inside_{0};              // threads that work for a root inside another
    sleeping_nodes nodes_;                    // of sleepers_
    std::atomic<std::uint64_t> asleep_on_{0}; // their bits; all, if a guest is woken as well
    std::atomic<unsigned> can_be_woken_{0};   // written under the lock
    bool hears_all_pushes_ = false;           // an observer follows each spawn
    int spare_cpu_ = -1;                      // where none of the runtime's threads is kept
    std::atomic<std::uint32_t> *told_ = nullptr; // the call of one that sleeps in the kernel
    platform::home_cpu *moved_ = nullptr;        // one that is to sleep elsewhere
    int moved_to_ = -1;
};

// In the child of a fork: nobody sleeps.
void forget_sleepers();

} // namespace saguaro::scheduler
