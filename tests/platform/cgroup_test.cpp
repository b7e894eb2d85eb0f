// SPDX-License-Identifier: MIT
// Tests of processor quotas on emulated hierarchies of control groups.
#include "platform/cgroup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using saguaro::platform::cgroup_cpu_quota;

namespace {

// A directory that stands for the root of a machine.
class cgroup_quota : public testing::Test {
protected:
    cgroup_quota() {
        std::string pattern = testing::TempDir() + "cgroup-XXXXXX";
        root_ = mkdtemp(pattern.data());
    }

    ~cgroup_quota() override { std::filesystem::remove_all(root_); }

    void file(const std::string &path, const std::string &text) const {
        const std::filesystem::path whole = root_ + path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
    }

    // A machine with version 2 alone, the hierarchy mounted in the usual place.
    void version2(const std::string &group) const {
        file("/proc/self/cgroup", "0::" + group + "\n");
        file("/proc/self/mountinfo",
             "22 1 0:20 / /proc rw - proc proc rw\n"
             "31 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    }

    // A machine with version 1; the processor controller shares a hierarchy with another.
    void version1(const std::string &group, const std::string &mount_root = "/") const {
        file("/proc/self/cgroup",
             "5:cpuset:/other\n4:cpu,cpuacct:" + group + "\n1:name=systemd:/x\n0::/\n");
        file("/proc/self/mountinfo",
             "33 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
             "34 31 0:30 " +
                 mount_root + " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
    }

    double quota() const { return cgroup_cpu_quota(root_); }

private:
    std::string root_;
};

const std::string v1_dir = "/sys/fs/cgroup/cpu,cpuacct";

} // namespace

TEST_F(cgroup_quota, is_infinite_on_a_machine_without_files) {
    EXPECT_TRUE(std::isinf(quota()));
}

TEST_F(cgroup_quota, version2_reads_the_own_group) {
    version2("/a");
    file("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 1.5);
}

TEST_F(cgroup_quota, version2_max_is_no_limit) {
    version2("/a");
    file("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
    EXPECT_TRUE(std::isinf(quota()));
}

TEST_F(cgroup_quota, version2_takes_the_smallest_of_all_parents) {
    version2("/a/b/c");
    file("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    file("/sys/fs/cgroup/a/b/cpu.max", "25000 50000\n");
    file("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 0.5);
}

TEST_F(cgroup_quota, version2_reads_the_root_of_a_namespace) {
    version2("/");
    file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 3.0);
}

TEST_F(cgroup_quota, version2_outside_the_namespace_falls_back_to_the_mount) {
    version2("/../../elsewhere");
    file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 2.0);
}

TEST_F(cgroup_quota, version2_ignores_nonsense) {
    version2("/a");
    file("/sys/fs/cgroup/a/cpu.max", "lots\n");
    EXPECT_TRUE(std::isinf(quota()));
}

TEST_F(cgroup_quota, version1_reads_quota_and_period) {
    version1("/a/b");
    file(v1_dir + "/a/b/cpu.cfs_quota_us", "250000\n");
    file(v1_dir + "/a/b/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(quota(), 2.5);
}

TEST_F(cgroup_quota, version1_minus_one_is_no_limit_and_the_parent_counts) {
    version1("/a/b");
    file(v1_dir + "/a/b/cpu.cfs_quota_us", "-1\n");
    file(v1_dir + "/a/b/cpu.cfs_period_us", "100000\n");
    EXPECT_TRUE(std::isinf(quota()));
    file(v1_dir + "/a/cpu.cfs_quota_us", "100000\n");
    file(v1_dir + "/a/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(quota(), 1.0);
}

TEST_F(cgroup_quota, version1_in_a_container_strips_the_root_of_the_mount) {
    version1("/docker/abc/job", "/docker/abc");
    file(v1_dir + "/job/cpu.cfs_quota_us", "700000\n");
    file(v1_dir + "/job/cpu.cfs_period_us", "100000\n");
    file(v1_dir + "/cpu.cfs_quota_us", "800000\n");
    file(v1_dir + "/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(quota(), 7.0);
}

TEST_F(cgroup_quota, a_group_whose_name_begins_alike_is_not_below_the_mount) {
    version1("/docker/abcdef", "/docker/abc");
    file(v1_dir + "/cpu.cfs_quota_us", "800000\n");
    file(v1_dir + "/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(quota(), 8.0);
}

TEST_F(cgroup_quota, mount_points_with_blanks_are_found) {
    file("/proc/self/cgroup", "0::/a\n");
    file("/proc/self/mountinfo", "31 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    file("/my groups/a/cpu.max", "50000 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 0.5);
}

TEST_F(cgroup_quota, both_versions_at_once_give_the_smaller) {
    version1("/a");
    file("/proc/self/cgroup", "4:cpu,cpuacct:/a\n0::/u\n");
    file("/proc/self/mountinfo",
         "34 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
         "35 31 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    file(v1_dir + "/a/cpu.cfs_quota_us", "600000\n");
    file(v1_dir + "/a/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(quota(), 6.0);
    file("/sys/fs/cgroup/unified/u/cpu.max", "400000 100000\n");
    EXPECT_DOUBLE_EQ(quota(), 4.0);
}

#if !defined(SG_TEST_EMULATED)

// With something before each path the table of mounts is read.
TEST(cgroups_here, are_the_same_where_they_usually_are_and_by_the_table_of_mounts) {
    EXPECT_EQ(cgroup_cpu_quota(""), cgroup_cpu_quota("/."));
    const auto [memory, swap] = saguaro::platform::cgroup_memory_room("/.");
    EXPECT_EQ(saguaro::platform::cgroup_memory_room("").in_memory == UINT64_MAX,
              memory == UINT64_MAX);
    EXPECT_EQ(saguaro::platform::cgroup_memory_room("").in_swap == UINT64_MAX, swap == UINT64_MAX);
}

namespace {

bool write_to(const std::string &file, const std::string &text) {
    return (std::ofstream(file) << text << std::flush).good();
}

} // namespace

// The child is in a group with a quota, below one with a larger one.
TEST(cgroups_here, have_the_quota_of_a_group_of_version1) {
    const std::string above = "/sys/fs/cgroup/cpu/saguaro-" + std::to_string(getpid());
    const std::string own = above + "/own";
    std::error_code refused;
    std::filesystem::create_directories(own, refused);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (!write_to(above + "/cpu.cfs_quota_us", "250000") ||
            !write_to(own + "/cpu.cfs_quota_us", "150000") ||
            !write_to(own + "/cgroup.procs", std::to_string(getpid())))
            _exit(2);
        _exit(cgroup_cpu_quota("") == 1.5 && cgroup_cpu_quota("/.") == 1.5 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::filesystem::remove(own, refused);
    std::filesystem::remove(above, refused);
    if (WEXITSTATUS(status) == 2)
        GTEST_SKIP() << "needs a hierarchy of version 1, and the right to make groups";
    EXPECT_EQ(status, 0);
}

#endif
