// SPDX-License-Identifier: MIT
// The assignment of threads to workers: workers are seats, threads come and go.
//
// A runtime of P workers has P - 1 threads of its own. A thread that enters (sg_run) is the P-th:
// it takes a free worker, works like any other, and gives it back when its root is done. So no more
// than P flows ever run at once, and a call from a plain thread costs neither a context switch nor
// a system call. README.md, "The thread that enters works", has the protocol.
#pragma once

#include "platform/spin_lock.hpp"
#include "platform/thread.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::scheduler {

struct root;
struct worker;

// A thread that has a worker, or would like one.
struct participant {
    // Bits of `call`. The participant has been given a seat; it needs none any more, because its
    // root is done or the runtime stops; it sleeps in the kernel.
    static constexpr std::uint32_t seated = 1;
    static constexpr std::uint32_t over = 2;
    static constexpr std::uint32_t asleep = 4;

    struct list;

    root *mine = nullptr;              // what it has entered with; null: a thread of the runtime's
    worker *at = nullptr;              // where it works. Its own thread's
    unsigned home = 0;                 // the number of the worker that it had last
    unsigned node = 0;                 // the index of the node that it ran on when it last looked
    platform::pinned *place = nullptr; // where the kernel keeps it; null: it is not ours
    // What it has been given, under the lock; its own thread's otherwise.
    worker *seat = nullptr;
    // The list of `seats` that it is in, and its place there; under the lock.
    list *in = nullptr;
    participant *next = nullptr;
    participant **link = nullptr;
    std::atomic<std::uint32_t> call{0}; // a futex

    // Acquire: pairs with the release in `tell`; what the root has done is visible.
    bool is_over() const { return (call.load(std::memory_order_acquire) & over) != 0; }

    // Sleeps until it is given a seat, or it is over; or, unless it is negative, for `nap`. False:
    // the nap has ended.
    bool sleep(std::chrono::nanoseconds nap);
};

// Tells `who` that it is over, whatever it does, and wakes it if it sleeps. `who` may be gone when
// this returns.
void tell_over(participant &who);

// Participants in a row. Anybody can be taken from the middle.
struct participant::list {
    participant *first = nullptr;
    participant **end = &first;
    unsigned size = 0;

    void push_front(participant &who);
    void push_back(participant &who);
    void remove(participant &who);
};

// The seats of one runtime, and who waits for one. All but `open` from any thread.
//
// Worker 0 is for threads that enter: as long as there is one at a time, one exchange takes it and
// a store gives it back. Everything else happens under the lock.
class seats {
public:
    seats() = default;
    seats(const seats &) = delete;
    seats &operator=(const seats &) = delete;

    // All workers. The threads of the runtime have taken all but the first.
    // `cpu` is left for those that enter; -1: nobody is pinned. `hears_all_pushes`: pushes of C++
    // constructs call sg_wake until `dismiss`, even if no thread sleeps.
    void open(std::vector<worker *> all, int cpu, bool hears_all_pushes = false);

    // Worker 0 for a thread that enters, if it is free and nobody waits. One exchange.
    worker *take_first() {
        std::uint32_t expected = vacant;
        // Acquire: pairs with the release in give_first; what the last participant left is visible.
        // Sequentially consistent for the sake of `wait`, see there.
        return first_.compare_exchange_strong(expected, taken, std::memory_order_seq_cst)
                   ? all_.front()
                   : nullptr;
    }

    // A free worker, for a thread that enters. False: there is none, or others wait.
    bool take_any(participant &who);

    // The same; but if it gets none it waits, with the others, in the order in which they came:
    // until somebody gives it a worker or begins its root (begin_waiting).
    bool take_or_wait(participant &who);

    // The root that has waited longest for a worker: the caller runs it. Null: there is none. Its
    // thread sleeps from now on.
    root *begin_waiting();

    // Whether a thread waits for a worker with a root that nobody has begun. Relaxed: a hint.
    bool anybody_waits() const { return waits_.load(std::memory_order_relaxed); }

    // Whether a worker that is given back is of use to somebody. Relaxed: a hint.
    bool wanted() const { return wanted_.load(std::memory_order_relaxed); }

    // How many threads sleep for which there is a worker: `wake` may wake one. Relaxed: a hint.
    unsigned sleepers() const { return can_be_woken_.load(std::memory_order_relaxed); }

    // `who` gives its worker back and sleeps: from now on it is one of the sleepers, if there is a
    // worker for it. Sequentially consistent with the look at sg_hear_pushes after a push.
    void rest(participant &who);

    // `who`, which sleeps, takes a worker, unless all are taken. True if it has one.
    bool rise(participant &who);

    // `who` has entered, and its root is done. It has worked `at` until now, null: nowhere.
    // Wherever it is, it is gone afterwards. True if there is now a worker for one that sleeps, and
    // was none before.
    bool leave(participant &who, const worker *at) {
        if (at == all_.front() && give_first())
            return false;
        return leave_slowly(who);
    }

    // Gives a worker to one that sleeps: a thread of the runtime's, or the only one that has
    // entered. It looks for work then, on another processor than the caller.
    void wake();

    // Tells the runtime's threads that sleep to end.
    void dismiss();

    // Calls visit(worker &) for each worker that nobody has, one at a time: it is taken meanwhile.
    // Sleepers were told of no push while there was no worker for them: afterwards one looks.
    template <class Visit>
    void visit_free(Visit visit) {
        for (unsigned i = 0; i < all_.size(); ++i)
            if (take_this(i)) {
                visit(*all_[i]);
                put_back(i);
            }
    }

private:
    // Of worker 0. A thread that enters may take it; somebody has it; it stands in the list, as the
    // others do, and only who holds the lock gives it away.
    static constexpr std::uint32_t vacant = 0;
    static constexpr std::uint32_t taken = 1;
    static constexpr std::uint32_t listed = 2;

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

    bool give_first() {
        // Sequentially consistent: either this sees who wants a worker, or that thread, which says
        // so first and then looks at worker 0, finds it vacant. See settle.
        first_.store(vacant, std::memory_order_seq_cst);
        std::uint32_t expected = vacant;
        // Whoever has taken it meanwhile gives it back later, and looks then.
        return !wanted_.load(std::memory_order_seq_cst) ||
               !first_.compare_exchange_strong(expected, taken, std::memory_order_seq_cst);
    }

    bool leave_slowly(participant &who);
    bool take_this(unsigned i);
    void put_back(unsigned i);

    // Under the lock:
    bool take(unsigned i);
    unsigned find_free(const participant &who) const;
    bool take_for(participant &who);
    void put(unsigned i);
    void give(participant &who);
    void settle(unsigned leaving = 0);
    bool list_first();

    std::vector<worker *> all_;
    alignas(64) std::atomic<std::uint32_t> first_{taken};
    std::atomic<bool> wanted_{false};
    std::atomic<bool> waits_{false};

    alignas(64) platform::spin_lock lock_;  // guards what follows
    std::vector<bool> is_free_;             // worker 0 only while it is listed
    std::vector<unsigned> nodes_;           // of the free ones, by the index of `numa::near`
    std::atomic<unsigned> free_{0};         // how many; a hint without the lock
    participant::list waiting_;             // threads with a root that nobody has begun
    participant::list sleepers_;            // threads of the runtime's
    participant::list guests_;              // threads that have entered, whose root runs elsewhere
    std::atomic<unsigned> can_be_woken_{0}; // written under the lock
    bool hears_all_pushes_ = false;         // an observer follows each spawn
    int spare_cpu_ = -1;                    // where none of the runtime's threads is kept
    // The calls of those that sleep and have just been given a worker: one for each that became
    // free under the lock.
    std::array<std::atomic<std::uint32_t> *, 2> called_{};
    unsigned calls_ = 0;
    platform::pinned *moved_ = nullptr; // one that is to be kept elsewhere
    int moved_to_ = -1;
};

// In the child of a fork: nobody sleeps.
void forget_sleepers();

} // namespace saguaro::scheduler
