// SPDX-License-Identifier: MIT
// Stacks on an emulated machine with several nodes: nodes 0, 1, 2 and 5.
#include "numa/emulated.hpp"

#include "small_stacks.hpp"

#include "stacks/pool.hpp"
#include "stacks/stack_groups.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <cstring>

SG_BEFORE_CASES(emulated::install)

using namespace saguaro::stacks;

namespace {

// Each test begins without stacks.
class no_stacks : public testing::Test {
protected:
    no_stacks() { drop_unused(); }
};

class nodes : public no_stacks {
protected:
    stack *take_on(int node) {
        emulated::run_on(node);
        return all.take();
    }
    void give_on(int node, stack *s) {
        emulated::run_on(node);
        all.give(s);
    }

    pool all{small_stack, 0};
};

} // namespace

TEST_F(nodes, have_stacks_of_their_own) {
    stack *const one = take_on(1);
    stack *const other = take_on(5);
    give_on(5, other);
    give_on(5, one); // goes home
    EXPECT_EQ(take_on(5), other);
    EXPECT_EQ(take_on(1), one);
    // In the other order as well.
    give_on(1, one);
    give_on(1, other);
    EXPECT_EQ(take_on(1), one);
    EXPECT_EQ(take_on(5), other);
    EXPECT_EQ(all.mapped(), 2u);
    give_on(0, one);
    give_on(0, other);
}

TEST_F(nodes, that_have_none_adopt_one) {
    stack *const one = take_on(1);
    char *const deep = one->low + small_stack / 2;
    *deep = 1;
    give_on(1, one);
    const std::size_t moved = emulated::it().moved;
    EXPECT_EQ(take_on(2), one);
    EXPECT_EQ(all.mapped(), 1u);
    EXPECT_GT(emulated::it().moved, moved);
    EXPECT_EQ(sg_node_of(one), 2); // what is kept has moved,
    EXPECT_EQ(*deep, 0);           // the rest is to be touched anew
    // From now on that is its home.
    stack *const fresh = take_on(1);
    EXPECT_NE(fresh, one);
    give_on(1, one);
    give_on(1, fresh);
    EXPECT_EQ(take_on(1), fresh);
    EXPECT_EQ(take_on(2), one);
    give_on(1, fresh);
    give_on(1, one);
}

TEST_F(nodes, adopt_what_has_no_memory_first) {
    stack *const cold = take_on(1);
    give_on(1, cold);
    for (std::int64_t now = 1; all.trim(now) >= 0;)
        now += rest_period;
    stack *const other = take_on(1);
    EXPECT_EQ(other, cold);
    stack *const warm = take_on(1);
    *warm->low = 1;
    give_on(1, cold);
    for (std::int64_t now = 1; all.trim(now) >= 0;)
        now += rest_period;
    give_on(1, warm);
    EXPECT_EQ(take_on(5), cold);
    EXPECT_EQ(take_on(1), warm);
    EXPECT_EQ(*warm->low, 1);
    give_on(1, warm);
    give_on(1, cold);
}

// What is written there shows whether the system is asked for nothing.
TEST_F(nodes, discard_what_they_adopt_unless_it_is_cold) {
    for (const bool is_cold : {true, false}) {
        stack *const one = take_on(1);
        give_on(1, one);
        for (std::int64_t now = 1; is_cold && all.trim(now) >= 0;)
            now += rest_period;
        *one->low = 1;
        EXPECT_EQ(take_on(2), one);
        EXPECT_EQ(*one->low, is_cold ? 1 : 0);
        one->low[0] = 0;
        give_on(2, one);
        EXPECT_EQ(take_on(1), one);
        give_on(1, one);
    }
}

TEST_F(nodes, do_not_adopt_beyond_the_limit) {
    stack *const one = take_on(1);
    stack *const other = take_on(1);
    give_on(1, other);
    all.limit(1);
    EXPECT_EQ(take_on(2), nullptr);
    all.limit(2);
    EXPECT_EQ(take_on(2), other);
    EXPECT_EQ(all.in_use(), 2u);
    EXPECT_EQ(all.most_out(), 2u);
    give_on(2, other);
    give_on(2, one);
}

TEST_F(nodes, all_give_memory_back_when_it_rests) {
    stack *const some[] = {take_on(0), take_on(2), take_on(5)};
    for (stack *each : some)
        *each->low = 1;
    for (stack *each : some)
        give_on(0, each);
    for (std::int64_t now = 1; all.trim(now) >= 0;)
        now += rest_period;
    for (const stack *each : some)
        EXPECT_EQ(*each->low, 0);
}

TEST_F(nodes, send_home_what_others_have_left) {
    stack *const far = take_on(1);
    emulated::run_on(2);
    cache mine(all);
    stack *const own = mine.take();
    mine.give(own);
    mine.send_home();
    EXPECT_EQ(mine.count(), 1u); // it is at home
    mine.give(far);
    mine.send_home();
    EXPECT_EQ(mine.count(), 1u);
    EXPECT_EQ(take_on(1), far);
    emulated::run_on(2);
    EXPECT_EQ(mine.take(), own);
    mine.give(own);
    give_on(2, far);
}
