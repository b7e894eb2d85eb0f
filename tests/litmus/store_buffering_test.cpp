// SPDX-License-Identifier: MIT
// Store buffering: each side stores one word, then loads the other's. It must not be that both miss
// the other's store. Pop and steal, ranges, and sleepers rest on it.
#include "litmus/race.hpp"
#include "platform/cpus.hpp"
#include "platform/fence.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/detail/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace saguaro::litmus {
namespace {

using namespace platform;

// Words that are not in one cache line: each side's store takes its time to reach the other.
struct alignas(128) word {
    std::atomic<int> value{0};
};

// How a side makes its step known. Relaxed: the fence is what is tried.
constexpr auto plain_store = [](std::atomic<int> &mine, int step) {
    mine.store(step, std::memory_order_relaxed);
};
// As sg_push.
constexpr auto push_to = [](std::atomic<int> &mine, int step) {
    mine.store(step, std::memory_order_release);
};
// As idleness::sleep.
constexpr auto count_up = [](std::atomic<int> &mine, int) {
    mine.fetch_add(1, std::memory_order_seq_cst);
};

// One side of a free race: step after step it makes the step's number known and notes what it then
// reads of the other's.
template <class Store, class Fence>
class side {
public:
    side(int steps, Store store, Fence fence)
        : read_(static_cast<std::size_t>(steps) + 1), store_(store), fence_(fence) {}

    void run(std::atomic<int> &mine, const std::atomic<int> &yours) {
        for (int step = 1; step < static_cast<int>(read_.size()); ++step) {
            store_(mine, step);
            fence_();
            read_[static_cast<std::size_t>(step)] = yours.load(std::memory_order_relaxed);
        }
    }

    // By step, from 1 on.
    const std::vector<int> &read() const { return read_; }

private:
    std::vector<int> read_;
    Store store_;
    Fence fence_;
};

// Whether in any step of one side and any of the other both have missed the other's store. What a
// side reads never goes back, so of the steps whose store was missed the earliest read the least.
bool any_pair_missed(const std::vector<int> &one, const std::vector<int> &other) {
    for (std::size_t step = 1; step < one.size(); ++step) {
        const std::size_t missed = static_cast<std::size_t>(one[step]) + 1;
        if (missed < other.size() && static_cast<std::size_t>(other[missed]) < step)
            return true;
    }
    return false;
}

// Steps of either side in one race: some tens of microseconds at least, in which both are likely to
// run at once for a while even on a busy machine. A heavy fence takes as long as many light ones.
constexpr int light_steps = 100'000;
constexpr int heavy_steps = 500;

// Two threads, again and again. Whether both ever missed each other.
template <class First, class Second>
bool both_missed(std::chrono::milliseconds time, First first, Second second) {
    const auto end = std::chrono::steady_clock::now() + time;
    do {
        word x, y;
        std::atomic<int> there{0};
        std::thread other([&] {
            there.store(1, std::memory_order_release);
            second.run(y.value, x.value);
        });
        wait_for(there, 1);
        first.run(x.value, y.value);
        other.join();
        if (any_pair_missed(first.read(), second.read()))
            return true;
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

// Without it a clean race would say nothing: maybe the two sides never met.
TEST(store_buffering, without_a_fence_is_seen) {
    const auto cpus = std::min<std::size_t>(allowed_cpus().size(), std::size_t{default_workers()});
    if (cpus < 2)
        GTEST_SKIP() << "one processor: its threads never race";
    const side unfenced(light_steps, plain_store, light_fence);
#if defined(__x86_64__) && !defined(SG_LITMUS_SANITIZED)
    // A millisecond, unless others need the processors.
    const bool seen = both_missed(std::chrono::seconds(90), unfenced, unfenced);
    EXPECT_TRUE(seen) << "this harness finds nothing";
#else
    // Where it is not seen both processors are busy until then, and an emulator seldom shows it.
#ifdef SG_TEST_EMULATED
    constexpr std::chrono::seconds patience(2);
#else
    constexpr std::chrono::seconds patience(20);
#endif
    if (!both_missed(patience, unfenced, unfenced))
        GTEST_SKIP() << "not seen here: emulated, or between the checks of a sanitizer";
#endif
}

TEST(store_buffering, with_real_fences_is_not) {
    fence_init(false);
    const side fenced(light_steps, plain_store, real_fence);
    EXPECT_FALSE(both_missed(usual_time, fenced, fenced));
    EXPECT_FALSE(both_missed(usual_time, fenced, side(light_steps, plain_store, heavy_fence)));
}

TEST(store_buffering, with_the_asymmetric_fence_is_not) {
    if (!fence_init(true))
        GTEST_SKIP() << "no membarrier here";
    EXPECT_FALSE(both_missed(usual_time, side(light_steps, plain_store, light_fence),
                             side(heavy_steps, plain_store, heavy_fence)));
}

// idleness::sleep against who pushes a frame: it must not be that the one sees no sleeper and the
// other no frame.
TEST(sleepers, push_or_second_look_sees_the_other) {
    if (!fence_init(true))
        GTEST_SKIP() << "no membarrier here";
    const side waker(light_steps, push_to, light_fence);
    EXPECT_FALSE(both_missed(usual_time, waker, side(heavy_steps, count_up, heavy_fence)));
}

// ... and against runtime::submit and the end of the runtime, where no membarrier is needed.
TEST(sleepers, submission_or_second_look_sees_the_other) {
    for (const bool asymmetric : {false, true}) {
        fence_init(asymmetric);
        const side waker(light_steps, plain_store, real_fence);
        EXPECT_FALSE(
            both_missed(usual_time, waker,
                        side(asymmetric ? heavy_steps : light_steps, count_up, heavy_fence)));
    }
}

// An owner pops frame after frame, the lowest slot first here, so that nothing is ever taken back;
// a thief tries to take one that the owner is about to pop.
struct contest {
    static constexpr std::size_t frames = 100'000;

    sg_frame frame{};
    std::vector<sg_frame *> slots = std::vector<sg_frame *>(frames + 1, &frame);
    alignas(128) sg_deque deque{slots.data(), nullptr, nullptr};
    alignas(128) std::atomic<std::size_t> popped{0};
    // Whether the owner has kept a frame, and whether the thief has taken it: no vector<bool>,
    // each has a thread of its own.
    std::vector<char> kept = std::vector<char>(frames);
    std::vector<char> taken = std::vector<char>(frames);
    std::vector<std::size_t> tried;

    // pop(slot): does the owner have it? take(slot): does the thief?
    template <class Pop, class Take>
    void run(Pop pop, Take take) {
        std::atomic<int> there{0};
        std::thread thief([&] {
            there.store(1, std::memory_order_release);
            for (std::size_t tries = 0;; ++tries) {
                // Relaxed: a guess where the owner will be.
                const std::size_t at = popped.load(std::memory_order_relaxed) + tries % 32;
                if (at >= frames)
                    return;
                if (!tried.empty() && at <= tried.back())
                    continue;
                tried.push_back(at);
                taken[at] = take(&slots[at]);
            }
        });
        wait_for(there, 1);
        for (std::size_t at = 0; at < frames; ++at) {
            popped.store(at, std::memory_order_relaxed);
            kept[at] = pop(&slots[at]);
        }
        popped.store(frames, std::memory_order_relaxed);
        thief.join();
    }

    // How many frames both have.
    std::size_t wrong() const {
        return static_cast<std::size_t>(std::count_if(
            tried.begin(), tried.end(), [&](std::size_t at) { return kept[at] && taken[at]; }));
    }
};

// One contest after the other, until one goes wrong or the time is over.
template <class Play>
bool ever_wrong(Play play) {
    const auto end = std::chrono::steady_clock::now() + usual_time;
    do {
        contest c;
        play(c);
        if (c.wrong() != 0)
            return true;
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

// sg_pop against take_frame: it must not be that the owner is not told and the thief sees the
// frame.
TEST(pop_and_steal, owner_or_thief_sees_the_other) {
    if (!fence_init(true))
        GTEST_SKIP() << "no membarrier here";
    EXPECT_FALSE(ever_wrong([](contest &c) {
        c.run([&](sg_frame **slot) { return sg_pop(&c.deque, slot) == 0; },
              [&](sg_frame **slot) {
                  __atomic_store_n(&c.deque.exc, slot + 1, __ATOMIC_RELEASE);
                  heavy_fence();
                  return __atomic_load_n(slot, __ATOMIC_ACQUIRE) != nullptr;
              });
    }));
}

// The same where every pop asks, under the lock.
TEST(pop_and_steal, lock_decides_in_the_fallback) {
    fence_init(false);
    EXPECT_FALSE(ever_wrong([](contest &c) {
        c.deque.exc = reinterpret_cast<sg_frame **>(UINTPTR_MAX);
        spin_lock lock;
        sg_frame **head = c.slots.data(); // the lock's
        c.run(
            [&](sg_frame **slot) {
                if (sg_pop(&c.deque, slot) == 0)
                    return true;
                const std::lock_guard guard(lock);
                return head <= slot;
            },
            [&](sg_frame **slot) {
                const std::lock_guard guard(lock);
                heavy_fence();
                const bool there = __atomic_load_n(slot, __ATOMIC_ACQUIRE) != nullptr;
                if (there)
                    head = slot + 1;
                return there;
            });
    }));
}

} // namespace
} // namespace saguaro::litmus
