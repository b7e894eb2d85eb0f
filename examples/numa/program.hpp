// SPDX-License-Identifier: MIT
// Common parts of this folder's programs: the command line, the rounds, the report.
#pragma once

#include "memory.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::numa_examples {

/// A problem to solve, with its data where one variant wants them.
class problem {
public:
    virtual ~problem() = default;

    /// The data as they are before each solution. Not timed.
    virtual void reset() = 0;

    /// In parallel on the runtime's workers, or on the calling thread alone.
    virtual void solve(bool parallel) = 0;

    /// What is wrong with the solution, in a sentence; empty: nothing.
    virtual std::string difference() = 0;

    /// A line of the report, such as {"matrix", "100 x 100"}.
    using line = std::pair<std::string, std::string>;
    virtual std::vector<line> describe() = 0;

    /// The data, of which the report says on which nodes they are.
    virtual std::vector<const data_array *> data() = 0;
};

struct arguments {
    std::string input;    // how the program's argument was given; its default otherwise
    unsigned long n = 0;  // the argument, where it is a number
    unsigned workers = 0; // 0: what the runtime chooses
    int repeat = 3;
    bool check = false;
    std::string json;
    std::vector<variant> variants;
};

/// A program of this folder.
struct program {
    std::string name;
    std::string meaning;
    std::string argument = "N"; // its name in the usage
    std::string argument_meaning;
    std::string otherwise = "";        // its default
    unsigned long least = 0, most = 0; // accepted numbers; 0 and 0: the argument is no number
    std::function<std::unique_ptr<problem>(const arguments &, variant)> make = {};
};

/// All of main(): the exit code.
int run_program(const program &what, int argc, char **argv);

} // namespace saguaro::numa_examples
