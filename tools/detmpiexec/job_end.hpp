// SPDX-License-Identifier: MIT
// How a job ends: the exit code, the line that names the cause, and when all ranks are killed.
#pragma once

#include "job_output.hpp"
#include "rank_processes.hpp"
#include "signals.hpp"
#include "transport_thread.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace saguaro::detmpiexec {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// The first cause counts: it sets the exit code and has the only line, since most other ranks end
// because of it.
class job_end {
public:
    // `hosts` points to null if there is one machine, or until the transport starts.
    job_end(spmc::job &all, mpi::world &world, rank_processes &ranks, job_output &output,
            const std::unique_ptr<transport_thread> &hosts)
        : all_(all), world_(world), ranks_(ranks), output_(output), hosts_(hosts) {}

    // From now on the job has so many seconds.
    void set_timeout(int seconds);

    // The process of a rank has ended.
    void rank_ended(std::size_t rank);

    // Ends the job with this exit code, after a line that says why.
    void fail(int code, const std::string &why);

    // Call it after writing. If the reader of the output is gone, the job ends as by SIGPIPE; if
    // output is lost, the ranks go on, but the job has failed.
    void output_written();

    // Ends this machine's ranks if another host has failed.
    void follow_other_hosts();
    // If no rank of this machine has failed, the exit code is that of another host, which has
    // named it.
    void take_code_elsewhere();

    // Passes the signals that have come on to the ranks, and obeys them.
    void handle_signals();

    // When `act` has something to do, as platform::now_ns() counts.
    std::int64_t due() const;
    void act(std::int64_t now);

    int exit_code() const {
        return exit_code_ == 0 && output_.is_lost() ? output_lost : exit_code_;
    }
    bool is_ending() const { return is_ending_; } // all ranks have been killed
    bool fails() const { return fails_; }         // so they are, or will be: elsewhere as well

private:
    static constexpr int output_lost = 1;

    void kill_all();
    void name_cause(std::size_t rank, int status, bool is_aborted);
    void handle(const arrived_signal &s);

    spmc::job &all_;
    mpi::world &world_;
    rank_processes &ranks_;
    job_output &output_;
    const std::unique_ptr<transport_thread> &hosts_;
    int exit_code_ = 0;
    bool was_asked_to_end_ = false; // by a signal
    bool is_ending_ = false;
    bool fails_ = false;
    int timeout_ = 0; // seconds
    std::int64_t times_out_at_ = never;
    std::int64_t kill_at_ = never;
};

} // namespace saguaro::detmpiexec
