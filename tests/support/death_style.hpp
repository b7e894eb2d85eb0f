// SPDX-License-Identifier: MIT
// How death tests begin where the process has threads.
#pragma once

#include <gtest/gtest.h>

namespace saguaro::test {

// Death tests that follow begin the program anew: a fork amid threads has none of them, and
// ThreadSanitizer begins no threads after it. An emulated program cannot begin itself anew: it
// forks.
inline void use_threadsafe_style() {
#if !defined(SG_TEST_EMULATED)
    GTEST_FLAG_SET(death_test_style, "threadsafe");
#endif
}

} // namespace saguaro::test
