// SPDX-License-Identifier: MIT
// Tests of a program's command line: its values, its help and its faults.
#include "command_line/command_line.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::cli {

namespace {

// A program with an option of each kind.
struct program {
    std::string file, mode = "plain", secret;
    std::optional<std::string> maybe;
    std::vector<std::string> each, rest;
    int rounds = 5;
    unsigned workers = 0;
    std::uint64_t source = 7;
    bool check = false;
    command_line words{"program", "Does nothing."};

    program() {
        words.add("FILE", file, "What it reads").required();
        words.add("--mode", mode, "How").among({"plain", "placed"}).placeholder("M");
        words.add("--maybe", maybe, "If given");
        words.add("--each", each, "Several").one_at_a_time();
        words.add("REST", rest, "All others");
        words.add("--rounds", rounds, "How often").between(1, 9).shows_default();
        words.add("--workers", workers, "How many").between(1u, 4u);
        words.add("--source", source, "From").between(std::uint64_t{0}, std::uint64_t{1} << 40);
        words.add("--secret", secret, "Not for users").hidden();
        words.add_flag("--check", check, "Look");
        words.add_version("program 1.2");
        words.end_help_with("The end.");
    }

    std::optional<instead> read(std::initializer_list<const char *> given) {
        std::vector<char *> arguments = {const_cast<char *>("program")};
        for (const char *each_word : given)
            arguments.push_back(const_cast<char *>(each_word));
        return words.read(static_cast<int>(arguments.size()), arguments.data());
    }

    /// The line of a fault; empty if there is none.
    std::string fault(std::initializer_list<const char *> given) {
        const std::optional<instead> found = read(given);
        return found && found->is_fault ? found->text : "";
    }
};

TEST(command_line, values_go_to_their_variables) {
    program p;
    EXPECT_FALSE(p.read({"in", "--mode", "placed", "--maybe", "m", "--rounds", "9", "--workers",
                         "4", "--source", "1099511627776", "--secret", "s", "--check"}));
    EXPECT_EQ(p.file, "in");
    EXPECT_EQ(p.mode, "placed");
    EXPECT_EQ(p.maybe, "m");
    EXPECT_EQ(p.rounds, 9);
    EXPECT_EQ(p.workers, 4u);
    EXPECT_EQ(p.source, std::uint64_t{1} << 40);
    EXPECT_EQ(p.secret, "s");
    EXPECT_TRUE(p.check);
}

TEST(command_line, what_is_not_given_stays) {
    program p;
    EXPECT_FALSE(p.read({"in"}));
    EXPECT_EQ(p.mode, "plain");
    EXPECT_FALSE(p.maybe);
    EXPECT_EQ(p.rounds, 5);
    EXPECT_FALSE(p.check);
}

TEST(command_line, one_at_a_time_leaves_the_next_word) {
    program p;
    EXPECT_FALSE(p.read({"in", "--each", "a", "b", "--each", "c"}));
    EXPECT_EQ(p.each, (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(p.rest, std::vector<std::string>{"b"});
}

TEST(command_line, faults_are_one_line) {
    for (const std::string &line :
         {program().fault({}), program().fault({"in", "--nothing"}),
          program().fault({"in", "--mode", "other"}), program().fault({"in", "--rounds", "10"}),
          program().fault({"in", "--rounds", "0"}), program().fault({"in", "--workers", "5"}),
          program().fault({"in", "--source", "-1"}), program().fault({"in", "--rounds", "x"}),
          program().fault({"in", "--mode", "a\nb"}), program().fault({"in", "--mode"})}) {
        EXPECT_NE(line, "");
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST(command_line, help_lists_all_but_what_is_hidden) {
    program p;
    const std::optional<instead> help = p.read({"--help"});
    ASSERT_TRUE(help);
    EXPECT_FALSE(help->is_fault);
    for (const char *part :
         {"Does nothing.", "program", "FILE", "REQUIRED", "--mode M:{plain,placed}",
          "--rounds INT:INT in [1 - 9]=5", "--check", "The end."})
        EXPECT_NE(help->text.find(part), std::string::npos) << part << " in\n" << help->text;
    EXPECT_EQ(help->text.find("--secret"), std::string::npos);
}

TEST(command_line, version_is_a_line) {
    program p;
    const std::optional<instead> version = p.read({"--version"});
    ASSERT_TRUE(version);
    EXPECT_FALSE(version->is_fault);
    EXPECT_EQ(version->text, "program 1.2\n");
}

} // namespace

} // namespace saguaro::cli
