// SPDX-License-Identifier: MIT
// How death tests begin where the process has threads.
#pragma once

#if defined(SG_TEST_EMULATED)
#include "platform/lent_threads.hpp"
#endif

#include <gtest/gtest.h>

namespace saguaro::test {

// Death tests that follow begin the program anew: a fork amid threads has none of them, and
// ThreadSanitizer begins no threads after it. An emulated program cannot begin itself anew: it
// forks, and its child cannot begin threads beside others that rest.
inline void use_threadsafe_style() {
#if defined(SG_TEST_EMULATED)
    platform::end_resting_threads();
#else
    GTEST_FLAG_SET(death_test_style, "threadsafe");
#endif
}

} // namespace saguaro::test
