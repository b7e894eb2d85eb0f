// SPDX-License-Identifier: MIT
// Tests of reducer as a variable, its concepts and its use in runs.
#include "saguaro/reducer.hpp"

#include <cerrno>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "hyperobjects/slots.hpp"
#include "hyperobjects/strand.hpp"
#include "saguaro/monoids.hpp"

namespace saguaro::hyperobjects {
namespace {

struct no_reduce {
    using value_type = int;
    int identity() const { return 0; }
};
struct no_identity {
    using value_type = int;
    void reduce(int &, int &&) const {}
};
struct no_value_type {
    int identity() const { return 0; }
    void reduce(int &, int &&) const {}
};
static_assert(monoid<add<int>> && monoid<string_append>);
static_assert(!monoid<no_reduce> && !monoid<no_identity> && !monoid<no_value_type>);
static_assert(!std::is_copy_constructible_v<reducer<add<int>>>);
static_assert(!std::is_move_constructible_v<reducer<add<int>>>);
static_assert(sizeof(reducer<add<long>>) == 2 * sizeof(void *), "lookups read the reducer");

TEST(reducer, is_a_variable_outside) {
    reducer<string_append> r;
    EXPECT_EQ(r.get(), "");
    *r += "ab";
    r->push_back('c');
    EXPECT_EQ(r.view(), "abc");
    EXPECT_EQ(r.take(), "abc");
    EXPECT_EQ(r.get(), "");
    r.set("x");
    EXPECT_EQ(r.get(), "x");
}

TEST(reducer, starts_from_the_initial_value) {
    local worker;
    reducer<add<long>> r(5);
    EXPECT_EQ(r.get(), 5);
    run_on(worker, [&] {
        reducer<add<long>> inside(7);
        worker.append(strand(worker, [&] { *inside += 2, *r += 1; }));
        EXPECT_EQ(inside.get(), 9);
    });
    EXPECT_EQ(r.get(), 6);
}

// A monoid with a state of its own: each reducer has one.
struct modular {
    using value_type = int;
    int modulus;
    int identity() const { return 0; }
    void reduce(int &left, int &&right) const { left = (left + right) % modulus; }
};

TEST(reducer, monoid_may_have_a_state) {
    local worker;
    reducer<modular> seven(modular{7});
    reducer<modular> ten(8, modular{10});
    run_on(worker, [&] {
        worker.append(strand(worker, [&] { *seven = 5, *ten = 5; }));
        worker.append(strand(worker, [&] { *seven = 5, *ten = 5; }));
    });
    EXPECT_EQ(seven.get(), 3);
    EXPECT_EQ(ten.get(), 8);
}

struct owned_sum {
    using value_type = std::unique_ptr<int>;
    value_type identity() const { return std::make_unique<int>(0); }
    void reduce(value_type &left, value_type &&right) const { *left += *right; }
};

TEST(reducer, value_may_be_move_only) {
    local worker;
    reducer<owned_sum> r(std::make_unique<int>(1));
    run_on(worker, [&] { worker.append(strand(worker, [&] { **r += 2; })); });
    EXPECT_EQ(*r.take(), 3);
    EXPECT_EQ(*r.get(), 0);
}

struct pinned_counter {
    pinned_counter() = default;
    pinned_counter(const pinned_counter &) = delete;
    pinned_counter &operator=(const pinned_counter &) = delete;
    int count = 0;
};
struct pinned_sum {
    using value_type = pinned_counter;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const { left.count += right.count; }
};

TEST(reducer, value_need_not_move_at_all) {
    local worker;
    reducer<pinned_sum> r;
    run_on(worker, [&] { worker.append(strand(worker, [&] { r->count = 4; })); });
    EXPECT_EQ(r.get().count, 4);
}

struct alignas(256) wide {
    int count = 0;
};
struct wide_sum {
    using value_type = wide;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const { left.count += right.count; }
};

TEST(reducer, value_may_be_over_aligned) {
    local worker;
    const auto aligned = [](const wide &value) {
        return reinterpret_cast<std::uintptr_t>(&value) % 256 == 0;
    };
    std::vector<std::unique_ptr<reducer<wide_sum>>> all;
    for (int at = 0; at < 20; ++at)
        all.push_back(std::make_unique<reducer<wide_sum>>());
    run_on(worker, [&] {
        worker.append(strand(worker, [&] {
            for (const auto &r : all) {
                (*r)->count = 1;
                EXPECT_TRUE(aligned(r->view()));
            }
        }));
    });
    for (const auto &r : all) {
        EXPECT_TRUE(aligned(r->get()));
        EXPECT_EQ(r->get().count, 1);
    }
}

// Throws when told to; counts what lives.
struct fragile {
    static inline bool fails = false;
    static inline int living = 0;
    fragile() {
        if (fails)
            throw std::runtime_error("no identity today");
        ++living;
    }
    fragile(fragile &&) noexcept { ++living; }
    fragile &operator=(fragile &&) = default;
    ~fragile() { --living; }
};
struct fragile_monoid {
    using value_type = fragile;
    value_type identity() const { return {}; }
    void reduce(value_type &, value_type &&) const {}
};

TEST(reducer, exception_of_the_identity_leaves_the_lookup_as_it_was) {
    local worker;
    {
        reducer<fragile_monoid> r;
        run_on(worker, [&] {
            const view_set set = strand(worker, [&] {
                fragile::fails = true;
                EXPECT_THROW(r.view(), std::runtime_error);
                EXPECT_TRUE(worker.idle());
                EXPECT_THROW(reducer<fragile_monoid>(), std::runtime_error);
                EXPECT_TRUE(worker.idle());
                fragile::fails = false;
                r.view();
                EXPECT_FALSE(worker.idle());
            });
            EXPECT_EQ(fragile::living, 2);
            worker.append(set);
        });
        EXPECT_EQ(fragile::living, 1);
    }
    fragile::fails = true;
    EXPECT_THROW(reducer<fragile_monoid>(), std::runtime_error);
    fragile::fails = false;
    EXPECT_EQ(fragile::living, 0);
}

TEST(reducer, strand_that_destroys_a_reducer_ends_its_own_view_too) {
    local worker;
    auto r = std::make_unique<reducer<fragile_monoid>>();
    run_on(worker, [&] {
        const view_set set = strand(worker, [&] {
            r->view();
            EXPECT_EQ(fragile::living, 2);
            r.reset();
        });
        EXPECT_TRUE(set.empty());
    });
    EXPECT_EQ(fragile::living, 0);
}

TEST(reducer, thousands_come_and_go_and_slots_are_recycled) {
    local worker;
    run_on(worker, [&] {
        std::mt19937 random(1);
        std::vector<std::unique_ptr<reducer<add<int>>>> living;
        for (int turn = 0; turn < 50'000; ++turn) {
            if (living.size() < 1000 && random() % 2 == 0) {
                living.push_back(std::make_unique<reducer<add<int>>>(turn));
                EXPECT_EQ(living.back()->get(), turn);
            } else if (!living.empty()) {
                std::swap(living[random() % living.size()], living.back());
                living.pop_back();
            }
        }
        living.clear();
        view_set set = worker.take();
        EXPECT_EQ(set.maps, nullptr) << "destroyed reducers leave no views";
        worker.put(set);
    });
    // All slots came back but those in the worker's cache.
    std::uint32_t slot = 0;
    ASSERT_EQ(global_slots().take(&slot, 1), 1U);
    EXPECT_LT(slot, 100U);
    global_slots().give(&slot, 1);
}

TEST(reducer, exhaustion_is_reported) {
    slot_allocator &slots = global_slots();
    slots.withhold(region_slots - 500);
    {
        std::vector<std::unique_ptr<reducer<add<int>>>> living;
        EXPECT_THROW(for (;;) living.push_back(std::make_unique<reducer<add<int>>>()),
                     std::bad_alloc);
        EXPECT_EQ(living.size(), 500U);
        local worker;
        run_on(worker, [] { EXPECT_THROW(reducer<add<int>>(), std::bad_alloc); });
        living.pop_back();
        EXPECT_NO_THROW(reducer<add<int>>(1));
    }
    slots.withhold(0);
}

using reducer_death = testing::Test;

TEST(reducer_death, destroyed_while_views_are_outstanding) {
    local worker;
    EXPECT_DEATH(run_on(worker,
                        [&] {
                            auto r = std::make_unique<reducer<add<int>>>();
                            const view_set child = strand(worker, [&] { **r += 1; });
                            r.reset();
                            const reducer<add<int>> next; // has the slot now
                            worker.append(child);
                        }),
                 "^saguaro: a reducer was destroyed while views of it were outstanding");
}

TEST(reducer_death, destroyed_while_another_strand_holds_the_value) {
    local worker;
    run_on(worker, [&] {
        auto r = std::make_unique<reducer<add<int>>>();
        const view_set parent = worker.take();
        EXPECT_DEATH(r.reset(), "destroyed while views of it were outstanding");
        worker.prepend(parent);
    });
}

// The reducer that took its place has its address and its slot: only the order tells.
TEST(reducer_death, destroyed_and_made_again_while_views_are_outstanding) {
    local worker;
    run_on(worker, [&] {
        std::optional<reducer<add<int>>> r;
        r.emplace();
        const view_set child = strand(worker, [&] { **r += 1; });
        r.emplace();
        EXPECT_DEATH(worker.prepend(child), "destroyed while views of it were outstanding");
        r.reset();
        r.emplace();
        worker.append(child); // the test's own way to be rid of the views
    });
}

TEST(reducer_death, used_after_its_end) {
    alignas(reducer<add<int>>) unsigned char memory[sizeof(reducer<add<int>>)];
    auto *const r = ::new (memory) reducer<add<int>>();
    r->~reducer();
    EXPECT_DEATH(sg_view_slow(reinterpret_cast<sg_reducer *>(r)),
                 "a reducer was used that does not live");
    EXPECT_DEATH(sg_reducer_destroy(reinterpret_cast<sg_reducer *>(r)),
                 "a reducer was destroyed that does not live");
}

struct throwing_sum : add<int> {
    void reduce(int &, int &&) const { throw std::runtime_error("reduce"); }
};

TEST(reducer_death, exception_of_reduce_ends_the_program) {
    local worker;
    EXPECT_DEATH(run_on(worker,
                        [&] {
                            reducer<throwing_sum> r;
                            worker.append(strand(worker, [&] { *r += 1; }));
                        }),
                 "terminate");
}

} // namespace
} // namespace saguaro::hyperobjects
