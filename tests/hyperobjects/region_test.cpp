// SPDX-License-Identifier: MIT
// Tests of the region that a thread sees, which each thread has for itself.
#include "hyperobjects/region.hpp"

#include "saguaro/detail/sanitizers.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <threads.h>
#include <unistd.h>

namespace saguaro::hyperobjects {
namespace {

// Something to tell regions apart by.
void *mark(std::uintptr_t number) {
    return reinterpret_cast<void *>(number);
}

void *seen() {
    return SG_REGION_GET(void *, strand_node);
}

class region_of_a_thread : public testing::Test {
protected:
    region_of_a_thread() { mine_.header.strand_node = mark(7); }
    ~region_of_a_thread() override { see_region(outside_head()); }

    region_head mine_{};
};

TEST_F(region_of_a_thread, is_the_one_outside_at_first) {
    EXPECT_EQ(seen_region(), outside_head());
    EXPECT_EQ(seen(), nullptr);
}

TEST_F(region_of_a_thread, is_what_it_was_told_last) {
    see_region(&mine_);
    EXPECT_EQ(seen_region(), &mine_);
    EXPECT_EQ(seen(), mark(7));
    SG_REGION_SET(strand_node, mark(8));
    EXPECT_EQ(mine_.header.strand_node, mark(8));
    see_region(outside_head());
    EXPECT_EQ(seen(), nullptr);
}

TEST_F(region_of_a_thread, is_its_own) {
    see_region(&mine_);
    std::thread([] {
        EXPECT_EQ(seen_region(), outside_head()) << "nothing is inherited";
        region_head other{};
        other.header.strand_node = mark(9);
        see_region(&other);
        EXPECT_EQ(seen(), mark(9));
    }).join();
#if !SG_THREAD_SANITIZER // it knows no threads of thrd_create
    thrd_t thread;
    const thrd_start_t body = [](void *) { return seen_region() == outside_head() ? 0 : 1; };
    ASSERT_EQ(thrd_create(&thread, body, nullptr), thrd_success);
    int result = -1;
    thrd_join(thread, &result);
    EXPECT_EQ(result, 0);
#endif
    EXPECT_EQ(seen(), mark(7));
}

TEST_F(region_of_a_thread, stays_with_the_only_thread_of_a_fork) {
    see_region(&mine_);
    const pid_t child = fork();
    if (child == 0)
        _exit(seen() == mark(7) ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

} // namespace
} // namespace saguaro::hyperobjects
