// SPDX-License-Identifier: MIT
// What the tests of pools share: memory that all workers see, and what a job of such a test says.
#pragma once

#include "support/job.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/mman.h>
#include <vector>

namespace saguaro::test_support {

// Zeros that each worker counts in, once for each job: how often it was begun.
class counts {
public:
    explicit counts(std::size_t jobs)
        : words_(static_cast<std::atomic<int> *>(mmap(nullptr, jobs * sizeof(std::atomic<int>),
                                                      PROT_READ | PROT_WRITE,
                                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}

    std::atomic<int> &operator[](std::size_t job) const { return words_[job]; }

private:
    std::atomic<int> *words_; // as long as the process lives
};

inline std::vector<int> numbers(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

inline void expect_quiet_success(const outcome &seen) {
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

} // namespace saguaro::test_support
