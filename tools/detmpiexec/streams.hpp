// SPDX-License-Identifier: MIT
// Passing on the ranks' output line by line: lines of several ranks never mix.
#pragma once

#include <string>
#include <string_view>

namespace saguaro::detmpiexec {

// One of the launcher's own streams. Its reader may be slow: text that it does not take yet is
// kept, and the launcher never waits for it.
class launcher_stream {
public:
    explicit launcher_stream(int to);

    int to() const { return to_; }
    void put(std::string_view what) { pending_ += what; }

    // Writes what is taken at once. When the reader is gone, drops everything.
    void flush();

    bool is_empty() const { return pending_.empty(); }
    // Ranks shall wait with more.
    bool is_full() const { return pending_.size() - done_ > most_kept; }

private:
    static constexpr std::size_t most_kept = std::size_t{1} << 20;

    int to_;
    bool is_file_ = false;
    std::string pending_;
    std::size_t done_ = 0; // of these
};

// One stream of one rank: the reading end of a pipe.
class rank_stream {
public:
    // Lines go to `to`, each after `tag`.
    rank_stream(int from, launcher_stream &to, std::string tag)
        : from_(from), to_(to), tag_(std::move(tag)) {}

    int from() const { return from_; } // -1: it has ended

    // Takes some of what is there, without waiting, and passes on whole lines. At the end also what
    // is left of a line. False if there was nothing.
    bool pass_on();

    // Takes the text that a rank left when it ended. Its children may write without end.
    void take_rest();

    // Nothing will come any more.
    void end();

private:
    void put_lines(bool all);

    int from_;
    launcher_stream &to_;
    std::string tag_;
    std::string pending_;
};

} // namespace saguaro::detmpiexec
