// SPDX-License-Identifier: MIT
// Which processors there are for so many threads.
#include "platform/processors.hpp"

#include "platform/cpus.hpp"
#include "platform/thread.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace saguaro::platform {
namespace {

TEST(processors_for, are_one_for_each_thread_where_the_process_has_the_machine) {
    const std::vector<int> allowed = allowed_cpus();
    const auto count = static_cast<unsigned>(allowed.size());
    EXPECT_EQ(processors_for(count, pinning::always), allowed);
    EXPECT_EQ(processors_for(count, pinning::automatic),
              has_machine(count) ? allowed : std::vector<int>());
    EXPECT_EQ(processors_for(count, pinning::none), std::vector<int>());
    EXPECT_EQ(processors_for(count + 1, pinning::always), std::vector<int>());
    EXPECT_EQ(processors_for(count + 1, pinning::automatic), std::vector<int>());
    if (count == 1)
        GTEST_SKIP() << "one processor";
    EXPECT_EQ(processors_for(count - 1, pinning::always).size(), count - 1);
    EXPECT_EQ(processors_for(count - 1, pinning::automatic), std::vector<int>());
    // All that it may use, and not all there is.
    std::thread([&] {
        const home_cpu here(allowed.back());
        EXPECT_EQ(processors_for(1, pinning::always), std::vector{allowed.back()});
        EXPECT_EQ(processors_for(1, pinning::automatic), std::vector<int>());
    }).join();
}

} // namespace
} // namespace saguaro::platform
