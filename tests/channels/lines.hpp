// SPDX-License-Identifier: MIT
// What a job says when the library refuses to go on, or that it ends well.
#pragma once

#include "support/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::test_support {

inline void expect_line(const outcome &seen, const char *words) {
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find(words), std::string::npos) << seen.err;
}

inline void expect_success(const outcome &seen) {
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

} // namespace saguaro::test_support
