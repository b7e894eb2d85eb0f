// SPDX-License-Identifier: MIT
// On a machine without counters that programs may use, these say why there is none.
#include "platform/work_counter.hpp"

#include "platform/arch.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace saguaro::platform;

namespace {

[[gnu::noinline]] void work(int turns) {
    for (int i = 0; i < turns; ++i)
        __asm__ __volatile__("" ::: "memory");
}

TEST(work_counter, is_there_or_says_why_not) {
    std::string why;
    const work_counter counter(why);
    EXPECT_EQ(static_cast<bool>(counter), why.empty()) << why;
}

TEST(work_counter, counts_equal_work_equally) {
    std::string why;
    const work_counter counter(why);
    if (!counter)
        GTEST_SKIP() << why;
    const auto count = [&](int turns) {
        const std::uint64_t before = *counter.read();
        work(turns);
        return *counter.read() - before;
    };
    count(1);
    const std::uint64_t once = count(1'000'000);
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(count(1'000'000), once);
    EXPECT_GE(count(2'000'000), once + 1'000'000);
}

TEST(work_counter, of_another_process_is_the_same) {
    std::string why;
    const work_counter own(why);
    if (!own)
        GTEST_SKIP() << why;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    const pid_t parent = getpid();
    const std::uint64_t before = *own.read();
    const pid_t child = fork();
    if (child == 0) {
        const work_counter other(parent, own.descriptor(), own.event());
        if (!other)
            _exit(1);
        const std::optional<std::uint64_t> first = other.read();
        usleep(50'000); // the parent computes
        const std::optional<std::uint64_t> then = other.read();
        _exit(first && then && *first >= before && *then > *first ? 0 : 2);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0)
        work(1000);
    EXPECT_EQ(status, 0);
}

TEST(work_counter, of_a_descriptor_that_is_not_there_is_none) {
    errno = 0;
    EXPECT_FALSE(work_counter(getpid(), 1'000'000, 1));
    EXPECT_NE(errno, 0);
}

// As that of a process which has the same number elsewhere, or has closed its counter.
TEST(work_counter, of_a_file_is_none_and_reads_nothing_of_it) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "12345678", 8), 8);
    errno = 0;
    const work_counter counter(getpid(), ends[0], 1);
    const int error = errno;
    EXPECT_FALSE(counter);
    EXPECT_TRUE(error == ENOTTY || error == EPERM || error == ENOSYS) << error;
    EXPECT_FALSE(counter.read());
    char left[8];
    EXPECT_EQ(read(ends[0], left, sizeof(left)), 8);
    close(ends[0]);
    close(ends[1]);
}

TEST(work_counter, names_what_may_be_changed) {
    EXPECT_NE(why_no_work_counter(EACCES).find("perf_event_paranoid is "), std::string::npos);
    EXPECT_NE(why_no_work_counter(ENOENT).find("no such counter"), std::string::npos);
    EXPECT_NE(why_no_work_counter(ENOSYS).find("no such call"), std::string::npos);
}

} // namespace
