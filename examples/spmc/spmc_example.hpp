// SPDX-License-Identifier: MIT
// The command line of this folder's programs.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace example {

/// Ends the program with one line and exit code 2.
[[noreturn]] inline void refuse(const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
}

/// Ends the program with a line if there are more than `most` words after its name.
inline void at_most(int argc, int most, const char *usage) {
    if (argc - 1 > most)
        refuse(std::string("usage: ") + usage);
}

/// The whole number that word `index` of the command line says, or `otherwise` if there is none.
inline int number(int argc, char **argv, int index, const char *name, int otherwise, int least,
                  int most) {
    if (index >= argc)
        return otherwise;
    const std::string text = argv[index];
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        refuse(std::string(name) + " '" + text + "': accepted is a whole number from " +
               std::to_string(least) + " to " + std::to_string(most));
    return value;
}

} // namespace example
