// SPDX-License-Identifier: MIT
// Reducers whose own value is made or destroyed by code that spawns, and that goes on on another
// worker than it began on.
#include "forkjoin/forcing.hpp"
#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace saguaro::test {
namespace {

// Returns on the other of two workers.
void go_to_the_other_worker() {
    const unsigned before = me();
    scope s;
    s.spawn([] { EXPECT_TRUE(force_steal()); });
    wait_until([&] { return is_idle(before); }); // the child has ended: this one comes last
    s.sync();
    EXPECT_NE(me(), before);
}

struct sum_from_elsewhere {
    using value_type = long;
    long identity() const { return 0; }
    void reduce(long &left, long &&right) const { left += right; }
    long first() const {
        go_to_the_other_worker();
        return 1000;
    }
};

TEST(spawning_values, are_made) {
    const scripted_workers workers(2);
    run([] {
        for (int turn = 0; turn < 3; ++turn) {
            reducer<sum_from_elsewhere> sum;
            EXPECT_EQ(*sum, 1000);
            parallel_for(0, 10, [&](int i) {
                *sum += i;
                force_steal_if(i == 0);
            });
            EXPECT_EQ(sum.get(), 1045);
        }
    });
}

// The first in a task, where it belongs to no worker's strand.
TEST(spawning_values, are_made_outside) {
    const scripted_workers workers(2);
    struct sum : sum_from_elsewhere {
        long first() const {
            return run([] {
                go_to_the_other_worker();
                return 7L;
            });
        }
    };
    reducer<sum> r;
    run([&] { *r += 1; });
    EXPECT_EQ(r.get(), 8);
}

// That of a strand that is not the first, made in the middle of a lookup.
TEST(spawning_values, are_made_for_later_strands) {
    const scripted_workers workers(2);
    struct sum : sum_from_elsewhere {
        long first() const { return 0; }
        long identity() const {
            go_to_the_other_worker();
            return 0;
        }
    };
    run([] {
        for (int turn = 0; turn < 3; ++turn) {
            reducer<sum> r;
            reducer<add<long>> on_the_way;
            scope s;
            s.spawn([] { EXPECT_TRUE(force_steal()); });
            wait_for_the_thief();
            *on_the_way += 1;
            *r += 5;
            *on_the_way += 1;
            *r += 6;
            s.sync();
            EXPECT_EQ(r.get(), 11);
            EXPECT_EQ(on_the_way.get(), 2);
        }
    });
}

// A child of the identity's has made a view by then, which stays.
TEST(spawning_values, of_an_identity_that_uses_its_reducer) {
    const scripted_workers workers(2);
    static void *in_use;
    static int made;
    struct sum {
        using value_type = long;
        long identity() const {
            if (++made == 2)
                **static_cast<reducer<sum> *>(in_use) += 7;
            return 0;
        }
        void reduce(long &left, long &&right) const { left += right; }
    };
    made = 0;
    run([] {
        reducer<sum> r;
        in_use = &r;
        scope s;
        s.spawn([] { EXPECT_TRUE(force_steal()); });
        wait_for_the_thief();
        *r += 1;
        s.sync();
        EXPECT_EQ(made, 3);
        EXPECT_EQ(r.get(), 8);
    });
}

#if !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER // which know a loop's stack by its thread

// Spawns in each way, and no thief gets anything of it.
struct sum_by_spawns {
    using value_type = long;
    static inline std::atomic<int> reduces{0};

    long identity() const { return 0; }
    void reduce(long &left, long &&right) const {
        const auto is_alone = [] { return !force_steal(std::chrono::milliseconds(10)); };
        bool alone = false;
        scope s;
        s.spawn([&] { alone = is_alone(); });
        s.sync();
        EXPECT_TRUE(alone);
        parallel_invoke([&] { EXPECT_TRUE(is_alone()); }, [&] { left += right; });
        parallel_for(0, 2, [&](int i) { EXPECT_TRUE(i != 0 || is_alone()); });
        ++reduces;
    }
};

// First in the loop of the worker whose flow has parked, then at the end of the last child.
TEST(spawning_values, are_merged) {
    const scripted_workers workers(3);
    for (int turn = 0; turn < 3; ++turn) {
        sum_by_spawns::reduces = 0;
        run([] {
            reducer<sum_by_spawns> sum;
            scope s;
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                *sum += 1;
                wait_until([] { return sum_by_spawns::reduces == 1; });
            });
            const unsigned second = me();
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                *sum += 2;
            });
            wait_until([&] { return is_idle(second); });
            *sum += 4;
            s.sync();
            EXPECT_EQ(sum_by_spawns::reduces, 2);
            EXPECT_EQ(sum.get(), 7);
        });
    }
}

#endif

// Goes to the other worker at its end if it is told to.
struct wandering {
    long number = 0;
    bool wanders = false;

    wandering() = default;
    wandering(wandering &&) = default;
    wandering &operator=(wandering &&) = default;
    ~wandering() {
        if (wanders)
            go_to_the_other_worker();
    }
};

struct wandering_sum {
    using value_type = wandering;
    wandering identity() const { return {}; }
    void reduce(wandering &left, wandering &&right) const { left.number += right.number; }
};

TEST(spawning_values, are_destroyed) {
    const scripted_workers workers(2);
    run([] {
        for (int turn = 0; turn < 3; ++turn) {
            {
                reducer<wandering_sum> r;
                parallel_for(0, 10, [&](int i) {
                    r->number += i;
                    force_steal_if(i == 0);
                });
                EXPECT_EQ(r->number, 45);
                r->wanders = true;
            }
            // Slots and views of the one that is gone serve others, on both workers.
            std::vector<reducer<add<long>>> others(3);
            parallel_for(0, 3, [&](int i) {
                *others[static_cast<std::size_t>(i)] += i;
                force_steal_if(i == 0);
            });
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(others[static_cast<std::size_t>(i)].get(), i);
        }
    });
}

// What makes and destroys a reducer's own value may wait for any group. The flow parks meanwhile.
void wait_for_a_group() {
    task_group elsewhere;
    elsewhere.run([] {
        EXPECT_TRUE(force_steal());
        wait_until([other = other()] { return is_idle(other); });
    });
    elsewhere.wait();
}

struct waiting_sum {
    struct value_type {
        ~value_type() {
            if (waits_at_the_end)
                wait_for_a_group();
        }
        long number = 0;
        bool waits_at_the_end = false;
    };
    value_type first() const {
        wait_for_a_group();
        return {.number = 100};
    }
    value_type identity() const {
        static std::atomic<int> made{0};
        if (made++ == 0)
            wait_for_a_group();
        return {};
    }
    void reduce(value_type &left, value_type &&right) const { left.number += right.number; }
};

TEST(spawning_values, wait_for_groups) {
    const scripted_workers workers(2);
    run([] {
        reducer<waiting_sum> r;
        parallel_invoke(
            [&] {
                r->number += 1;
                EXPECT_TRUE(force_steal());
            },
            [&] { r->number += 2; });
        EXPECT_EQ(r->number, 103);
        r->waits_at_the_end = true;
    });
}

} // namespace
} // namespace saguaro::test
