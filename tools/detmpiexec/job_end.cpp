// SPDX-License-Identifier: MIT
// Ends of ranks, signals, the time limit, and failures of other hosts: their effects on the job.
#include "job_end.hpp"

#include "platform/clock.hpp"
#include "spmc/ends.hpp"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

constexpr std::int64_t second = 1'000'000'000; // ns

// Of a job that MPI_Abort ends with code 0: it has its cause, and an exit code of 8 bits is 0.
constexpr int aborted_well = 256;

// The exit code when -timeout ends the job, as that of timeout(1).
constexpr int timed_out = 124;

} // namespace

void job_end::set_timeout(int seconds) {
    timeout_ = seconds;
    times_out_at_ = platform::now_ns() + seconds * second;
}

void job_end::rank_ended(std::size_t rank) {
    if (!ranks_.of(rank).lives)
        return;
    const int status = ranks_.wait_for_end(rank);
    output_.take_rest(ranks_.index_of(rank));
    mpi::rank_record &record = world_.rank(static_cast<std::uint32_t>(rank));
    // Relaxed: the end of the process was seen.
    const std::uint32_t life = record.life.load(std::memory_order_relaxed);
    const bool has_finalized = life == mpi::life::finished;
    const bool is_aborted = life == mpi::life::aborted;
    if (status == 0 && life != mpi::life::inside && !is_aborted) {
        // A program that never called MPI_Init sends nothing any more either.
        record.life.store(mpi::life::finished, std::memory_order_relaxed);
        record.bound.store(mpi::forever, std::memory_order_release);
        return;
    }
    if (exit_code_ == 0)
        name_cause(rank, status, is_aborted);
    // The others may wait for it for ever, unless all that it sends has been sent: whether it
    // was inside or failed before it came so far.
    if (has_finalized && !WIFSIGNALED(status))
        return;
    fails_ = true;
    // Those that were asked to end may have to put something in order.
    if (was_asked_to_end_)
        kill_at_ = std::min(kill_at_, platform::now_ns() + second);
    else
        kill_all();
}

void job_end::name_cause(std::size_t rank, int status, bool is_aborted) {
    exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                 : status != 0       ? WEXITSTATUS(status)
                 : is_aborted        ? aborted_well
                                     : 1;
    if (hosts_ && was_asked_to_end_)
        return; // by mpiexec, because of another host or of the user
    const rank_process &which = ranks_.of(rank);
    char cause[spmc::cause_bytes];
    char host[256] = "?";
    gethostname(host, sizeof(host) - 1);
    output_.say("rank " + std::to_string(rank) + " on " + host + ", " + which.what.command.front() +
                ": " +
                (status != 0  ? spmc::cause_of(all_, which.space, cause)
                 : is_aborted ? "MPI_Abort with code 0"
                              : "it has ended without MPI_Finalize"));
}

void job_end::fail(int code, const std::string &why) {
    output_.say(why);
    exit_code_ = code;
    kill_all();
}

void job_end::output_written() {
    if (is_ending_ || !output_.reader_is_gone())
        return;
    if (exit_code_ == 0)
        exit_code_ = 128 + SIGPIPE;
    kill_all();
}

void job_end::kill_all() {
    is_ending_ = true;
    fails_ = true;
    kill_at_ = never;
    ranks_.send(SIGKILL);
    if (hosts_ && was_asked_to_end_)
        _exit(exit_code_ != 0 ? exit_code_ : 1); // its ranks end with it
}

void job_end::follow_other_hosts() {
    if (!hosts_ || !hosts_->fails_elsewhere() || fails_)
        return;
    take_code_elsewhere();
    kill_all();
}

void job_end::take_code_elsewhere() {
    if (hosts_ && exit_code_ == 0)
        exit_code_ = hosts_->code_elsewhere();
}

void job_end::handle_signals() {
    for (arrived_signal s; next_signal(s);)
        handle(s);
}

void job_end::handle(const arrived_signal &s) {
    const bool asks_to_end =
        s.number == SIGINT || s.number == SIGTERM || s.number == SIGHUP || s.number == SIGQUIT;
    if (asks_to_end && was_asked_to_end_) {
        exit_code_ = 128 + s.number;
        kill_all();
        if (ranks_.living() == 0)
            _exit(exit_code_); // no reader takes the rest of the output
        return;
    }
    was_asked_to_end_ = was_asked_to_end_ || asks_to_end;
    // Another host may never answer.
    if (asks_to_end && hosts_) {
        kill_at_ = platform::now_ns() + second;
        hosts_->expect_end(128 + s.number);
    }
    // SIGTSTP itself would stop no rank of a group of processes that has no shell.
    if (!s.is_known_to_ranks)
        ranks_.send(s.number == SIGTSTP ? SIGSTOP : s.number);
    if (s.number == SIGTSTP)
        raise(SIGSTOP);
}

std::int64_t job_end::due() const {
    return std::min(times_out_at_, kill_at_);
}

void job_end::act(std::int64_t now) {
    if (now >= kill_at_)
        kill_all();
    if (now >= times_out_at_) {
        times_out_at_ = never;
        fail(timed_out,
             "the job has run for " + std::to_string(timeout_) + " seconds, and has no more time");
    }
}

} // namespace saguaro::detmpiexec
