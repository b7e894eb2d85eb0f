// SPDX-License-Identifier: MIT
// Passing on the ranks' output line by line: lines of several ranks never mix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace saguaro::detmpiexec {

class rank_stream;

// One of the launcher's own streams. Its reader may be slow: text that it does not take yet is
// kept, and the launcher never waits for it.
//
// A part of a line opens the line: until it ends, other ranks' streams wait. If the line's own
// stream is silent meanwhile, the launcher ends the line in its place.
class launcher_stream {
public:
    explicit launcher_stream(int to);

    int to() const { return to_; }
    // A file has no reader who waits for a part of a line.
    bool is_file() const { return is_file_; }

    // Text of a rank's stream that `may_put`; or of the launcher's own, which is null.
    void put(const rank_stream *from, std::string_view tag, std::string_view text);
    bool may_put(const rank_stream *from) const {
        return line_of_ == nullptr || line_of_ == from || has_ended_;
    }
    bool is_in_line_of(const rank_stream *from) const { return line_of_ == from; }
    // The stream will put nothing more.
    void ended(const rank_stream *from) { has_ended_ = has_ended_ || line_of_ == from; }

    // When the open line shall be ended for others that wait, as platform::now_ns() counts.
    std::int64_t breaks_at() const { return last_put_ + silence; }
    void break_line();

    // Writes what is taken at once. After an error, drops everything.
    void flush();
    int error() const { return error_; } // errno's; EPIPE: the reader is gone

    bool is_empty() const { return pending_.empty(); }
    // Ranks shall wait with more.
    bool is_full() const { return pending_.size() - done_ > most_kept; }

private:
    static constexpr std::size_t most_kept = std::size_t{1} << 20;
    static constexpr std::int64_t silence = 1'000'000'000; // ns

    ssize_t write_some(std::string_view text);

    int to_;
    bool is_file_ = false;
    bool knows_nowait_ = true; // the system does, for this stream
    int error_ = 0;
    std::string pending_;
    std::size_t done_ = 0;                 // of these
    const rank_stream *line_of_ = nullptr; // whose line is open
    bool has_ended_ = false;               // that stream
    std::int64_t last_put_ = 0;            // of that line
};

// One stream of one rank: the reading end of a pipe.
class rank_stream {
public:
    // Lines go to `to`, each after `tag`.
    rank_stream(int from, launcher_stream &to, std::string tag)
        : from_(from), to_(to), tag_(std::move(tag)) {}

    int from() const { return from_; } // -1: it has ended
    launcher_stream &to() const { return to_; }

    // Takes some of what is there, without waiting, and passes on whole lines. At the end also what
    // is left of a line. False if there was nothing.
    bool pass_on();

    // Takes the text that a rank left when it ended. Its children may write without end.
    void take_rest();

    // Nothing will come any more.
    void end();

    // Passes on what had to wait for another stream's line.
    void put_lines();
    // Has whole lines that wait for another stream's.
    bool waits() const { return lines_ > 0; }
    // The rank shall wait with more.
    bool is_full() const { return pending_.size() > most_kept; }

    // When the part of a line that is there shall be shown, since the rank may wait for an answer;
    // or never.
    std::int64_t shows_at() const;
    void show();

private:
    static constexpr std::size_t most_kept = std::size_t{1} << 20;
    static constexpr std::size_t longest_line = std::size_t{1} << 16; // that is kept to be whole
    static constexpr std::int64_t patience = 50'000'000;              // ns

    void put(std::string_view text);

    int from_;
    launcher_stream &to_;
    std::string tag_;
    std::string pending_;
    std::size_t lines_ = 0;      // bytes of `pending_` that may be passed on
    std::int64_t last_read_ = 0; // when the last of them came
};

} // namespace saguaro::detmpiexec
