// SPDX-License-Identifier: MIT
// The command line and the clock of this folder's programs.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <saguaro/saguaro.hpp>
#include <string>
#include <vector>

namespace example {

/// Ends the program with one line and exit code 2.
[[noreturn]] inline void refuse(const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
}

/// A command line: words, and `--serial`, which asks for plain loops on the calling thread.
struct arguments {
    bool serial = false;
    std::vector<std::string> words;

    arguments(int argc, char **argv, const std::string &usage, std::size_t least,
              std::size_t most) {
        for (int i = 1; i < argc; ++i)
            if (std::strcmp(argv[i], "--serial") == 0)
                serial = true;
            else
                words.push_back(argv[i]);
        const bool is_option = !words.empty() && words.front().starts_with("--");
        if (words.size() < least || words.size() > most || is_option)
            refuse("usage: " + usage);
    }

    /// The whole number that the word with this index says, or `otherwise` if there is none.
    unsigned number(std::size_t index, const char *name, unsigned otherwise, unsigned least,
                    unsigned most) const {
        if (index >= words.size())
            return otherwise;
        const std::string &text = words[index];
        unsigned value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value < least ||
            value > most)
            refuse(std::string(name) + " '" + text + "': accepted is a whole number from " +
                   std::to_string(least) + " to " + std::to_string(most));
        return value;
    }
};

/// Prints, on standard error, how long `work` took and on how many workers.
template <class Work>
void timed(bool serial, Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "%.3f seconds, %s\n", taken.count(),
                 serial ? "serial" : (std::to_string(saguaro::workers()) + " worker(s)").c_str());
}

} // namespace example
