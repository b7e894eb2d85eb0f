// SPDX-License-Identifier: MIT
// Tests of the region base, which each thread has for itself.
#include "platform/arch.hpp"

#include "saguaro/detail/region.h"

#include <cstdint>
#include <gtest/gtest.h>

#include <thread>

using namespace saguaro::platform;

namespace {

// Something to tell copies of the region apart by.
sg_worker *mark(std::uintptr_t number) {
    return reinterpret_cast<sg_worker *>(number);
}

sg_worker *seen() {
    return SG_REGION_GET(sg_worker *, worker);
}

std::uintptr_t distance_to(const sg_region_header &copy) {
    return reinterpret_cast<std::uintptr_t>(&copy) - sg_region_outside();
}

// The tests' own thread must be no worker again afterwards.
class region_base_of_a_thread : public testing::Test {
protected:
    ~region_base_of_a_thread() override { clear_region_base(); }

    sg_region_header copy_{};
};

} // namespace

TEST_F(region_base_of_a_thread, is_zero_at_first_and_reads_the_object_itself) {
    EXPECT_EQ(region_base(), 0u);
    EXPECT_EQ(seen(), reinterpret_cast<sg_region_header *>(sg_region_outside())->worker);
}

TEST_F(region_base_of_a_thread, leads_to_the_copy_until_it_is_cleared) {
    copy_.worker = mark(7);
    set_region_base(distance_to(copy_));
    EXPECT_EQ(region_base(), distance_to(copy_));
    EXPECT_EQ(seen(), mark(7));
    SG_REGION_SET(worker, mark(8));
    EXPECT_EQ(copy_.worker, mark(8));
    clear_region_base();
    EXPECT_EQ(region_base(), 0u);
    EXPECT_NE(seen(), mark(8));
}

TEST_F(region_base_of_a_thread, belongs_to_the_thread) {
    copy_.worker = mark(7);
    set_region_base(distance_to(copy_));
    std::thread([] {
        sg_region_header other{};
        other.worker = mark(9);
        set_region_base(distance_to(other));
        EXPECT_EQ(seen(), mark(9));
    }).join();
    EXPECT_EQ(seen(), mark(7));
}

// What the header warns of.
TEST_F(region_base_of_a_thread, new_threads_can_be_made_outsiders) {
    copy_.worker = mark(7);
    set_region_base(distance_to(copy_));
    std::thread([] {
        clear_region_base();
        EXPECT_NE(seen(), mark(7));
        EXPECT_EQ(region_base(), 0u);
    }).join();
    EXPECT_EQ(seen(), mark(7));
}

TEST(ticks, go_forward) {
    const std::uint64_t begin = ticks();
    for (int i = 0; i < 1000; ++i)
        cpu_relax();
    EXPECT_GT(ticks(), begin);
}
