// SPDX-License-Identifier: MIT
// A program's command line: what it accepts, its --help, and what is wrong with the words that are
// given.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace saguaro::cli {

/// Further rules of an option that has been added. It lives as long as its command_line, and each
/// function returns it again.
class option {
public:
    explicit option(CLI::Option *of) : of_(of) {}

    option &required();
    /// --help does not list it.
    option &hidden();
    /// For a vector: one value each time that the option stands there, so that no other word is
    /// taken.
    option &one_at_a_time();
    /// --help shows what the variable holds now.
    option &shows_default();
    /// What --help writes for the value.
    option &placeholder(const std::string &name);
    /// No other values are accepted.
    option &among(const std::vector<std::string> &accepted);
    /// Numbers from `least` to `most` are accepted. The type is the variable's.
    option &between(int least, int most);
    option &between(unsigned least, unsigned most);
    option &between(std::uint64_t least, std::uint64_t most);

private:
    CLI::Option *of_;
};

/// What a program does instead of its work: it prints a text on standard output and is done, or it
/// complains in one line.
struct instead {
    bool is_fault;
    std::string text; // of a fault without the program's name and without an end of line
};

/// The header of CLI11, which reads the words, takes five seconds to compile: only the source of
/// this class includes it. Names that start with '-' are options, others are positions. The
/// variables are written by read(), and only where the word is given.
class command_line {
public:
    command_line(const std::string &program, const std::string &meaning);
    ~command_line();
    command_line(const command_line &) = delete;
    command_line &operator=(const command_line &) = delete;

    option add(const std::string &name, std::string &to, const std::string &meaning);
    option add(const std::string &name, std::optional<std::string> &to, const std::string &meaning);
    option add(const std::string &name, std::vector<std::string> &to, const std::string &meaning);
    option add(const std::string &name, int &to, const std::string &meaning);
    option add(const std::string &name, unsigned &to, const std::string &meaning);
    option add(const std::string &name, std::uint64_t &to, const std::string &meaning);
    void add_flag(const std::string &name, bool &to, const std::string &meaning);
    /// --version, which prints this line.
    void add_version(const std::string &line);
    /// What --help ends with.
    void end_help_with(const std::string &text);

    /// Reads main's arguments; nothing if the program can begin.
    std::optional<instead> read(int argc, char **argv);

private:
    std::unique_ptr<CLI::App> app_;
};

} // namespace saguaro::cli
