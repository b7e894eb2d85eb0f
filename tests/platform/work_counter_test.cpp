// SPDX-License-Identifier: MIT
// On a machine without counters that programs may use, these say why there is none.
#include "platform/work_counter.hpp"

#include "platform/arch.hpp"
#include "support/forbidden_call.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <optional>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

// The time that the thread has run, which the kernel counts on each machine.
int open_counter_of_the_kernel() {
    perf_event_attr wanted{};
    wanted.size = sizeof(wanted);
    wanted.type = PERF_TYPE_SOFTWARE;
    wanted.config = PERF_COUNT_SW_TASK_CLOCK;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    return static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

TEST(work_counter, of_another_process_is_the_same) {
    const int own = open_counter_of_the_kernel();
    std::uint64_t event = 0;
    if (own < 0 || ioctl(own, PERF_EVENT_IOC_ID, &event) != 0)
        GTEST_SKIP() << why_no_work_counter(errno);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        const int lowest = dup(0);
        close(lowest);
        const work_counter other(parent, own, event, 100);
        if (!other)
            _exit(1);
        // What the program opens has the number that it would have otherwise.
        if (other.descriptor() < 100 || dup(0) != lowest ||
            (fcntl(other.descriptor(), F_GETFD) & FD_CLOEXEC) == 0)
            _exit(2);
        // The parent computes, when the machine lets it: the counter grows twice.
        std::uint64_t before = 0;
        for (int grown = 0; grown < 2;) {
            const std::optional<std::uint64_t> now = other.read();
            if (!now)
                _exit(3);
            grown += *now > before;
            before = *now;
            usleep(1000);
        }
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0)
        work(1000);
    EXPECT_EQ(status, 0);
    close(own);
}

TEST(work_counter, of_a_descriptor_that_is_not_there_is_none) {
    errno = 0;
    EXPECT_FALSE(work_counter(getpid(), 1'000'000, 1, 0));
    EXPECT_NE(errno, 0);
}

// As that of a process which has the same number elsewhere, or has closed its counter.
TEST(work_counter, of_a_file_is_none_and_reads_nothing_of_it) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "12345678", 8), 8);
    errno = 0;
    const work_counter counter(getpid(), ends[0], 1, 0);
    const int error = errno;
    EXPECT_FALSE(counter);
    EXPECT_TRUE(error == ENOTTY || error == EPERM || error == ENOSYS) << error;
    EXPECT_FALSE(counter.read());
    char left[8];
    EXPECT_EQ(read(ends[0], left, sizeof(left)), 8);
    close(ends[0]);
    close(ends[1]);
}

int error_of_fetching(pid_t from) {
    errno = 0;
    return descriptor_of(from, 0) < 0 ? errno : 0;
}

TEST(descriptor_of, says_of_a_process_that_has_ended_only_that) {
    if (!saguaro::test_support::can_forbid_calls())
        GTEST_SKIP() << "no filters of system calls here";
    const pid_t lives = fork();
    if (lives == 0) {
        pause();
        _exit(0);
    }
    const pid_t ended = fork();
    if (ended == 0)
        _exit(0);
    siginfo_t end{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(ended), &end, WEXITED | WNOWAIT), 0);
    const pid_t asks = fork();
    if (asks == 0) {
        // As by Yama's third restriction. Headers before Linux 5.6 have no name for the number.
        constexpr long pidfd_getfd = 438;
        saguaro::test_support::forbid_call(pidfd_getfd);
        _exit(error_of_fetching(lives) != EPERM ? 1 : error_of_fetching(ended) != ESRCH ? 2 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(asks, &status, 0), asks);
    kill(lives, SIGKILL);
    for (const pid_t each : {lives, ended})
        waitpid(each, nullptr, 0);
    EXPECT_EQ(status, 0);
}

TEST(work_counter, names_what_may_be_changed) {
    EXPECT_NE(why_no_work_counter(EACCES).find("perf_event_paranoid is "), std::string::npos);
    EXPECT_NE(why_no_work_counter(ENOENT).find("no such counter"), std::string::npos);
    EXPECT_NE(why_no_work_counter(ENOSYS).find("no such call"), std::string::npos);
}

} // namespace
