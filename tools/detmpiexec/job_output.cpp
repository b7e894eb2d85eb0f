// SPDX-License-Identifier: MIT
// Pipes from the ranks, the descriptors that they make readable, and holding back fast writers.
#include "job_output.hpp"

#include "platform/clock.hpp"
#include "programs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

// Lines of both streams go to one place, where they must not mix.
bool are_one() {
    struct stat out;
    struct stat err;
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
           out.st_dev == err.st_dev && out.st_ino == err.st_ino && out.st_rdev == err.st_rdev;
}

} // namespace

job_output::job_output(event_set &of_job, bool tags_lines)
    : of_job_(of_job), tags_lines_(tags_lines),
      own_{launcher_stream(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
           launcher_stream(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3))},
      errors_(own_[are_one() ? 0 : 1]) {
    of_job_.add(of_ranks_.descriptor(), source::rank_streams);
}

void job_output::redirect(std::size_t rank) {
    const std::string tag = tags_lines_ ? "[" + std::to_string(rank) + "] " : "";
    const std::size_t index = ranks_.size();
    rank_streams &streams = ranks_.emplace_back();
    streams.of[0] = redirect(STDOUT_FILENO, own_[0], tag);
    streams.of[1] = redirect(STDERR_FILENO, errors_, tag);
    of_ranks_.add(streams.of[0]->from(), source::standard_output, index);
    of_ranks_.add(streams.of[1]->from(), source::standard_error, index);
}

// A pipe, whose writing end becomes that stream of the program that starts next.
std::unique_ptr<rank_stream> job_output::redirect(int stream, launcher_stream &to,
                                                  const std::string &tag) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        give_up("the system refuses a pipe", errno);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    dup2(ends[1], stream);
    close(ends[1]);
    return std::make_unique<rank_stream>(ends[0], to, tag);
}

void job_output::say(const std::string &line) {
    errors_.put(nullptr, "", "detmpiexec: " + line + "\n");
    flush(errors_);
}

void job_output::take_written() {
    for (const event &each : of_ranks_.wait(0)) {
        const int stream = each.kind == source::standard_output ? 0 : 1;
        rank_stream &from = *ranks_[each.index].of[stream];
        from.pass_on();
        hold(each.index, stream, from.is_full());
    }
}

void job_output::hold(std::size_t index, int stream, bool holds) {
    rank_streams &of = ranks_[index];
    const int from = of.of[stream]->from();
    if (holds == of.is_held[stream] || from < 0)
        return;
    of.is_held[stream] = holds;
    if (holds)
        of_ranks_.remove(from);
    else
        of_ranks_.add(from, stream == 0 ? source::standard_output : source::standard_error, index);
}

void job_output::take_rest(std::size_t index) {
    for (auto &stream : ranks_[index].of)
        stream->take_rest();
}

void job_output::flush() {
    settle();
    for (launcher_stream &each : own_)
        flush(each);
    say_errors();
    hold_ranks(own_[0].is_full() || own_[1].is_full());
}

// Shows parts of lines whose time has come, and lets those go on that waited for a line.
void job_output::settle() {
    const std::int64_t now = platform::now_ns();
    for (std::size_t i = 0; i < ranks_.size(); ++i)
        for (int stream = 0; stream < 2; ++stream) {
            rank_stream &from = *ranks_[i].of[stream];
            if (from.waits() && !from.to().may_put(&from) && now >= from.to().breaks_at())
                from.to().break_line();
            if (from.waits())
                from.put_lines();
            if (now >= from.shows_at())
                from.show();
            hold(i, stream, from.is_full());
        }
}

std::int64_t job_output::due() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const rank_streams &each : ranks_)
        for (const auto &from : each.of) {
            first = std::min(first, from->shows_at());
            if (from->waits())
                first =
                    std::min(first, from->to().may_put(from.get()) ? 0 : from->to().breaks_at());
        }
    return first;
}

void job_output::say_errors() {
    for (int i = 0; i < 2; ++i) {
        if (own_[i].error() == 0 || own_[i].error() == EPIPE || has_said_[i])
            continue;
        has_said_[i] = true;
        say(std::string(i == 0 ? "the standard output" : "the standard error") +
            " cannot be written, and the rest of it is lost: " + std::strerror(own_[i].error()));
    }
}

// Writes as much as the reader takes now, and waits for room if that is not all.
void job_output::flush(launcher_stream &which) {
    which.flush();
    const std::size_t index = &which == &own_[0] ? 0 : 1;
    if (which.is_empty() == !waits_for_room_[index])
        return;
    waits_for_room_[index] = !which.is_empty();
    if (waits_for_room_[index])
        of_job_.add(which.to(), source::room, index, EPOLLOUT);
    else
        of_job_.remove(which.to());
}

void job_output::hold_ranks(bool holds) {
    if (holds == holds_)
        return;
    holds_ = holds;
    if (holds)
        of_job_.remove(of_ranks_.descriptor());
    else
        of_job_.add(of_ranks_.descriptor(), source::rank_streams);
}

void job_output::finish(const std::function<void()> &while_waiting) {
    for (rank_streams &each : ranks_)
        for (auto &stream : each.of)
            stream->end(); // a child of the rank's may have it still
    // Now no line is open but those of streams that have ended.
    settle();
    for (launcher_stream &each : own_)
        while (flush(each), !each.is_empty()) {
            pollfd room{each.to(), POLLOUT, 0};
            poll(&room, 1, -1);
            while_waiting();
        }
    say_errors();
}

} // namespace saguaro::detmpiexec
