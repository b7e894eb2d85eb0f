// SPDX-License-Identifier: MIT
// Tests of the ready queue: both ends, thieves' shares and the handshake.
#include "nanothreads/ready_queue.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace saguaro::nanothreads {

namespace {

// Threads to queue up; nobody runs them.
class some_threads {
public:
    explicit some_threads(std::size_t count) : threads_(new thread[count]{}) {
        for (std::size_t i = 0; i < count; ++i)
            threads_[i].now = state::fresh;
    }
    thread &operator[](std::size_t i) { return threads_[i]; }
    std::size_t index(const thread *t) const { return static_cast<std::size_t>(t - &threads_[0]); }

private:
    std::unique_ptr<thread[]> threads_;
};

std::vector<std::size_t> pop_all(ready_queue &q, const some_threads &t) {
    std::vector<std::size_t> order;
    while (const thread *const next = q.pop())
        order.push_back(t.index(next));
    return order;
}

using order = std::vector<std::size_t>;

TEST(nanothreads_ready_queue, both_ends) {
    some_threads t(5);
    ready_queue q(true);
    EXPECT_TRUE(q.looks_empty());
    EXPECT_EQ(q.pop(), nullptr);
    q.push_front(t[0]);
    q.push_back(t[1]);
    q.push_front(t[2]);
    q.push_back(t[3]);
    EXPECT_EQ(pop_all(q, t), (order{2, 0, 1, 3}));
    q.push_back(t[4]);
    q.push_front(t[1]);
    EXPECT_EQ(pop_all(q, t), (order{1, 4}));
    EXPECT_TRUE(q.looks_empty());
}

TEST(nanothreads_ready_queue, only_those_that_have_not_begun) {
    some_threads t(2);
    ready_queue q(true);
    EXPECT_EQ(q.pop_fresh(), nullptr);
    t[1].now = state::left;
    q.push_front(t[1]);
    q.push_front(t[0]);
    EXPECT_EQ(q.pop_fresh(), &t[0]);
    EXPECT_EQ(q.pop_fresh(), nullptr);
    EXPECT_EQ(q.pop(), &t[1]);
}

TEST(nanothreads_ready_queue, a_thief_takes_half_from_the_back) {
    some_threads t(8);
    ready_queue q(true);
    ready_queue mine(true);
    EXPECT_EQ(q.steal().count, 0U);
    for (std::size_t i = 0; i < 5; ++i)
        q.push_back(t[i]);
    const chain taken = q.steal();
    EXPECT_EQ(taken.count, 3U);
    mine.push_back(t[7]);
    mine.push_back(taken);
    EXPECT_EQ(pop_all(mine, t), (order{7, 2, 3, 4}));
    // What is left is whole.
    q.push_back(t[5]);
    q.push_front(t[6]);
    EXPECT_EQ(pop_all(q, t), (order{6, 0, 1, 5}));
}

TEST(nanothreads_ready_queue, a_thief_takes_the_last) {
    some_threads t(1);
    ready_queue q(true);
    q.push_front(t[0]);
    const chain taken = q.steal();
    EXPECT_EQ(taken.count, 1U);
    EXPECT_EQ(taken.first, &t[0]);
    EXPECT_TRUE(q.looks_empty());
    EXPECT_EQ(q.pop(), nullptr);
    q.push_back(t[0]);
    EXPECT_EQ(q.pop(), &t[0]);
}

TEST(nanothreads_ready_queue, a_thief_takes_no_more_than_it_may) {
    constexpr std::size_t count = 4 * ready_queue::most_stolen;
    some_threads t(count);
    ready_queue q(true);
    for (std::size_t i = 0; i < count; ++i)
        q.push_back(t[i]);
    EXPECT_EQ(q.steal().count, ready_queue::most_stolen);
}

// The owner is inside for a while: as long as it looks at the first thread.
TEST(nanothreads_ready_queue, a_thief_waits_for_the_owner) {
    some_threads t(2);
    ready_queue q(true);
    q.push_front(t[0]);
    q.push_front(t[1]);
    std::atomic<bool> stolen{false};
    std::thread thief;
    q.pop_if([&](const thread &) {
        thief = std::thread([&] {
            while (q.steal().count == 0) {
            }
            stolen = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_FALSE(stolen);
        return false;
    });
    thief.join();
    EXPECT_EQ(q.pop(), &t[1]);
    EXPECT_EQ(q.pop(), nullptr);
}

// What a thief gets that waits for the answer for ever, while `owner` runs again and again.
template <class Owner>
chain ask_while(ready_queue &q, Owner owner) {
    chain given;
    std::atomic<bool> begun{false};
    std::atomic<bool> done{false};
    std::thread thief([&] {
        begun = true;
        while (given.count == 0)
            given = q.steal(std::numeric_limits<unsigned>::max());
        done = true;
    });
    while (!begun)
        sched_yield();
    while (!done)
        owner();
    thief.join();
    return given;
}

TEST(nanothreads_ready_queue, an_owner_that_comes_by_gives_half_from_the_back) {
    some_threads t(5);
    ready_queue q(true);
    ready_queue mine(true);
    for (std::size_t i = 0; i < 5; ++i)
        q.push_back(t[i]);
    const chain given = ask_while(q, [&] { q.pop_if([](const thread &) { return false; }); });
    EXPECT_EQ(given.count, 2U);
    mine.push_back(given);
    EXPECT_EQ(pop_all(mine, t), (order{3, 4}));
    EXPECT_EQ(pop_all(q, t), (order{0, 1, 2}));
}

TEST(nanothreads_ready_queue, an_owner_gives_no_more_than_a_thief_may_take) {
    constexpr std::size_t count = 4 * ready_queue::most_stolen;
    some_threads t(count);
    ready_queue q(true);
    for (std::size_t i = 0; i < count; ++i)
        q.push_back(t[i]);
    const chain given = ask_while(q, [&] { q.pop_if([](const thread &) { return false; }); });
    EXPECT_EQ(given.count, ready_queue::most_stolen);
}

// Two processors that gave each other their only thread would never run it.
TEST(nanothreads_ready_queue, an_owner_keeps_the_last) {
    some_threads t(2);
    ready_queue q(true);
    q.push_front(t[0]);
    int pops = 0;
    const chain given = ask_while(q, [&] {
        if (pops < 10'000) {
            ASSERT_EQ(q.pop(), &t[0]);
            q.push_front(t[0]);
        } else if (pops == 10'000) {
            q.push_front(t[1]);
        } else {
            q.pop_if([](const thread &) { return false; });
        }
        ++pops;
    });
    EXPECT_GE(pops, 10'000);
    EXPECT_EQ(given.count, 1U);
    EXPECT_EQ(given.first, &t[0]);
    EXPECT_EQ(q.pop(), &t[1]);
}

// An owner and two thieves, with each kind of fence: a thread that is taken out was in. One thief
// does not wait for an answer, so it takes; the other is given. It goes on until both have got some
// often enough, or for some seconds where there is only one processor.
class fight {
public:
    explicit fight(bool real_fences) : queue_(real_fences) {}

    void run() {
        std::array<std::thread, 2> thieves{std::thread([this] { rob(0, takes_); }),
                                           std::thread([this] { rob(long_wait, gifts_); })};
        while (begun_ != thieves.size())
            sched_yield();
        const auto some = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        const auto end = some + std::chrono::seconds(60);
        for (bool front = true; takes_ < enough || gifts_ < enough; front = !front) {
            const auto now = std::chrono::steady_clock::now();
            if ((now > some && takes_ > 0 && gifts_ > 0) || now > end)
                break;
            go_through(front);
        }
        done_ = true;
        for (std::thread &each : thieves)
            each.join();
        while (const thread *const one = queue_.pop())
            take_out(*one);
        EXPECT_GT(takes_, 0);
        EXPECT_GT(gifts_, 0);
        EXPECT_EQ(wrong_, 0);
        for (const std::atomic<bool> &each : in_)
            EXPECT_FALSE(each);
    }

private:
    static constexpr std::size_t count = 64;
    static constexpr int enough = 300;
    static constexpr unsigned long_wait = 20 * ready_queue::looks_for_answer;

    // The owner: puts in what is out, and pops some.
    void go_through(bool front) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!in_[i].exchange(true)) {
                if (front)
                    queue_.push_front(threads_[i]);
                else
                    queue_.push_back(threads_[i]);
            }
            if (i % 3 == 0)
                if (const thread *const one = queue_.pop())
                    take_out(*one);
        }
    }

    void rob(unsigned looks, std::atomic<int> &times) {
        ++begun_;
        while (!done_) {
            const chain some = queue_.steal(looks);
            times += some.count != 0 ? 1 : 0;
            const thread *one = some.first;
            for (std::size_t i = 0; i < some.count; ++i) {
                const thread *const next = i + 1 < some.count ? one->next : nullptr;
                take_out(*one);
                one = next;
            }
        }
    }

    void take_out(const thread &one) {
        wrong_ += in_[threads_.index(&one)].exchange(false) ? 0 : 1;
    }

    some_threads threads_{count};
    std::array<std::atomic<bool>, count> in_{};
    ready_queue queue_;
    std::atomic<std::size_t> begun_{0};
    std::atomic<bool> done_{false};
    std::atomic<int> takes_{0};
    std::atomic<int> gifts_{0};
    std::atomic<int> wrong_{0};
};

TEST(nanothreads_ready_queue, owner_and_thieves) {
    fight(!platform::fence_init(true)).run();
}

TEST(nanothreads_ready_queue, owner_and_thieves_without_asymmetric_fences) {
    platform::fence_init(false);
    fight(true).run();
    platform::fence_init(true);
}

} // namespace

} // namespace saguaro::nanothreads
