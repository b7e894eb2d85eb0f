// SPDX-License-Identifier: MIT
// Which worker a thread gets that enters, on an emulated machine whose workers are on several
// nodes.
#include "numa/emulated.hpp"

#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

SG_BEFORE_CASES(emulated::install)

namespace saguaro::scheduler {
namespace {

// Nobody steals. The thread of worker 1 is on node 1, that of 2 on node 2, and that of 3 on node 5.
class on_nodes final : public steal_policy {
public:
    void start(unsigned, const std::vector<int> &) override {}
    void start_worker(unsigned self) override {
        if (self != 0)
            emulated::run_on(node_of(self));
    }
    int choose_victim(unsigned, unsigned) override { return -1; }
    void stop_worker(unsigned) override {}
    void stop() override {}

    static int node_of(unsigned worker) { return worker == 3 ? 5 : static_cast<int>(worker); }
};

// False if they did not within a minute.
bool threads_sleep(unsigned threads) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (running()->seating().sleepers() != threads) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        sched_yield();
    }
    return true;
}

// Workers that sleep, but for worker 0, which a thread keeps that has entered.
class sleeping_workers {
public:
    sleeping_workers() {
        settings s = settings_from_environment();
        s.workers = 4;
        s.spin_ns = 0;
        EXPECT_EQ(start_with(s, std::make_unique<on_nodes>()), 0);
        first_ = std::thread([this] {
            run([this] {
                EXPECT_EQ(worker_id(), 0);
                has_first_ = true;
                while (!is_done_)
                    sched_yield();
            });
        });
        while (!has_first_)
            sched_yield();
        EXPECT_TRUE(threads_sleep(3));
    }
    ~sleeping_workers() {
        is_done_ = true;
        first_.join();
        EXPECT_EQ(sg_stop(), 0);
    }
    sleeping_workers(const sleeping_workers &) = delete;
    sleeping_workers &operator=(const sleeping_workers &) = delete;

private:
    std::atomic<bool> has_first_{false}, is_done_{false};
    std::thread first_;
};

// First a worker for a thread of each node, while the others are inside; then one thread at a time.
TEST(entering_threads, get_a_free_worker_of_their_node) {
    const sleeping_workers there;
    constexpr std::array nodes{1, 2, 5};
    std::array<std::atomic<int>, nodes.size()> of_node{};
    {
        std::vector<std::thread> threads;
        std::atomic<unsigned> inside{0};
        for (std::size_t i = 0; i < nodes.size(); ++i)
            threads.emplace_back([&, i] {
                emulated::run_on(nodes[i]);
                run([&, i] {
                    of_node[i] = worker_id();
                    ++inside;
                    while (inside != nodes.size())
                        sched_yield();
                });
            });
        for (std::thread &each : threads)
            each.join();
    }
    for (std::size_t i = nodes.size(); i-- > 0;)
        std::thread([&, i] {
            emulated::run_on(nodes[i]);
            run([&, i] { EXPECT_EQ(worker_id(), of_node[i]); });
        }).join();
}

} // namespace
} // namespace saguaro::scheduler
