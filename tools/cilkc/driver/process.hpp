// SPDX-License-Identifier: MIT
// Programs that the driver runs, one after another, and the private directory for what they hand to
// each other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::driver {

// From its construction on, signals that end a program wait until the driver has tidied up: it ends
// then, of that signal. One object, made before anything else.
class orderly_end {
public:
    orderly_end();
    orderly_end(const orderly_end &) = delete;
    orderly_end &operator=(const orderly_end &) = delete;
    ~orderly_end();

    // The private directory, made when it is asked for, readable by this user only; the end of the
    // object removes it. Throws std::system_error if it cannot be made.
    [[nodiscard]] const std::filesystem::path &directory();

private:
    std::filesystem::path directory_;
};

// Where a program's standard streams come from and go to; empty: the driver's own.
struct redirections {
    std::filesystem::path input;
    std::filesystem::path errors;
};

// Ended by a signal that the driver got: everything unwinds, then orderly_end raises it again.
struct interrupted {};

// Runs a program to its end; returns its exit code, or 1 after a line on stderr if a signal ended
// it. Throws std::runtime_error if it cannot be started, and `interrupted`.
[[nodiscard]] int run(const std::vector<std::string> &command, const redirections &streams = {});

// A command as a shell would take it.
[[nodiscard]] std::string quoted(const std::vector<std::string> &command);

} // namespace saguaro::driver
