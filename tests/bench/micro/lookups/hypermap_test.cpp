// SPDX-License-Identifier: MIT
// The hypermap that memory-mapped reducers are measured against: the table by itself, and reducers
// on it whose strands are stolen.
#include "micro/lookups/hypermap.hpp"

#include "forkjoin/forcing.hpp"
#include "support/scripted_policy.hpp"

#include <saguaro/saguaro.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace saguaro::bench {

namespace {

using words = hypermap_reducer<string_append>;
using sums = hypermap_reducer<add<long>>;

TEST(hypermap, a_reducer_is_its_value_outside_of_any_run) {
    words text;
    EXPECT_EQ(*text, "");
    *text += "a";
    *text += "b";
    EXPECT_EQ(*text, "ab");
}

TEST(hypermap, no_view_is_left_when_its_reducer_has_ended) {
    const std::size_t before = strand_views->size();
    {
        sums one;
        EXPECT_EQ(strand_views->size(), before + 1);
    }
    EXPECT_EQ(strand_views->size(), before);
}

// Reducers come and go in any order; after each step all that live are found, and only they.
TEST(hypermap, views_are_found_while_others_come_and_go) {
    std::mt19937 draw(7);
    std::map<int, std::unique_ptr<sums>> alive;
    const std::size_t before = strand_views->size();
    for (int step = 0; step < 3000; step++) {
        const int name = static_cast<int>(draw() % 200);
        if (auto found = alive.find(name); found != alive.end())
            alive.erase(found);
        else
            **alive.emplace(name, std::make_unique<sums>()).first->second = name;
        ASSERT_EQ(strand_views->size(), before + alive.size());
        for (auto &[number, reducer] : alive)
            ASSERT_EQ(**reducer, number) << "step " << step;
    }
}

// What the second half of a fork does is stolen; its letters come after those of the first.
TEST(hypermap, a_stolen_half_comes_second) {
    words text;
    test::scripted_workers two(2);
    run([&] {
        *text += "a";
        parallel_invoke(
            [&] {
                EXPECT_TRUE(test::force_steal());
                *text += "b";
            },
            [&] { *text += "c"; });
        *text += "d";
    });
    EXPECT_EQ(*text, "abcd");
    EXPECT_EQ(stats().steals, 1U);
}

// Appends the letters of [first, last) to texts[letter % count], halving. A fork is stolen if a
// thief is free: all others may wait for one as well.
void append_in_parallel(words *texts, int count, char first, char last) {
    if (last - first == 1) {
        *texts[first % count] += first;
        return;
    }
    const char middle = static_cast<char>(first + (last - first) / 2);
    parallel_invoke(
        [=] {
            test::force_steal(std::chrono::milliseconds(5));
            append_in_parallel(texts, count, first, middle);
        },
        [=] { append_in_parallel(texts, count, middle, last); });
}

// Maps of different sizes meet, from the left and from the right, and some are empty.
TEST(hypermap, merged_maps_keep_the_serial_order) {
    for (const int count : {1, 3, 5}) {
        auto texts = std::make_unique<words[]>(static_cast<std::size_t>(count));
        {
            test::scripted_workers three(3);
            run([&] {
                // The first fork is always stolen: nobody else is busy.
                parallel_invoke(
                    [&] {
                        EXPECT_TRUE(test::force_steal());
                        append_in_parallel(texts.get(), count, 'a', 'm');
                    },
                    [&] { append_in_parallel(texts.get(), count, 'm', 'z' + 1); });
            });
        }
        for (int i = 0; i < count; i++) {
            std::string expected;
            for (char letter = 'a'; letter <= 'z'; letter++)
                if (letter % count == i)
                    expected += letter;
            EXPECT_EQ(*texts[static_cast<std::size_t>(i)], expected) << count << " reducers";
        }
    }
}

// The left map has one view, the right one many: the left is walked into the right.
TEST(hypermap, the_smaller_map_is_walked_whichever_side_it_is_on) {
    constexpr int count = 50;
    auto texts = std::make_unique<words[]>(count);
    {
        test::scripted_workers two(2);
        run([&] {
            parallel_invoke(
                // Stolen, so that both halves below begin with empty maps.
                [] { EXPECT_TRUE(test::force_steal()); },
                [&] {
                    parallel_invoke(
                        [&] {
                            EXPECT_TRUE(test::force_steal());
                            *texts[7] += "left";
                        },
                        [&] {
                            for (int i = 0; i < count; i++)
                                *texts[static_cast<std::size_t>(i)] += "right";
                        });
                });
        });
    }
    for (int i = 0; i < count; i++)
        EXPECT_EQ(*texts[static_cast<std::size_t>(i)], i == 7 ? "leftright" : "right");
}

} // namespace

} // namespace saguaro::bench
