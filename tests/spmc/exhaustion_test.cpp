// SPDX-License-Identifier: MIT
// Where the system has no more of something, the space that wanted it says one line, and ends or
// returns the error; and nothing of the job stays.
#include "leftovers.hpp"
#include "pages.hpp"
#include "saguaro/detail/sanitizers.h"
#include "support/job.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sys/mman.h>
#include <sys/resource.h>

namespace saguaro::spmc_test {

namespace {

void limit(int what, rlim_t to) {
    const rlimit both{to, to};
    MUST(setrlimit(static_cast<__rlimit_resource_t>(what), &both));
}

void expect_one_line(const outcome &seen, int code, const std::string &line) {
    EXPECT_TRUE(seen.exited_with(code)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "saguaro: spmc: " + line + "\n");
    EXPECT_EQ(wait_until_alone(), "");
}

// The same where the test cannot know the whole line.
bool is_one_line(const std::string &text, const std::string &pattern) {
    return std::regex_match(text, std::regex("saguaro: spmc: " + pattern + "\n"));
}

void expect_one_line_like(const outcome &seen, const std::string &pattern) {
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_TRUE(is_one_line(seen.err, pattern)) << seen.err;
    EXPECT_EQ(wait_until_alone(), "");
}

int sleeps(void *) {
    return static_cast<int>(sleep(60));
}

// Begins spaces until the system refuses one; what that returns.
int begin_until_refused() {
    for (;;)
        if (const int refused = spmc_space_create(nullptr, sleeps, nullptr))
            return refused;
}

TEST(spmc_exhaustion, of_processes) {
    adopt_orphans();
    const outcome seen = run_job([] {
        // A user of its own, whose processes are counted; the administrator has no limit.
        if (geteuid() == 0)
            MUST(setuid(static_cast<uid_t>(1'000'000 + getpid())));
        else
            return 0;
        limit(RLIMIT_NPROC, 20);
        const int refused = begin_until_refused();
        _exit(refused == EAGAIN ? 7 : 1);
    });
    if (geteuid() != 0)
        GTEST_SKIP() << "needs a user without processes";
    expect_one_line(seen, 7,
                    "space 0: the system refuses a space for a function: Resource temporarily "
                    "unavailable");
}

TEST(spmc_exhaustion, of_descriptors_for_spaces) {
    adopt_orphans();
    expect_one_line(run_job([] {
                        limit(RLIMIT_NOFILE, 20);
                        _exit(begin_until_refused() == EMFILE ? 7 : 1);
                        return 0;
                    }),
                    7, "space 0: the system refuses a space for a function: Too many open files");
}

// The first call that the system refuses depends on how many descriptors the test was begun with.
TEST(spmc_exhaustion, of_descriptors_wherever_it_happens) {
    adopt_orphans();
    for (rlim_t descriptors = 3; descriptors < 12; ++descriptors) {
        const outcome seen = run_job([=] {
            limit(RLIMIT_NOFILE, descriptors);
            std::string path = "/bin/true";
            char *arguments[] = {path.data(), nullptr};
            _exit(spmc_space_exec(nullptr, path.c_str(), arguments) == EMFILE ? 7 : 0);
            return 0;
        });
        if (seen.exited_with(0))
            EXPECT_EQ(seen.err, "");
        else if (seen.exited_with(7))
            EXPECT_TRUE(is_one_line(seen.err, "space 0: the system refuses a space for /bin/true: "
                                              "Too many open files"))
                << descriptors << ' ' << seen.err;
        else
            EXPECT_TRUE(seen.exited_with(2) &&
                        is_one_line(seen.err, "the system refuses (a file in memory|a descriptor "
                                              "that only reads the job's memory \\(is /proc "
                                              "there\\?\\)): Too many open files"))
                << descriptors << ' ' << seen.status << seen.err;
    }
    EXPECT_EQ(wait_until_alone(), "");
}

TEST(spmc_exhaustion, of_file_size) {
    expect_one_line(run_job([] {
                        limit(RLIMIT_FSIZE, 1 << 20);
                        return static_cast<int>(spmc_space_self());
                    }),
                    2,
                    "the system refuses a sparse file of 2 EB in memory: files may have 1048576 "
                    "bytes (ulimit -f)");
}

// Bytes of addresses that the process has.
rlim_t addresses() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * page;
}

TEST(spmc_exhaustion, of_addresses) {
    if (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer needs more addresses than there may be";
    expect_one_line(run_job([] {
                        limit(RLIMIT_AS, addresses() + (8 << 20));
                        return static_cast<int>(spmc_space_self());
                    }),
                    2,
                    "the system refuses addresses for what the spaces share: Cannot allocate "
                    "memory");
    const outcome seen = run_job([] {
        limit(RLIMIT_AS, addresses() + (rlim_t{400} << 20));
        spmc_alloc(nullptr, std::size_t{1} << 30);
        return 0;
    });
    expect_one_line_like(seen,
                         "space 0: the system refuses to map 1073741824 bytes at 0x200000000000: "
                         "Cannot allocate memory( \\(vm.max_map_count is a bound\\))?");
}

// Every second page of many is fixed: each is a mapping of its own.
int fixes_every_second_page() {
    std::size_t most = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> most;
    word *const region = region_of(2 * most);
    for (std::size_t i = 0; i < 2 * most; i += 2)
        fix(region, i);
    return 0;
}

TEST(spmc_exhaustion, of_mappings) {
    std::size_t most = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> most;
    if (most > 200'000)
        GTEST_SKIP() << "vm.max_map_count is " << most;
    // Where depends on how many mappings the program has otherwise.
    expect_one_line_like(
        run_job(fixes_every_second_page),
        "space 0: the system refuses to protect 4096 bytes at 0x200[0-9a-f]{9}: Cannot "
        "allocate memory \\(vm.max_map_count is a bound\\)");
}

// ---- Memory ----

// A group of processes that may have so much memory; while this lives.
class memory_group {
public:
    explicit memory_group(const char *most) {
        for (const char *root : {"/sys/fs/cgroup/memory", "/sys/fs/cgroup"}) {
            path_ = std::string(root) + "/saguaro-test-" + std::to_string(getpid());
            if (mkdir(path_.c_str(), 0755) != 0)
                continue;
            if (says("memory.limit_in_bytes", most) || says("memory.max", most))
                return;
            rmdir(path_.c_str());
        }
        path_.clear();
    }
    ~memory_group() {
        if (!path_.empty())
            rmdir(path_.c_str());
    }

    bool is_there() const { return !path_.empty(); }
    bool enter() const { return says("cgroup.procs", std::to_string(getpid())); }

private:
    bool says(const char *file, const std::string &what) const {
        // Only files that are there.
        std::ofstream out(path_ + "/" + file, std::ios::in | std::ios::out);
        return static_cast<bool>(out << what << std::flush);
    }

    std::string path_;
};

const memory_group *group = nullptr;

int writes_more_than_there_is(void *) {
    if (!group->enter())
        return 9;
    for (std::size_t i = 0; i < 64'000; ++i)
        on_page(shared, i) = 1;
    return 8;
}

int waits_for_the_last_page() {
    shared = region_of(64'001);
    const spmc_space other = begin(writes_more_than_there_is);
    give_all(other, shared, 64'001);
    return static_cast<int>(on_page(shared, 64'000));
}

TEST(spmc_exhaustion, of_memory) {
    const memory_group small("33554432");
    if (!small.is_there())
        GTEST_SKIP() << "needs to make a cgroup";
    group = &small;
    expect_one_line(run_job(waits_for_the_last_page), 2,
                    "space 0: waits for the page at 0x20000fa00000, but space 0.1 has ended: "
                    "signal 9 (Killed)");
}

} // namespace

} // namespace saguaro::spmc_test
