// SPDX-License-Identifier: MIT
#include "detmpi/core/parked_memory.hpp"

#include "detmpi/core/order.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <random>
#include <utility>
#include <vector>

namespace saguaro::detmpi {
namespace {

class parked_memory : public testing::Test {
protected:
    ~parked_memory() override { order::by = order::rule::clock; }
};

TEST_F(parked_memory, keeps_what_is_written) {
    for (const order::rule by : {order::rule::clock, order::rule::work}) {
        order::by = by;
        std::minstd_rand random(1);
        std::vector<std::pair<unsigned char *, std::size_t>> taken;
        for (int i = 0; i < 2000; ++i) {
            const std::size_t bytes = 1 + random() % (i % 100 == 0 ? 3'000'000 : 5'000);
            auto *const memory = static_cast<unsigned char *>(take_parked_memory(bytes));
            ASSERT_NE(memory, nullptr);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 16, 0U);
            std::memset(memory, i % 256, bytes);
            memory[0] = memory[bytes - 1] = static_cast<unsigned char>(taken.size());
            taken.emplace_back(memory, bytes);
            if (random() % 2 == 0) {
                give_parked_memory(taken.back().first, taken.back().second);
                taken.pop_back();
            }
        }
        for (std::size_t i = 0; i < taken.size(); ++i) {
            EXPECT_EQ(taken[i].first[0], static_cast<unsigned char>(i));
            EXPECT_EQ(taken[i].first[taken[i].second - 1], static_cast<unsigned char>(i));
            give_parked_memory(taken[i].first, taken[i].second);
        }
    }
}

// How many instructions malloc takes would depend on when messages came.
TEST_F(parked_memory, does_not_touch_the_heap_of_the_program_by_order_of_work) {
    order::by = order::rule::work;
    const std::size_t before = mallinfo2().uordblks;
    std::vector<void *> taken(1000);
    const std::size_t with_list = mallinfo2().uordblks;
    for (void *&each : taken)
        each = take_parked_memory(1000);
    EXPECT_EQ(mallinfo2().uordblks, with_list);
    EXPECT_GT(with_list, before); // so it is seen
    for (void *const each : taken)
        give_parked_memory(each, 1000);
}

} // namespace
} // namespace saguaro::detmpi
