// SPDX-License-Identifier: MIT
// A process says once why it ends, whatever happens while it says so.
#include "spmc/lines.hpp"

#include "pages.hpp"
#include "support/job.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace saguaro::spmc_test {

namespace {

void (*in_the_middle)() = nullptr; // of the first line that is written

int do_it_once(char *, std::size_t) {
    if (void (*const act)() = std::exchange(in_the_middle, nullptr))
        act();
    return 0;
}

void give_up(const char *why) {
    spmc::give_up("%s", why);
}
void trap(const char *why) {
    spmc::trap("%s", why);
}
using end_by = void (*)(const char *why);

// Ends a process by this call, in the middle of which another function is called.
outcome ends_while(end_by end, void (*act)()) {
    return run_job([=] {
        in_the_middle = act;
        spmc::set_activity(do_it_once);
        end("the first");
        return 0;
    });
}

class spmc_lines : public testing::TestWithParam<std::tuple<end_by, end_by>> {
protected:
    void SetUp() override { second = std::get<1>(GetParam()); }
    static end_by first() { return std::get<0>(GetParam()); }

    static inline end_by second = nullptr;
};

TEST_P(spmc_lines, of_another_thread_wait_for_the_end) {
    const outcome seen = ends_while(first(), [] {
        std::signal(SIGUSR1, [](int) {});
        std::thread other([] { second("the second"); });
        usleep(50'000);
        pthread_kill(other.native_handle(), SIGUSR1); // it waits again then
        usleep(50'000);
        other.detach();
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: the first\n");
}

TEST_P(spmc_lines, of_a_signal_handler_replace_what_it_interrupts) {
    const outcome seen = ends_while(first(), [] {
        std::signal(SIGUSR1, [](int) { second("the second"); });
        std::raise(SIGUSR1);
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: the second\n");
}

TEST_P(spmc_lines, of_a_process_that_is_forked_meanwhile_are_its_own) {
    const outcome seen = ends_while(first(), [] {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60); // or it would wait for good if it took the parent's line for its own
            second("the second");
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 2)
            _exit(1);
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: the second\nsaguaro: spmc: the first\n");
}

INSTANTIATE_TEST_SUITE_P(ends, spmc_lines,
                         testing::Combine(testing::Values(give_up, trap),
                                          testing::Values(give_up, trap)));

} // namespace

} // namespace saguaro::spmc_test
