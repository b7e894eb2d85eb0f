// SPDX-License-Identifier: MIT
// Tests of what the Matrix Market reader accepts, and which line a fault names. Every message and
// the exit code are tested on the program itself, in pbfs_cli_test.py.
#include <pbfs/fault.hpp>
#include <pbfs/matrix_market.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::pbfs {
namespace {

using rows = std::vector<std::vector<vertex>>;

class pbfs_loader : public testing::Test {
protected:
    pbfs_loader()
        : path_(testing::TempDir() + "pbfs_loader_" +
                testing::UnitTest::GetInstance()->current_test_info()->name() + ".mtx") {}
    ~pbfs_loader() override { std::filesystem::remove(path_); }

    rows read() const {
        const graph g = read_matrix_market(path_, "");
        rows result;
        for (vertex v = 0; v < g.vertices(); ++v) {
            const auto row = g.neighbours(v);
            result.emplace_back(row.begin(), row.end());
        }
        return result;
    }

    rows read(const std::string &text) const {
        std::ofstream(path_, std::ios::binary) << text;
        return read();
    }

    rows read_compressed(const std::string &text) const {
        const gzFile file = gzopen(path_.c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
        return read();
    }

    /// The message for a file, without the file's name.
    std::string fault_of(const std::string &text) const {
        try {
            read(text);
        } catch (const fault &error) {
            const std::string message = error.what();
            EXPECT_EQ(message.rfind(path_ + ":", 0), 0u) << message;
            return message.substr(std::min(message.size(), path_.size() + 1));
        }
        return "none";
    }

    std::string path_;
};

constexpr const char *pattern = "%%MatrixMarket matrix coordinate pattern general\n";

TEST_F(pbfs_loader, pattern_general) {
    EXPECT_EQ(read(std::string(pattern) + "3 3 3\n1 2\n3 1\n3 3\n"), (rows{{1}, {}, {0, 2}}));
}

TEST_F(pbfs_loader, real_general) {
    EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n"
                   "2 2 3\n1 2 -1.5e-3\n2 1 +7\n2 2 1e999\n"),
              (rows{{1}, {0, 1}}));
}

TEST_F(pbfs_loader, integer_symmetric_goes_both_ways) {
    EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer symmetric\n"
                   "3 3 3\n2 1 5\n3 1 -5\n3 3 0\n"),
              (rows{{1, 2}, {0}, {0, 2}}));
}

TEST_F(pbfs_loader, comments_blank_lines_other_line_ends_and_capitals) {
    EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate Pattern GENERAL \r\n"
                   "% a comment\r\n\r\n%\r\n  2\t2   1 \r\n\r\n 1 2\t\r\n\r\n"),
              (rows{{1}, {}}));
}

TEST_F(pbfs_loader, the_last_line_needs_no_end) {
    EXPECT_EQ(read(std::string(pattern) + "2 2 1\n2 1"), (rows{{}, {0}}));
}

TEST_F(pbfs_loader, no_entries) {
    EXPECT_EQ(read(std::string(pattern) + "2 2 0\n"), (rows{{}, {}}));
}

TEST_F(pbfs_loader, unsorted_and_repeated_entries) {
    EXPECT_EQ(read(std::string(pattern) + "3 3 4\n1 3\n1 2\n1 3\n1 1\n"),
              (rows{{0, 1, 2}, {}, {}}));
}

TEST_F(pbfs_loader, compressed) {
    EXPECT_EQ(read_compressed(std::string(pattern) + "2 2 1\n1 2\n"), (rows{{1}, {}}));
}

TEST_F(pbfs_loader, many_times_the_size_of_a_buffer) {
    constexpr vertex count = 200'000;
    std::string text = std::string(pattern) + "200000 200000 200000\n";
    for (vertex v = 1; v <= count; ++v)
        text += std::to_string(v) + " " + std::to_string(v % count + 1) + "\n";
    for (const bool compressed : {false, true}) {
        const rows found = compressed ? read_compressed(text) : read(text);
        ASSERT_EQ(found.size(), count);
        for (vertex v = 0; v < count; ++v)
            ASSERT_EQ(found[v], std::vector<vertex>{(v + 1) % count}) << "vertex " << v;
    }
}

TEST_F(pbfs_loader, a_line_may_be_long_but_not_endless) {
    const std::string comment(60'000, '%');
    EXPECT_EQ(read(pattern + comment + "\n1 1 0\n"), (rows{{}}));
    EXPECT_EQ(fault_of(pattern + std::string(70'000, '%') + "\n1 1 0\n"),
              "2: the line is too long; accepted: up to 65536 bytes");
    EXPECT_EQ(fault_of(pattern + std::string(1'000'000, '%')),
              "2: the line is too long; accepted: up to 65536 bytes");
}

TEST_F(pbfs_loader, faults_name_the_line) {
    const std::string start = std::string(pattern) + "% comment\n\n3 3 3\n1 1\n";
    EXPECT_EQ(fault_of(start + "\n4 1\n"), "7: row '4' is out of range; accepted: 1 to 3");
    EXPECT_EQ(fault_of(start + "1 0\n"), "6: column '0' is out of range; accepted: 1 to 3");
    EXPECT_EQ(fault_of(start + "1 2\n1 3\n2 1\n"),
              "8: an entry too many; accepted: the 3 that the size line declares");
    EXPECT_EQ(fault_of(start + "1 2\n"),
              "6: the file ends after 2 entries; accepted: the 3 that the size line declares");
}

TEST_F(pbfs_loader, what_does_not_print_is_not_repeated) {
    EXPECT_EQ(fault_of(std::string(pattern) + "2 2 1\n1 \x1b[31m\x01\n"),
              "3: column '?[31m?' is not a number; accepted: 1 to 2");
    EXPECT_EQ(fault_of(std::string(pattern) + "2 2 1\n1 " + std::string(100, 'x') + "\n"),
              "3: column '" + std::string(40, 'x') + "...' is not a number; accepted: 1 to 2");
}

TEST_F(pbfs_loader, declared_sizes_are_not_believed) {
    // Two thirds of a terabyte, if anybody allocated for the entries that are declared.
    EXPECT_EQ(fault_of(std::string(pattern) + "300000 300000 90000000000\n1 1\n"),
              "3: the file ends after 1 entries; accepted: the 90000000000 that the size line "
              "declares");
}

TEST(pbfs_memory, what_the_machine_does_not_have_is_refused) {
    EXPECT_NO_THROW(require_memory("here", 1));
    try {
        require_memory("here:3", std::uint64_t{1} << 60);
        FAIL() << "an exabyte was granted";
    } catch (const fault &error) {
        EXPECT_EQ(std::string(error.what()).rfind("here:3: the graph needs 1099511627776 MiB", 0),
                  0u)
            << error.what();
    }
}

} // namespace
} // namespace saguaro::pbfs
