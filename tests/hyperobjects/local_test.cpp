// SPDX-License-Identifier: MIT
// Tests of a worker's private views as they are taken, merged and inserted.
#include "hyperobjects/local.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "hyperobjects/strand.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/reducer.hpp"

namespace saguaro::hyperobjects {
namespace {

using text = reducer<string_append>;

class local_regions : public testing::Test {
protected:
    void make(std::size_t count) {
        for (std::size_t at = 0; at < count; ++at)
            texts_.push_back(std::make_unique<text>());
    }

    // A set where every reducer from `first` to `last` has the view `value`.
    view_set views(std::size_t first, std::size_t last, const std::string &value) {
        return strand(worker_, [&] {
            for (std::size_t at = first; at < last; ++at)
                texts_[at]->set(value);
        });
    }

    // Number of views in a set, page by page.
    static std::vector<std::size_t> sizes(const view_set &set) {
        std::vector<std::size_t> result;
        for (const public_map *map = set.maps; map != nullptr; map = map->next)
            result.push_back(map->map.size());
        return result;
    }

    // Makes the set the result of a run and returns what the outside sees.
    std::vector<std::string> outcome(view_set set) {
        run_on(worker_, [&] { worker_.append(set); });
        std::vector<std::string> result;
        for (const auto &one : texts_)
            result.push_back(one->get());
        return result;
    }

    local worker_;
    std::vector<std::unique_ptr<text>> texts_;
};

TEST_F(local_regions, attached_thread_sees_its_own_header) {
    EXPECT_EQ(current_local(), nullptr);
    EXPECT_EQ(worker_.header()->worker, nullptr);
    void *exceptions = nullptr;
    worker_.header()->exceptions = &exceptions;
    worker_.attach();
    EXPECT_EQ(current_local(), &worker_);
    EXPECT_EQ(SG_REGION_GET(void **, exceptions), &exceptions);
    SG_REGION_SET(chain, &exceptions);
    worker_.detach();
    EXPECT_EQ(current_local(), nullptr);
    EXPECT_EQ(SG_REGION_GET(void **, exceptions), nullptr);
    EXPECT_EQ(worker_.header()->chain, &exceptions);
}

TEST_F(local_regions, empty_set_travels_for_nothing) {
    const as_worker here(worker_);
    EXPECT_TRUE(worker_.idle());
    const view_set none = worker_.take();
    EXPECT_TRUE(none.empty());
    worker_.put(none);
    worker_.append(none);
    worker_.prepend(none);
    EXPECT_TRUE(worker_.merge(none, none).empty());
    EXPECT_TRUE(worker_.idle());
    EXPECT_EQ(worker_.count().transferals, 0U);
    EXPECT_EQ(worker_.count().merges, 0U);
}

TEST_F(local_regions, mark_of_a_run_travels_with_the_set) {
    const as_worker here(worker_);
    run root;
    worker_.begin_run(root);
    EXPECT_FALSE(worker_.idle());
    view_set set = worker_.take();
    EXPECT_TRUE(worker_.idle());
    EXPECT_FALSE(set.empty());
    EXPECT_EQ(set.leftmost, &root);
    set = worker_.merge(set, {});
    EXPECT_EQ(set.leftmost, &root);
    worker_.prepend(set);
    set = worker_.take();
    EXPECT_EQ(set.leftmost, &root);
    worker_.put(set);
    worker_.finish_run(root);
    EXPECT_TRUE(worker_.idle());
}

TEST_F(local_regions, transferal_moves_views_and_leaves_none) {
    make(600);
    const view_set set = views(0, 600, "x");
    EXPECT_EQ(sizes(set), (std::vector<std::size_t>{248, 248, 104}));
    EXPECT_EQ(worker_.count().views, 600U);
    EXPECT_TRUE(worker_.idle());

    local other;
    as(other, [&] {
        other.put(set);
        EXPECT_EQ(texts_[599]->get(), "x");
    });
    EXPECT_EQ(other.count().views, 0U);
    EXPECT_EQ(other.count().transferals, 1U);
    as(worker_, [&] { EXPECT_EQ(texts_[599]->get(), "") << "a strand of its own"; });
    const view_set back = as(other, [&] { return other.take(); });
    as(worker_, [&] { worker_.prepend(back); });
    EXPECT_EQ(outcome(as(worker_, [&] { return worker_.take(); })),
              std::vector<std::string>(600, "x"));
}

// Every relation of sizes, each side the smaller one in turn, keeps the serial order.
TEST_F(local_regions, merge_keeps_the_order_and_walks_the_smaller) {
    make(260);
    struct range {
        std::size_t first, last;
    };
    const range ranges[] = {{0, 0}, {0, 1}, {3, 10}, {0, 121}, {5, 248}, {200, 260}, {0, 260}};
    for (const range left : ranges) {
        for (const range right : ranges) {
            const std::uint64_t reduced = worker_.count().reduces;
            const view_set set = as(worker_, [&] {
                return worker_.merge(views(left.first, left.last, "l"),
                                     views(right.first, right.last, "r"));
            });
            const std::size_t from = std::max(left.first, right.first);
            const std::size_t to = std::min(left.last, right.last);
            EXPECT_EQ(worker_.count().reduces - reduced, to > from ? to - from : 0);
            std::vector<std::string> result = outcome(set);
            for (std::size_t at = 0; at < texts_.size(); ++at) {
                const bool in_left = at >= left.first && at < left.last;
                const bool in_right = at >= right.first && at < right.last;
                EXPECT_EQ(result[at], std::string(in_left ? "l" : "") + (in_right ? "r" : ""));
                texts_[at]->set("");
            }
        }
    }
}

// The walk empties the map it goes through: the one that remains is the larger's.
TEST_F(local_regions, merge_keeps_the_larger_map) {
    make(50);
    for (const bool larger_is_left : {false, true}) {
        const view_set large = views(0, 50, "x");
        const view_set small = views(10, 12, "y");
        const view_set set = as(worker_, [&] {
            return larger_is_left ? worker_.merge(large, small) : worker_.merge(small, large);
        });
        EXPECT_EQ(set.maps, large.maps);
        EXPECT_EQ(sizes(set), (std::vector<std::size_t>{50}));
        EXPECT_EQ(outcome(set)[11], larger_is_left ? "xy" : "yx");
        for (const auto &one : texts_)
            one->set("");
    }
}

TEST_F(local_regions, merge_matches_pages) {
    make(5 * spa_elements);
    const auto page = [](std::size_t at) { return at * spa_elements; };
    // Pages 0, 2, 4 on the left; 1, 2 (the larger) and 3 on the right.
    const view_set left = as(worker_, [&] {
        view_set set = views(page(4), page(4) + 1, "l");
        set = worker_.merge(set, views(page(0), page(0) + 2, "l"));
        return worker_.merge(set, views(page(2), page(2) + 3, "l"));
    });
    const view_set right = views(page(1) + 7, page(3) + 1, "r");
    const view_set set = as(worker_, [&] { return worker_.merge(left, right); });
    EXPECT_EQ(sizes(set), (std::vector<std::size_t>{2, 241, 248, 1, 1}));
    const std::vector<std::string> result = outcome(set);
    EXPECT_EQ(result[page(0)], "l");
    EXPECT_EQ(result[page(1) + 7], "r");
    EXPECT_EQ(result[page(2)], "lr");
    EXPECT_EQ(result[page(2) + 3], "r");
    EXPECT_EQ(result[page(3)], "r");
    EXPECT_EQ(result[page(4)], "l");
    EXPECT_EQ(result[page(4) + 1], "");
}

TEST_F(local_regions, append_and_prepend_keep_the_order) {
    make(300);
    const view_set before = views(0, 290, "1");
    const view_set after = views(20, 300, "3");
    const view_set set = as(worker_, [&] {
        for (std::size_t at = 10; at < 295; ++at)
            texts_[at]->set("2");
        worker_.append(after);
        worker_.prepend(before);
        return worker_.take();
    });
    const std::vector<std::string> result = outcome(set);
    EXPECT_EQ(result[0], "1");
    EXPECT_EQ(result[15], "12");
    EXPECT_EQ(result[100], "123");
    EXPECT_EQ(result[292], "23");
    EXPECT_EQ(result[299], "3");
}

TEST_F(local_regions, reducer_destroyed_by_a_strand_leaves_nothing) {
    make(1);
    const view_set set = strand(worker_, [&] {
        const auto other = std::make_unique<text>("lost");
        **other += "!";
        texts_[0]->set("kept");
    });
    EXPECT_EQ(sizes(set), (std::vector<std::size_t>{1}));
    EXPECT_EQ(outcome(set)[0], "kept");
}

} // namespace
} // namespace saguaro::hyperobjects
