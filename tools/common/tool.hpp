// SPDX-License-Identifier: MIT
// The frame of tools that read a command line and print one text.
#pragma once

#include "platform/one_line.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>

namespace saguaro::tools {

// Input that is not accepted. what() is one line, whatever users have given: where, what, and what
// is accepted.
class bad_input : public std::runtime_error {
public:
    explicit bad_input(const std::string &line) : std::runtime_error(platform::one_line(line)) {}
};

// Writes all of the text to standard output. The exit code: 0, or 1 with a line that says why it
// cannot be written.
inline int print(const std::string &tool, const std::string &text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return 0;
    std::perror((tool + ": standard output").c_str());
    return 1;
}

} // namespace saguaro::tools
