// SPDX-License-Identifier: MIT
// The answers of order.hpp against the definition of series-parallel programs.
#include "race/order.hpp"

#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace saguaro::race {
namespace {

// A random fork-join program that asks, at each access, about all accesses before. The answers are
// compared with the definition.
class random_program {
public:
    explicit random_program(unsigned seed) : dice_(seed) {}

    void run() { body(6); }

    const order &asked() const { return order_; }
    unsigned long wrong() const { return wrong_; }
    unsigned long parallel() const { return parallel_; }

private:
    // One level of the way from the root down to an access: a frame, how many syncs it had done,
    // which part of the block between two syncs, and whether that part is a spawned child.
    struct step {
        unsigned frame;
        unsigned block;
        unsigned part;
        bool is_child;
    };
    using way = std::vector<step>;

    // Two accesses are parallel if their ways part within one block, at a child.
    static bool are_parallel(const way &earlier, const way &later) {
        for (std::size_t i = 0; i < earlier.size() && i < later.size(); ++i) {
            if (earlier[i].block != later[i].block)
                return false;
            if (earlier[i].part != later[i].part)
                return earlier[i].is_child;
        }
        return false;
    }

    unsigned roll(unsigned sides) { return dice_() % sides; }

    void access() {
        for (const auto &[who, where] : past_) {
            const bool is = are_parallel(where, here_);
            const bool says = who != order_.current() && order_.find(who).parallel;
            parallel_ += is;
            wrong_ += says != is;
        }
        past_.emplace_back(order_.current(), here_);
    }

    void body(unsigned depth) {
        here_.push_back({++frames_, 0, 0, false});
        for (unsigned n = roll(6); n > 0; --n) {
            const unsigned what = depth == 0 ? 0 : roll(5);
            ++here_.back().part;
            here_.back().is_child = what == 1 || what == 2;
            if (what == 1 || what == 2) {
                order_.begin_child();
                body(depth - 1);
                order_.end_child();
            } else if (what == 3) {
                order_.begin_call();
                body(depth - 1);
                order_.end_call();
            } else if (what == 4) {
                order_.sync();
                ++here_.back().block;
            } else {
                access();
            }
        }
        here_.pop_back();
    }

    std::mt19937 dice_;
    order order_;
    way here_;
    std::vector<std::pair<strand, way>> past_;
    unsigned frames_ = 0;
    unsigned long wrong_ = 0;
    unsigned long parallel_ = 0;
};

TEST(race_order, answers_as_the_definition_does) {
    unsigned long parallel = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        random_program program(seed);
        program.run();
        ASSERT_EQ(program.wrong(), 0U) << "seed " << seed;
        EXPECT_EQ(program.asked().depth(), 1U);
        parallel += program.parallel();
    }
    EXPECT_GT(parallel, 100'000U);
}

TEST(race_order, tells_the_neighbours_of_a_strand) {
    order o;
    for (int i = 0; i < 5; ++i) {
        o.begin_child();
        o.end_child();
    }
    const order::kin children = o.find(3);
    EXPECT_TRUE(children.parallel);
    EXPECT_TRUE(children.holds(2));
    EXPECT_TRUE(children.holds(6));
    EXPECT_FALSE(children.holds(1));
    EXPECT_FALSE(children.holds(7));
    o.sync();
    EXPECT_FALSE(o.find(3).parallel);
}

TEST(race_order, gives_a_calls_children_to_its_caller) {
    order o;
    o.begin_call();
    const strand child = o.begin_child();
    o.end_child();
    EXPECT_TRUE(o.find(child).parallel);
    o.end_call();
    EXPECT_FALSE(o.find(child).parallel);
    const strand outer = o.begin_child();
    EXPECT_FALSE(o.find(child).parallel);
    o.end_child();
    EXPECT_TRUE(o.find(outer).parallel);
    EXPECT_FALSE(o.find(child).parallel);
}

} // namespace
} // namespace saguaro::race
