// SPDX-License-Identifier: MIT
// The output of all ranks of this machine, on its way to the launcher's own streams.
#pragma once

#include "event_set.hpp"
#include "streams.hpp"

#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace saguaro::detmpiexec {

// Invariant: while one of the launcher's streams has too much to write, `of_job` does not tell of
// the ranks' streams, so that their pipes fill and the ranks wait. So does a rank that has written
// too much while another one's line is open.
class job_output {
public:
    // `of_job` tells of source::rank_streams and source::room. With tags each line starts with its
    // rank.
    job_output(event_set &of_job, bool tags_lines);

    // The calling process's standard output and error become pipes, for a rank that begins now.
    // Ranks have the indices 0, 1 ... in the order of these calls.
    void redirect(std::size_t rank);

    // A line of the launcher's own.
    void say(const std::string &line);

    // Takes some of the text that ranks have written.
    void take_written();
    // Takes the text that a rank left in its pipes when it ended.
    void take_rest(std::size_t index);
    // Passes on what is due, and writes as much as the launcher's streams take now.
    void flush();
    // When `flush` has something to do, as platform::now_ns() counts; or never.
    std::int64_t due() const;
    // Something could not be written, and will never be.
    bool is_lost() const { return own_[0].error() != 0 || own_[1].error() != 0; }
    bool reader_is_gone() const { return own_[0].error() == EPIPE || own_[1].error() == EPIPE; }
    // Writes all, when no rank lives any more; calls `while_waiting` again and again until a slow
    // reader has taken it.
    void finish(const std::function<void()> &while_waiting);

private:
    struct rank_streams {
        std::unique_ptr<rank_stream> of[2];
        bool is_held[2] = {false, false};
    };

    std::unique_ptr<rank_stream> redirect(int stream, launcher_stream &to, const std::string &tag);
    void flush(launcher_stream &which);
    void settle();
    void say_errors();
    void hold_ranks(bool holds);
    void hold(std::size_t index, int stream, bool holds);

    event_set &of_job_;
    event_set of_ranks_;
    bool tags_lines_;
    launcher_stream own_[2];  // the launcher's standard output and error
    launcher_stream &errors_; // the latter: the first, if both are one
    std::vector<rank_streams> ranks_;
    bool holds_ = false;
    bool waits_for_room_[2] = {false, false};
    bool has_said_[2] = {false, false}; // that something is lost
};

} // namespace saguaro::detmpiexec
