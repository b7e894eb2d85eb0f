// SPDX-License-Identifier: MIT
// Tests of the memory that a machine and its control groups leave to a process.
#include "platform/available_memory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/sysinfo.h>

namespace {

constexpr std::uint64_t kb = 1024;

// A directory that stands for the root of a machine, which has 1000 kB and 200 kB of swap left.
class available_memory : public testing::Test {
protected:
    available_memory() {
        std::string pattern = testing::TempDir() + "available-XXXXXX";
        root_ = mkdtemp(pattern.data());
        file("/proc/meminfo", "MemTotal:  4000 kB\nMemFree:   500 kB\nMemAvailable:   1000 kB\n"
                              "HugePages_Total:       0\nSwapTotal: 300 kB\nSwapFree:  200 kB\n");
    }

    ~available_memory() override { std::filesystem::remove_all(root_); }

    void file(const std::string &path, const std::string &text) const {
        const std::filesystem::path whole = root_ + path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
    }

    void version2() const {
        file("/proc/self/cgroup", "0::/a/b\n");
        file("/proc/self/mountinfo", "31 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    }

    void expect(std::uint64_t in_memory, std::uint64_t in_swap) const {
        const saguaro::platform::available found = saguaro::platform::available_memory(root_);
        EXPECT_EQ(found.in_memory, in_memory);
        EXPECT_EQ(found.in_swap, in_swap);
    }

    std::string root_;
};

} // namespace

TEST_F(available_memory, is_what_the_kernel_could_give) {
    expect(1000 * kb, 200 * kb);
}

TEST_F(available_memory, is_all_where_nobody_tells_what_is_free) {
    std::filesystem::remove(root_ + "/proc/meminfo");
    struct sysinfo told{};
    ASSERT_EQ(sysinfo(&told), 0);
    expect(std::uint64_t{told.totalram} * told.mem_unit,
           std::uint64_t{told.totalswap} * told.mem_unit);
}

TEST_F(available_memory, of_a_group_without_limit_is_the_machines) {
    version2();
    file("/sys/fs/cgroup/a/b/memory.max", "max\n");
    file("/sys/fs/cgroup/a/b/memory.current", "4096\n");
    file("/sys/fs/cgroup/a/b/memory.swap.max", "max\n");
    expect(1000 * kb, 200 * kb);
}

TEST_F(available_memory, is_no_more_than_each_group_above_has_left) {
    version2();
    file("/sys/fs/cgroup/a/b/memory.max", "900000\n");
    file("/sys/fs/cgroup/a/b/memory.current", "100000\n");
    file("/sys/fs/cgroup/a/memory.max", "500000\n");
    file("/sys/fs/cgroup/a/memory.current", "400000\n");
    file("/sys/fs/cgroup/a/memory.swap.max", "0\n");
    file("/sys/fs/cgroup/a/memory.swap.current", "0\n");
    expect(100000, 0);
}

// As in the topmost group of a machine, which tells only some of them.
TEST_F(available_memory, of_a_group_that_does_not_tell_its_use_is_the_machines) {
    version2();
    file("/sys/fs/cgroup/a/memory.max", "500000\n");
    file("/sys/fs/cgroup/a/memory.swap.max", "0\n");
    expect(1000 * kb, 200 * kb);
}

TEST_F(available_memory, counts_pages_of_files_that_a_group_holds) {
    version2();
    file("/sys/fs/cgroup/a/memory.max", "500000\n");
    file("/sys/fs/cgroup/a/memory.current", "400000\n");
    file("/sys/fs/cgroup/a/memory.stat",
         "anon 80000\nfile 320000\nshmem 20000\ninactive_file 200000\nactive_file 100000\n");
    expect(400000, 200 * kb);
}

TEST_F(available_memory, is_nothing_above_a_limit_that_has_shrunk) {
    version2();
    file("/sys/fs/cgroup/a/memory.max", "500000\n");
    file("/sys/fs/cgroup/a/memory.current", "600000\n");
    expect(0, 200 * kb);
}

TEST_F(available_memory, of_version1_counts_the_groups_below) {
    file("/proc/self/cgroup", "5:cpu:/other\n4:memory:/a\n0::/\n");
    file("/proc/self/mountinfo",
         "33 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
         "34 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    file("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "500000\n");
    file("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "400000\n");
    file("/sys/fs/cgroup/memory/a/memory.stat",
         "inactive_file 0\nactive_file 0\ntotal_inactive_file 50000\ntotal_active_file 10000\n");
    file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
    expect(160000, 200 * kb);
}
