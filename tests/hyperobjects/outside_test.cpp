// SPDX-License-Identifier: MIT
// Runs and the values outside: who updates in place, who waits, what is folded in when.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hyperobjects/outside.hpp"
#include "hyperobjects/strand.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/reducer.hpp"

namespace saguaro::hyperobjects {
namespace {

// A text that shows its slot.
class text_with_key : public reducer<string_append> {
public:
    using reducer::reducer;
    std::uintptr_t key() const { return reinterpret_cast<const ::sg_reducer *>(this)->key; }
};

TEST(outside, serially_first_strand_updates_in_place) {
    local worker;
    text_with_key r(std::string("a"));
    const std::string *const outside = &r.get();
    run_on(worker, [&] {
        EXPECT_EQ(&r.view(), outside);
        *r += "b";
    });
    EXPECT_EQ(worker.count().views, 0U);
    EXPECT_EQ(worker.count().reduces, 0U);
    EXPECT_EQ(&r.get(), outside);
    EXPECT_EQ(r.get(), "ab");
    *r += "c";
    run_on(worker, [&] { *r += "d"; });
    EXPECT_EQ(r.get(), "abcd") << "the second run holds it again";
}

TEST(outside, later_strand_starts_from_the_identity) {
    local worker;
    text_with_key r(std::string("a"));
    run_on(worker, [&] {
        const view_set child = worker.take(); // the mark goes along
        EXPECT_EQ(r.get(), "");
        *r += "2";
        worker.prepend(child);
        EXPECT_EQ(r.get(), "2") << "nobody has looked at what precedes it";
    });
    EXPECT_EQ(r.get(), "a2") << "folded in by the end of the run";
}

TEST(outside, value_is_claimed_by_the_strand_that_has_the_mark) {
    local worker, thief;
    text_with_key r(std::string("a"));
    run_on(worker, [&] {
        const view_set rest = strand(thief, [&] { *r += "3"; });
        *r += "1";
        worker.append(rest);
        EXPECT_EQ(r.get(), "a13");
    });
    EXPECT_EQ(r.get(), "a13");
}

TEST(outside, two_runs_at_once_both_count) {
    local first, second;
    text_with_key r(std::string("a"));
    run one, two;
    as(first, [&] {
        first.begin_run(one);
        *r += "1";
    });
    EXPECT_TRUE(outside_is_held(r.key()));
    run_on(second, [&] {
        *r += "2";
        EXPECT_EQ(r.get(), "2") << "the other run holds the value";
    });
    as(second, [&] {
        second.begin_run(two);
        *r += "3";
    });
    as(first, [&] { first.finish_run(one); });
    EXPECT_EQ(r.get(), "a12") << "what waited is folded in when the holder lets go";
    as(second, [&] { second.finish_run(two); });
    EXPECT_EQ(r.get(), "a123");
    EXPECT_FALSE(outside_is_held(r.key()));
}

TEST(outside, runs_that_wait_keep_the_order_of_their_ends) {
    local holder, other;
    text_with_key r(std::string("a"));
    run root;
    as(holder, [&] {
        holder.begin_run(root);
        *r += "1";
    });
    for (const char *const letter : {"2", "3", "4"})
        run_on(other, [&] { *r += letter; });
    as(holder, [&] { holder.finish_run(root); });
    EXPECT_EQ(r.get(), "a1234");
    EXPECT_EQ(holder.count().reduces, 3U);
    EXPECT_EQ(other.count().reduces, 0U) << "each is counted once, where it is done";
}

TEST(outside, reducer_made_by_a_run_outlives_it) {
    local worker, other;
    run root;
    const auto r = as(worker, [&] {
        worker.begin_run(root);
        auto made = std::make_unique<text_with_key>(std::string("a"));
        **made += "b";
        return made;
    });
    // Another run knows it already: it waits for the one that made it.
    run_on(other, [&] { **r += "d"; });
    as(worker, [&] {
        **r += "c";
        worker.finish_run(root);
    });
    EXPECT_EQ(r->get(), "abcd");
    run_on(other, [&] { **r += "e"; });
    EXPECT_EQ(r->get(), "abcde");
    EXPECT_EQ(other.count().views, 1U) << "the second time it holds the value";
}

TEST(outside, what_waits_ends_with_the_reducer) {
    local worker, other;
    run root;
    std::unique_ptr<text_with_key> next;
    as(worker, [&] {
        worker.begin_run(root);
        auto r = std::make_unique<text_with_key>(std::string("a"));
        const std::uintptr_t slot = r->key();
        run_on(other, [&] { **r += "x"; });
        EXPECT_EQ(r->get(), "a");
        r.reset();
        next = std::make_unique<text_with_key>(std::string("b"));
        EXPECT_EQ(next->key(), slot);
        worker.finish_run(root);
    });
    EXPECT_EQ(next->get(), "b") << "the slot's next reducer has nothing of the last one";
}

TEST(outside, runs_of_two_threads) {
    constexpr int rounds = 300;
    std::vector<std::unique_ptr<reducer<add<long>>>> sums;
    for (int at = 0; at < 20; ++at)
        sums.push_back(std::make_unique<reducer<add<long>>>());
    const auto work = [&](int step) {
        local worker;
        for (int round = 0; round < rounds; ++round) {
            run_on(worker, [&] {
                for (std::size_t at = 0; at < sums.size(); at += static_cast<std::size_t>(step))
                    **sums[at] += 1;
                const reducer<add<long>> own(7);
                EXPECT_EQ(own.get(), 7);
            });
        }
    };
    std::thread one(work, 1);
    std::thread two(work, 2);
    one.join();
    two.join();
    for (std::size_t at = 0; at < sums.size(); ++at)
        EXPECT_EQ(sums[at]->get(), at % 2 == 0 ? 2 * rounds : rounds);
}

} // namespace
} // namespace saguaro::hyperobjects
