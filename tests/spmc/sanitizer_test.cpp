// SPDX-License-Identifier: MIT
// A bug in a space is reported by AddressSanitizer, and the job ends. Built with this sanitizer
// only.
#include "leftovers.hpp"
#include "pages.hpp"
#include "support/job.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace saguaro::spmc_test {

namespace {

// Writes one element behind an array of its heap, before it fixes the page.
int overflows(void *) {
    constexpr int size = 8;
    const std::unique_ptr<volatile int[]> numbers(new int[size]);
    numbers[size] = 1;
    fix(shared, 0);
    return 0;
}

bool reports_the_overflow(const std::string &text) {
    return has(text, "ERROR: AddressSanitizer: heap-buffer-overflow") &&
           has(text, "in saguaro::spmc_test::(anonymous namespace)::overflows(void*)");
}

TEST(spmc_address_sanitizer, reports_an_overflow_in_a_space) {
    adopt_orphans();
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space other = begin(overflows);
        give_all(other, shared, 1);
        return end_of(other);
    });
    EXPECT_TRUE(reports_the_overflow(seen.err)) << seen.err;
    EXPECT_TRUE(seen.exited_with(1)) << seen.status;
    EXPECT_EQ(wait_until_alone(), "");
}

TEST(spmc_address_sanitizer, ends_whoever_waits_for_that_space) {
    adopt_orphans();
    const outcome seen = run_job([] {
        shared = region_of(1);
        give_all(begin(overflows), shared, 1);
        return static_cast<int>(on_page(shared, 0));
    });
    EXPECT_TRUE(reports_the_overflow(seen.err)) << seen.err;
    EXPECT_TRUE(has(seen.err, "saguaro: spmc: space 0: waits for the page at 0x200000000000, but "
                              "space 0.1 has ended: exit code 1\n"))
        << seen.err;
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(wait_until_alone(), "");
}

} // namespace

} // namespace saguaro::spmc_test
