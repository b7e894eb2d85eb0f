// SPDX-License-Identifier: MIT
// Tests of the bag and its pennants at all sizes around full blocks.
#include <pbfs/bag.hpp>
#include <pbfs/frontier.hpp>

#include <gtest/gtest.h>
#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace saguaro::pbfs {
namespace {

constexpr vertex capacity = block::capacity;

/// A bag of the vertices first, first + 1, ... first + count - 1.
bag bag_of(vertex first, vertex count) {
    bag result;
    bag::writer out(result);
    for (vertex i = 0; i < count; ++i)
        out.insert(first + i);
    return result;
}

std::vector<vertex> sorted_contents(const bag &b) {
    std::vector<vertex> all;
    b.for_each_block([&](std::span<const vertex> vertices) {
        all.insert(all.end(), vertices.begin(), vertices.end());
    });
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<vertex> range(vertex first, vertex count) {
    std::vector<vertex> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// Sizes on both sides of where blocks and pennants become full.
const std::vector<vertex> sizes = {0,
                                   1,
                                   capacity - 1,
                                   capacity,
                                   capacity + 1,
                                   2 * capacity,
                                   3 * capacity - 1,
                                   4 * capacity,
                                   7 * capacity + 5,
                                   8 * capacity,
                                   100 * capacity + 17};

TEST(pbfs_pennant, split_undoes_union) {
    block blocks[4] = {};
    block *const left = pennant_union(&blocks[0], &blocks[1]);
    block *const right = pennant_union(&blocks[2], &blocks[3]);
    block *const whole = pennant_union(left, right);
    EXPECT_EQ(whole, left);
    EXPECT_EQ(whole->left, right);
    EXPECT_EQ(whole->right, nullptr);

    EXPECT_EQ(pennant_split(whole), right);
    EXPECT_EQ(left->left, &blocks[1]);
    EXPECT_EQ(right->left, &blocks[3]);
    EXPECT_EQ(right->right, nullptr);
    EXPECT_EQ(pennant_split(right), &blocks[3]);
    EXPECT_EQ(blocks[3].left, nullptr);
    EXPECT_EQ(blocks[3].right, nullptr);
}

TEST(pbfs_bag, holds_what_was_inserted) {
    for (const vertex size : sizes) {
        const bag b = bag_of(10, size);
        EXPECT_EQ(b.size(), size);
        EXPECT_EQ(b.empty(), size == 0);
        EXPECT_EQ(b.full_blocks(), size / capacity);
        EXPECT_EQ(sorted_contents(b), range(10, size));
    }
}

TEST(pbfs_bag, a_second_writer_goes_on_where_the_first_ended) {
    for (const vertex size : sizes) {
        bag b = bag_of(0, size);
        {
            bag::writer out(b);
            for (vertex i = 0; i < capacity; ++i)
                out.insert(size + i);
        }
        EXPECT_EQ(sorted_contents(b), range(0, size + capacity));
        EXPECT_EQ(b.openings(), 2u);
    }
}

TEST(pbfs_bag, a_union_has_the_vertices_and_openings_of_both) {
    for (const vertex left_size : sizes) {
        for (const vertex right_size : sizes) {
            bag left = bag_of(0, left_size);
            bag right = bag_of(left_size, right_size);
            left.unite(std::move(right));
            EXPECT_EQ(sorted_contents(left), range(0, left_size + right_size));
            EXPECT_EQ(left.full_blocks(), (left_size + right_size) / capacity);
            EXPECT_EQ(left.openings(), 2u);
            EXPECT_TRUE(right.empty());
            EXPECT_EQ(right.openings(), 0u);
        }
    }
}

TEST(pbfs_bag, what_a_union_left_empty_can_be_filled_again) {
    bag left = bag_of(0, 5);
    bag right = bag_of(5, 3);
    left.unite(std::move(right));
    {
        bag::writer(right).insert(99);
    }
    EXPECT_EQ(sorted_contents(right), range(99, 1));
    EXPECT_EQ(sorted_contents(left), range(0, 8));
}

TEST(pbfs_bag, splitting_on_and_on_ends_with_single_blocks_and_loses_nothing) {
    for (const vertex size : sizes) {
        std::vector<bag> parts;
        parts.push_back(bag_of(0, size));
        std::vector<vertex> seen;
        std::uint64_t openings = 0;
        while (!parts.empty()) {
            bag part = std::move(parts.back());
            parts.pop_back();
            if (part.full_blocks() > 1) {
                const auto before = part.size();
                parts.push_back(part.split());
                EXPECT_EQ(part.size() + parts.back().size(), before);
                EXPECT_GT(part.full_blocks(), 0u);
                EXPECT_LE(part.full_blocks(), (before + capacity - 1) / capacity - 1);
                parts.push_back(std::move(part));
                continue;
            }
            const auto contents = sorted_contents(part);
            seen.insert(seen.end(), contents.begin(), contents.end());
            openings += part.openings();
        }
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(seen, range(0, size));
        EXPECT_EQ(openings, 1u);
    }
}

TEST(pbfs_bag, moving_leaves_nothing_behind_and_frees_what_was_there) {
    bag from = bag_of(0, 3 * capacity + 1);
    bag to = bag_of(7, 5 * capacity + 2);
    to = std::move(from);
    EXPECT_EQ(sorted_contents(to), range(0, 3 * capacity + 1));
    EXPECT_TRUE(from.empty());
    from = bag_of(1, 2);
    EXPECT_EQ(sorted_contents(from), range(1, 2));
}

TEST(pbfs_bag, random_unions_and_splits_keep_every_vertex) {
    std::mt19937 random(1);
    std::vector<bag> bags(8);
    vertex inserted = 0;
    for (int step = 0; step < 2000; ++step) {
        bag &one = bags[random() % bags.size()];
        bag &other = bags[random() % bags.size()];
        if (step % 2 == 0) {
            bag::writer out(one);
            for (auto count = random() % (3 * capacity); count > 0; --count)
                out.insert(inserted++);
        } else if (&one != &other) {
            if (one.full_blocks() > 1)
                other.unite(one.split());
            else
                one.unite(std::move(other));
        }
    }
    bag all;
    for (bag &b : bags)
        all.unite(std::move(b));
    EXPECT_EQ(sorted_contents(all), range(0, inserted));
    EXPECT_EQ(all.openings(), 1000u);
}

bag all_of(frontier &&f) {
    bag all;
    for (frontier::part &part : f.parts)
        all.unite(std::move(part.vertices));
    return all;
}

TEST(pbfs_frontier, keeps_a_bag_for_each_worker) {
    const auto insert = [](frontier &f, int worker, vertex v) {
        bag::writer(f.of(worker)).insert(v);
    };
    frontier left;
    frontier right;
    EXPECT_TRUE(left.empty());
    insert(left, 0, 10);
    insert(right, 1, 20);
    insert(right, 0, 11);
    insert(right, 1, 21);
    frontier_monoid().reduce(left, std::move(right));
    ASSERT_EQ(left.parts.size(), 2u);
    EXPECT_EQ(sorted_contents(left.of(0)), range(10, 2));
    EXPECT_EQ(sorted_contents(left.of(1)), range(20, 2));
    EXPECT_EQ(left.openings(), 4u);
    EXPECT_FALSE(left.empty());
}

TEST(pbfs_frontier, is_empty_while_its_bags_are) {
    frontier f;
    {
        bag::writer opened(f.mine());
    }
    EXPECT_EQ(f.parts.size(), 1u);
    EXPECT_TRUE(f.empty());
    EXPECT_EQ(f.openings(), 1u);
}

TEST(pbfs_frontier, as_a_reducer_collects_from_all_workers) {
    constexpr vertex count = 100'000;
    constexpr vertex piece = 100;
    stop();
    for (const unsigned workers : {1u, 2u, 4u}) {
        start({.workers = workers});
        const bag all = run([] {
            reducer<frontier_monoid> collected;
            parallel_for(vertex{0}, count / piece, [&](vertex i) {
                bag::writer out(collected->mine());
                for (vertex v = i * piece; v < (i + 1) * piece; ++v)
                    out.insert(v);
            });
            return all_of(collected.take());
        });
        stop();
        EXPECT_EQ(sorted_contents(all), range(0, count));
        EXPECT_EQ(all.openings(), count / piece);
    }
}

} // namespace
} // namespace saguaro::pbfs
