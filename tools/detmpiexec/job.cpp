// SPDX-License-Identifier: MIT
#include "job.hpp"

#include "detmpi/core/process.hpp"
#include "detmpi/core/world.hpp"
#include "output.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/spaces.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace saguaro::detmpiexec {

namespace {

[[noreturn]] void give_up(const std::string &what, int why) {
    std::fprintf(stderr, "detmpiexec: %s: %s\n", what.c_str(), std::strerror(why));
    _exit(1); // its ranks end with it
}

// The file that execvp would run. Empty if there is none.
std::string find_program(const std::string &name) {
    if (name.find('/') != std::string::npos)
        return name;
    const char *const path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const std::string folder = end == at ? "." : folders.substr(at, end - at);
        std::string file = folder + "/" + name;
        if (access(file.c_str(), X_OK) == 0)
            return file;
        at = end + 1;
    }
    return {};
}

// The launcher's own streams, which the ranks' take the place of while they begin.
class own_streams {
public:
    own_streams() {
        for (int stream = 0; stream < 3; ++stream)
            kept_[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 3);
    }
    ~own_streams() {
        for (int stream = 0; stream < 3; ++stream)
            if (kept_[stream] >= 0) {
                dup2(kept_[stream], stream);
                close(kept_[stream]);
            }
    }
    own_streams(const own_streams &) = delete;
    own_streams &operator=(const own_streams &) = delete;

private:
    int kept_[3];
};

// A part's variables, while its ranks begin.
class changed_environment {
public:
    using variables = std::vector<std::pair<std::string, std::string>>;

    explicit changed_environment(const variables &wanted) {
        for (const auto &[name, value] : wanted) {
            const char *const old = std::getenv(name.c_str());
            former_.emplace_back(name,
                                 old != nullptr ? std::optional<std::string>(old) : std::nullopt);
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ~changed_environment() {
        for (auto at = former_.rbegin(); at != former_.rend(); ++at)
            if (at->second)
                setenv(at->first.c_str(), at->second->c_str(), 1);
            else
                unsetenv(at->first.c_str());
    }
    changed_environment(const changed_environment &) = delete;
    changed_environment &operator=(const changed_environment &) = delete;

private:
    std::vector<std::pair<std::string, std::optional<std::string>>> former_;
};

struct member {
    std::string program;
    spmc::slot space = 0;
    int pidfd = -1; // readable when it has ended; -1: its end was seen
    std::unique_ptr<output> streams[2];
};

class running_job {
public:
    explicit running_job(const options &what)
        : all_(spmc::job::mine()), world_(all_, detmpi::world::make(all_, count(what))),
          tags_lines_(what.tags_lines) {
        for (const part &p : what.parts)
            for (int i = 0; i < p.ranks; ++i)
                begin(p);
    }

    int run() {
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (members_[i].pidfd < 0)
                ended(i);
        while (lives_ > 0)
            wait_for_something();
        for (member &m : members_)
            for (auto &stream : m.streams) {
                stream->pass_on();
                stream->end(); // a child of the rank's may have it still
            }
        return exit_code_;
    }

private:
    static std::uint32_t count(const options &what) {
        std::uint32_t ranks = 0;
        for (const part &p : what.parts)
            ranks += static_cast<std::uint32_t>(p.ranks);
        return ranks;
    }

    // A pipe, whose writing end becomes that stream of what begins now.
    std::unique_ptr<output> redirect(int stream, int to, const std::string &tag) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            give_up("the system refuses a pipe", errno);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        dup2(ends[1], stream);
        close(ends[1]);
        return std::make_unique<output>(ends[0], to, tag);
    }

    void begin(const part &p) {
        const auto rank = members_.size();
        member &m = members_.emplace_back();
        m.program = p.command.front();
        const std::string file = find_program(m.program);
        if (file.empty())
            give_up(m.program, ENOENT);
        std::vector<char *> arguments;
        for (const std::string &word : p.command)
            arguments.push_back(const_cast<char *>(word.c_str()));
        arguments.push_back(nullptr);
        const changed_environment changed(p.environment);
        const std::string told = std::to_string(world_.where()) + "," + std::to_string(rank);
        setenv(detmpi::rank_variable, told.c_str(), 1);
        const int refused = begin_program(m, file, arguments, rank);
        if (refused != 0)
            give_up(m.program, refused);
        const auto pid = all_.space_in(m.space).pid.load(std::memory_order_relaxed);
        // None if it has ended already.
        m.pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
        ++lives_;
    }

    int begin_program(member &m, const std::string &file, std::vector<char *> &arguments,
                      std::size_t rank) {
        const std::string tag = tags_lines_ ? "[" + std::to_string(rank) + "] " : "";
        const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        const int err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        const own_streams kept;
        m.streams[0] = redirect(STDOUT_FILENO, out, tag);
        m.streams[1] = redirect(STDERR_FILENO, err, tag);
        if (rank != 0) {
            const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
            dup2(nothing, STDIN_FILENO);
            close(nothing);
        }
        return spmc::begin_program(file.c_str(), arguments.data(), m.space);
    }

    void wait_for_something() {
        std::vector<pollfd> events;
        for (member &m : members_) {
            events.push_back({m.pidfd, POLLIN, 0});
            for (auto &stream : m.streams)
                events.push_back({stream->from(), POLLIN, 0});
        }
        if (poll(events.data(), events.size(), -1) < 0 && errno != EINTR)
            give_up("the system refuses to wait", errno);
        for (std::size_t i = 0; i < members_.size(); ++i) {
            for (std::size_t s = 0; s < 2; ++s)
                if (events[3 * i + 1 + s].revents != 0)
                    members_[i].streams[s]->pass_on();
            if (events[3 * i].revents != 0)
                ended(i);
        }
    }

    void ended(std::size_t rank) {
        member &m = members_[rank];
        spmc::wait_for_end(m.space);
        if (m.pidfd >= 0)
            close(m.pidfd);
        m.pidfd = -1;
        --lives_;
        for (auto &stream : m.streams)
            stream->pass_on();
        detmpi::rank_record &record = world_.rank(static_cast<std::uint32_t>(rank));
        const int status = spmc::status_of(all_, m.space);
        // Relaxed: the end of the process was seen.
        const std::uint32_t life = record.life.load(std::memory_order_relaxed);
        const bool has_finalized = life == detmpi::life::finished;
        if (status == 0 && life != detmpi::life::inside) {
            // A program that never called MPI_Init sends nothing any more either.
            record.life.store(detmpi::life::finished, std::memory_order_relaxed);
            record.bound.store(detmpi::forever, std::memory_order_release);
            return;
        }
        // Only the first is named: most others are ended with it.
        if (exit_code_ == 0)
            name_cause(m, rank, status);
        // The others may wait for it for ever, unless all that it sends has been sent: whether it
        // was inside or failed before it came so far.
        if (!has_finalized || WIFSIGNALED(status))
            end_all();
    }

    void name_cause(const member &m, std::size_t rank, int status) {
        exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                     : status != 0       ? WEXITSTATUS(status)
                                         : 1;
        char cause[spmc::cause_bytes];
        char host[256] = "?";
        gethostname(host, sizeof(host) - 1);
        std::fprintf(stderr, "detmpiexec: rank %zu on %s, %s: %s\n", rank, host, m.program.c_str(),
                     status == 0 ? "it has ended without MPI_Finalize"
                                 : spmc::cause_of(all_, m.space, cause));
    }

    void end_all() {
        for (const member &m : members_)
            if (m.pidfd >= 0)
                syscall(SYS_pidfd_send_signal, m.pidfd, SIGKILL, nullptr, 0);
    }

    spmc::job &all_;
    detmpi::world world_;
    bool tags_lines_;
    std::vector<member> members_;
    int lives_ = 0;
    int exit_code_ = 0;
};

} // namespace

int run(const options &what) {
    return running_job(what).run();
}

} // namespace saguaro::detmpiexec
