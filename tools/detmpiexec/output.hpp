// SPDX-License-Identifier: MIT
// What ranks write, line by line: lines of several ranks never mix.
#pragma once

#include <string>

namespace saguaro::detmpiexec {

// One stream of one rank: the reading end of a pipe.
class output {
public:
    // Lines go to the descriptor `to`, behind `tag`.
    output(int from, int to, std::string tag) : from_(from), to_(to), tag_(std::move(tag)) {}

    int from() const { return from_; } // -1: it has ended

    // Takes what is there, without waiting, and passes on whole lines. At the end also what is
    // left of a line.
    void pass_on();

    // Nothing will come any more.
    void end();

private:
    void write_lines(bool all);

    int from_;
    int to_;
    std::string tag_;
    std::string pending_;
};

} // namespace saguaro::detmpiexec
