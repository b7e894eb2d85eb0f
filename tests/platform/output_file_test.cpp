// SPDX-License-Identifier: MIT
// Files that the library writes: rights, links, descriptors.
#include "platform/output_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::platform {
namespace {

class output_file : public testing::Test {
protected:
    output_file() {
        char name[] = "/tmp/saguaro-output-XXXXXX";
        folder_ = mkdtemp(name);
    }
    ~output_file() override { std::filesystem::remove_all(folder_); }
    std::string path(const char *name) const { return folder_ + "/" + name; }
    static std::string contents_of(const std::string &file) {
        std::ifstream from(file);
        return {std::istreambuf_iterator<char>(from), {}};
    }

private:
    std::string folder_;
};

TEST_F(output_file, a_new_one_is_its_owner_s_alone) {
    const mode_t before = umask(0);
    const int made = open_output(path("new").c_str(), contents::removed);
    umask(before);
    ASSERT_GE(made, 0);
    struct stat seen;
    ASSERT_EQ(fstat(made, &seen), 0);
    EXPECT_EQ(seen.st_mode & 07777, 0600U);
    EXPECT_EQ(fcntl(made, F_GETFD), FD_CLOEXEC);
    close(made);
}

TEST_F(output_file, an_old_one_loses_what_it_contains_only_if_asked) {
    const std::string file = path("old");
    std::ofstream(file) << "old";
    close(open_output(file.c_str(), contents::kept));
    EXPECT_EQ(contents_of(file), "old");
    close(open_output(file.c_str(), contents::removed));
    EXPECT_EQ(contents_of(file), "");
}

TEST_F(output_file, a_symbolic_link_is_refused) {
    std::ofstream(path("target")) << "precious";
    ASSERT_EQ(symlink(path("target").c_str(), path("link").c_str()), 0);
    EXPECT_EQ(open_output(path("link").c_str(), contents::removed), -1);
    EXPECT_EQ(errno, ELOOP);
    EXPECT_EQ(open_output_stream(path("link").c_str()), nullptr);
    EXPECT_EQ(errno, ELOOP);
    EXPECT_EQ(contents_of(path("target")), "precious");
}

TEST_F(output_file, names_of_descriptors_are_duplicates) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const int made = open_output(("/dev/fd/" + std::to_string(ends[1])).c_str(), contents::removed);
    ASSERT_GT(made, STDERR_FILENO);
    EXPECT_EQ(write(made, "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'x');
    for (const int each : {made, ends[0], ends[1]})
        close(each);
    EXPECT_EQ(open_output("/dev/fd/999999", contents::removed), -1);
    EXPECT_EQ(errno, EBADF);
    EXPECT_EQ(open_output("/dev/fd/1x", contents::removed), -1);
}

} // namespace
} // namespace saguaro::platform
