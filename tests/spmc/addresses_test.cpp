// SPDX-License-Identifier: MIT
// Programs of spaces have the same addresses in each run, and begin as they would have without.
#include "pages.hpp"
#include "saguaro/detail/sanitizers.h"
#include "support/forbidden_call.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace saguaro::spmc_test {

namespace {

constexpr const char *helper = SG_TEST_EXEC_HELPER;

// Executes a program with addresses that are not the same in each run, as a shell would.
int execute(const std::vector<std::string> &words, const char *path = helper) {
    std::vector<char *> arguments;
    for (const std::string &each : words)
        arguments.push_back(const_cast<char *>(each.c_str()));
    arguments.push_back(nullptr);
    personality(static_cast<unsigned long>(personality(0xffffffff) & ~ADDR_NO_RANDOMIZE));
    execv(path, arguments.data());
    return 97;
}

// What the program prints in several runs, each after prepare().
std::set<std::string> addresses_in(int runs, const std::function<void()> &prepare = [] {}) {
    std::set<std::string> all;
    for (int i = 0; i < runs; ++i) {
        const outcome seen = run_job([&] {
            prepare();
            return execute({helper, "addresses"});
        });
        EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
        EXPECT_EQ(seen.err, "");
        all.insert(seen.out);
    }
    return all;
}

class spmc_addresses : public testing::Test {
protected:
    void SetUp() override {
        if (SG_ADDRESS_SANITIZER)
            GTEST_SKIP() << "a sanitizer has a heap of its own";
        std::ifstream file("/proc/sys/kernel/randomize_va_space");
        if (char c = '0'; !(file >> c) || c == '0')
            GTEST_SKIP() << "this system randomises no addresses";
    }
};

TEST_F(spmc_addresses, are_the_same_in_each_run) {
    const std::set<std::string> all = addresses_in(20);
    EXPECT_EQ(all.size(), 1U);
    // The root, two children, and two of each.
    EXPECT_EQ(std::count(all.begin()->begin(), all.begin()->end(), '\n'), 7);
}

TEST_F(spmc_addresses, differ_if_the_user_wants_it) {
    EXPECT_GT(addresses_in(5, [] { setenv("SAGUARO_SPMC_RANDOMIZE", "1", 1); }).size(), 1U);
}

TEST_F(spmc_addresses, have_a_variable_with_two_values) {
    const outcome seen = run_job([] {
        setenv("SAGUARO_SPMC_RANDOMIZE", "yes", 1);
        return execute({helper, "addresses"});
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: SAGUARO_SPMC_RANDOMIZE is 'yes', and may be 0 or 1\n");
    EXPECT_EQ(seen.out, "");
}

// From now on the system refuses to change the personality, as some containers do.
void refuse_the_change() {
    if (!test_support::filter_calls(std::array<sock_filter, 6>{{
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 3),
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)), // the lower half
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0),            // asks what it is
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        }}))
        std::_Exit(96);
}

TEST_F(spmc_addresses, differ_where_the_system_refuses_the_change) {
    EXPECT_GT(addresses_in(5, refuse_the_change).size(), 1U);
}

TEST_F(spmc_addresses, differ_in_a_program_whose_file_is_gone) {
    const std::string copy = testing::TempDir() + "/saguaro-gone-" + std::to_string(getpid());
    std::set<std::string> all;
    for (int i = 0; i < 5; ++i) {
        std::filesystem::copy_file(helper, copy, std::filesystem::copy_options::overwrite_existing);
        const outcome seen = run_job([&] {
            const int file = open(copy.c_str(), O_PATH | O_CLOEXEC);
            unlink(copy.c_str());
            return execute({"helper", "addresses"},
                           ("/proc/self/fd/" + std::to_string(file)).c_str());
        });
        EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
        all.insert(seen.out);
    }
    EXPECT_GT(all.size(), 1U);
}

TEST_F(spmc_addresses, are_no_concern_of_a_program_that_the_dynamic_linker_was_given) {
    constexpr const char *linker = "/lib64/ld-linux-x86-64.so.2";
    if (access(linker, X_OK) != 0)
        GTEST_SKIP() << "no " << linker;
    const outcome seen = run_job([] { return execute({linker, helper, "addresses"}, linker); });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(std::count(seen.out.begin(), seen.out.end(), '\n'), 7) << seen.out;
}

// Once, whatever the environment says of former times.
TEST_F(spmc_addresses, are_changed_once) {
    EXPECT_GT(addresses_in(5, [] { setenv("SAGUARO_SPMC_ANEW", "1", 1); }).size(), 1U);
}

TEST_F(spmc_addresses, come_with_all_else_as_it_was) {
    const auto runs_with = [](const char *value) {
        return run_job([value] {
            setenv("SAGUARO_SPMC_RANDOMIZE", value, 1);
            setenv("KEPT", "a value", 1);
            sigset_t blocked;
            sigemptyset(&blocked);
            sigaddset(&blocked, SIGUSR1);
            sigprocmask(SIG_SETMASK, &blocked, nullptr);
            dup2(0, 40);
            if (chdir("/usr") != 0)
                return 96;
            return execute({"another name", "heritage", "an argument"});
        });
    };
    const outcome anew = runs_with("0");
    const outcome at_once = runs_with("1");
    EXPECT_TRUE(anew.exited_with(0)) << anew.status << anew.err;
    EXPECT_EQ(anew.out, at_once.out);
    EXPECT_EQ(anew.out.rfind("another name|an argument|a value|", 0), 0U) << anew.out;
    const std::string name = std::filesystem::path(helper).filename().string().substr(0, 15);
    EXPECT_NE(anew.out.find("|1|/usr|0|" + name + "\n"), std::string::npos) << anew.out;
}

} // namespace

} // namespace saguaro::spmc_test
