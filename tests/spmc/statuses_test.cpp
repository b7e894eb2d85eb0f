// SPDX-License-Identifier: MIT
// How a space has ended is known, also to a program that takes the statuses of all of its children
// itself, or lets the system drop them.
#include "spmc/statuses.hpp"

#include "pages.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <sys/utsname.h>

namespace saguaro::spmc_test {

namespace {

using namespace saguaro::spmc;

// From Linux 6.15 on a pidfd tells how a process has ended.
bool kernel_knows() {
    utsname about{};
    uname(&about);
    int major = 0;
    int minor = 0;
    return std::sscanf(about.release, "%d.%d", &major, &minor) == 2 &&
           (major > 6 || (major == 6 && minor >= 15));
}

int returns_0(void *) {
    return 0;
}
int returns_7(void *) {
    return 7;
}
int exits_with_3(void *) {
    std::exit(3);
}
int breaks_off(void *) {
    _exit(4);
}
int is_killed(void *) {
    return kill(getpid(), SIGKILL);
}

int status_after(int (*function)(void *)) {
    int status = -1;
    MUST(spmc_space_wait(begin(function), &status));
    return status;
}

// Whether the root learns how each of many spaces ended.
int learns_all() {
    for (int i = 0; i < 50; ++i) {
        if (status_after(returns_0) != 0)
            return 1;
        if (WEXITSTATUS(status_after(returns_7)) != 7)
            return 2;
        if (WEXITSTATUS(status_after(exits_with_3)) != 3)
            return 3;
    }
    if (!kernel_knows())
        return 0;
    if (WEXITSTATUS(status_after(breaks_off)) != 4)
        return 4;
    const int killed = status_after(is_killed);
    return WIFSIGNALED(killed) && WTERMSIG(killed) == SIGKILL ? 0 : 5;
}

// The sanitizer that looks for leaks at an end has a child of its own, and says this where somebody
// else has taken its status.
std::string without_the_sanitizers_lines(const std::string &text) {
    static const std::regex line("==\\d+==Running thread \\d+ was not suspended\\. False leaks are "
                                 "possible\\.\n");
    return std::regex_replace(text, line, "");
}

void expect_well(const outcome &seen) {
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(without_the_sanitizers_lines(seen.err), "");
}

TEST(spmc_statuses, of_a_program_that_ignores_its_children) {
    expect_well(run_job([] {
        signal(SIGCHLD, SIG_IGN);
        return learns_all();
    }));
}

TEST(spmc_statuses, of_a_program_that_takes_them_in_a_handler) {
    expect_well(run_job([] {
        struct sigaction reaper{};
        reaper.sa_handler = [](int) {
            while (waitpid(-1, nullptr, WNOHANG) > 0) {
            }
        };
        reaper.sa_flags = SA_RESTART;
        sigaction(SIGCHLD, &reaper, nullptr);
        return learns_all();
    }));
}

TEST(spmc_statuses, of_a_program_that_waits_for_any_child) {
    expect_well(run_job([] {
        const spmc_space slow = begin([](void *) {
            usleep(20'000);
            return 7;
        });
        if (fork() == 0)
            _exit(0);
        while (wait(nullptr) > 0) {
        }
        int status = 0;
        MUST(spmc_space_wait(slow, &status));
        return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1;
    }));
}

// Where the kernel has nothing to tell, a space's own word is known; without that, a line says so.
TEST(spmc_statuses, is_what_the_space_has_left) {
    const outcome asked = run_job([] {
        int status = 0;
        MUST(spmc_space_wait(begin(returns_7), &status)); // the first one: its slot is 2
        MUST(spmc_space_wait(begin(breaks_off), &status));
        const job &all = job::mine();
        constexpr int no_descriptor = -1;
        const pid_t gone = static_cast<pid_t>(all.space_in(2).pid.load());
        if (WEXITSTATUS(await_status(all, 2, gone, no_descriptor)) != 7)
            return 1;
        const pid_t silent = static_cast<pid_t>(all.space_in(3).pid.load());
        return WEXITSTATUS(await_status(all, 3, silent, no_descriptor)) == 255 ? 0 : 2;
    });
    EXPECT_TRUE(asked.exited_with(0)) << asked.status << asked.err;
    EXPECT_EQ(
        asked.err,
        "saguaro: spmc: space 0: how space 0.2 ended is not known and counts as exit code 255: "
        "the program waits for any child, or ignores SIGCHLD\n");
}

} // namespace

} // namespace saguaro::spmc_test
