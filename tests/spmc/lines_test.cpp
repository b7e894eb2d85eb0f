// SPDX-License-Identifier: MIT
// A process says once why it ends, whatever happens while it says so.
#include "spmc/lines.hpp"

#include "pages.hpp"
#include "spmc/job.hpp"
#include "support/job.hpp"

#include <csignal>
#include <cstdio>
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

TEST_P(spmc_lines, that_end_nothing_leave_the_last_one_to_another_thread) {
    const outcome seen = run_job([] {
        std::thread([] { spmc::say("a remark"); }).join();
        first()("the end");
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: a remark\nsaguaro: spmc: the end\n");
}

INSTANTIATE_TEST_SUITE_P(ends, spmc_lines,
                         testing::Combine(testing::Values(give_up, trap),
                                          testing::Values(give_up, trap)));

TEST(spmc_line, is_cut_and_ends_if_it_is_too_long) {
    const outcome seen = run_job([] {
        spmc::say("%s", std::string(10'000, 'x').c_str());
        return 0;
    });
    const std::string begin = "saguaro: spmc: x";
    EXPECT_EQ(seen.err.substr(0, begin.size()), begin);
    EXPECT_GT(seen.err.size(), 500U);
    EXPECT_EQ(seen.err.find('\n'), seen.err.size() - 1);
    EXPECT_EQ(seen.err.find('\0'), std::string::npos);
}

TEST(spmc_line, is_cut_if_what_the_thread_does_is_too_long) {
    const outcome seen = run_job([] {
        spmc::set_activity([](char *text, std::size_t room) {
            return std::snprintf(text, room, "%s", std::string(10'000, 'y').c_str());
        });
        spmc::say("the reason");
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_EQ(seen.err.find_first_not_of('y', std::string("saguaro: spmc: ").size()),
              seen.err.size() - 1);
    EXPECT_EQ(seen.err.back(), '\n');
}

// Spaces without a process, each the child of the one before.
TEST(spmc_name, of_a_space_far_from_the_root_is_cut_in_the_middle) {
    const outcome seen = run_job([] {
        constexpr spmc::slot first = 100;
        constexpr spmc::slot last = 150;
        spmc::job &all = spmc::job::mine();
        for (spmc::slot each = first; each <= last; ++each) {
            all.space_in(each).parent = each == first ? spmc::root_slot : each - 1;
            all.space_in(each).number = each;
        }
        char text[spmc::name_bytes];
        std::puts(spmc::name_of(first + 1, text));
        std::puts(spmc::name_of(last, text));
        return 0;
    });
    EXPECT_TRUE(has(seen.out, "0.100.101\n0....1")) << seen.out;
    EXPECT_TRUE(has(seen.out, ".149.150\n")) << seen.out;
}

} // namespace

} // namespace saguaro::spmc_test
