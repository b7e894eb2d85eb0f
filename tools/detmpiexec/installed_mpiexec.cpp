// SPDX-License-Identifier: MIT
// Filtering an installed mpiexec's own lines out of a job's output, and ending it.
#include "installed_mpiexec.hpp"

#include "platform/clock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

// No program writes this by chance.
constexpr std::string_view end_mark = "\001detmpiexec ends with ";

// The time that mpiexec may take after the end of the job, or after a signal.
constexpr std::int64_t most_after_end = 2'000'000'000; // ns

volatile pid_t mpiexec = 0;          // its process
volatile sig_atomic_t handed_on = 0; // the last signal

void hand_on(int signal) {
    handed_on = signal;
    if (mpiexec != 0)
        kill(mpiexec, signal);
}

// Then mpiexec may wait for a host that it cannot reach any more.
bool is_asked_to_end() {
    return handed_on == SIGINT || handed_on == SIGTERM || handed_on == SIGHUP ||
           handed_on == SIGQUIT;
}

bool begins_with(std::string_view line, std::string_view what) {
    return line.substr(0, what.size()) == what;
}

// Takes mpiexec's lines out of the others.
class filter {
public:
    void take(std::string_view text) {
        for (const char each : text) {
            line_ += each;
            if (each == '\n')
                end_line();
        }
    }
    void end() {
        if (!line_.empty())
            end_line();
    }

    bool has_ended() const { return has_ended_; }
    int code() const { return code_; }
    // Mpiexec's words about a process that has ended; or nothing.
    const std::string &cause() const { return cause_; }
    bool has_said() const { return has_said_; }

private:
    static constexpr std::size_t bar = 40; // so many dashes are one

    // Open MPI's mpiexec puts its messages between two bars of dashes.
    bool is_mpiexecs() {
        const std::string_view line = line_;
        if (line.size() > bar && line.find_first_not_of('-') == line.size() - 1) {
            is_in_bars_ = !is_in_bars_;
            return true;
        }
        // Open MPI's and its child both do what one of them may do.
        if (is_in_bars_ || line.find("] plm:rsh: Warning: setpgid(") != line.npos)
            return true;
        for (const std::string_view words :
             {"=====", "=   ", "[proxy:", "[mpiexec@", "YOUR APPLICATION TERMINATED", "HYDU_",
              "This typically refers to a problem", "Please see the FAQ page"})
            if (begins_with(line, words))
                return true;
        return false;
    }

    void end_line() {
        const std::string_view line = line_;
        if (begins_with(line, end_mark)) {
            code_ = std::atoi(line_.c_str() + end_mark.size());
            has_ended_ = true;
        } else if (is_mpiexecs()) {
            note_cause();
        } else if (!has_ended_) {
            has_said_ = has_said_ || begins_with(line, "detmpiexec: ");
            std::fwrite(line_.data(), 1, line_.size(), stderr);
        }
        line_.clear();
    }

    void note_cause() {
        // MPICH's mpiexec would wait for that host without end.
        if (line_.find("unable to connect") != std::string::npos && !has_ended_) {
            std::fprintf(stderr, "detmpiexec: a host is not reached: %s", line_.c_str());
            has_ended_ = has_said_ = true; // with the code 1
        }
        if (!cause_.empty())
            return;
        for (const std::string_view words : {"RUNNING AT ", " on node "})
            if (const std::size_t at = line_.find(words); at != std::string::npos) {
                const std::size_t name = at + words.size();
                cause_ = line_.substr(name, line_.find_first_of(" \n", name) - name);
            }
    }

    std::string line_;
    std::string cause_;
    bool is_in_bars_ = false;
    bool has_ended_ = false;
    bool has_said_ = false;
    int code_ = 1;
};

pid_t begin(std::vector<std::string> &command, int error_stream) {
    std::vector<char *> arguments;
    for (std::string &word : command)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    // It ends with this process, and the launchers with it.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(1);
    dup2(error_stream, STDERR_FILENO);
    std::signal(SIGPIPE, SIG_DFL);
    execv(arguments[0], arguments.data());
    std::fprintf(stderr, "detmpiexec: %s: %s\n", arguments[0], std::strerror(errno));
    _exit(1);
}

} // namespace

std::string line_about_end(int code) {
    return std::string(end_mark) + std::to_string(code) + "\n";
}

int run_mpiexec(std::vector<std::string> command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        std::fprintf(stderr, "detmpiexec: the system refuses a pipe: %s\n", std::strerror(errno));
        return 1;
    }
    mpiexec = begin(command, ends[1]);
    close(ends[1]);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
        std::signal(each, hand_on);
    filter lines;
    std::int64_t ended_at = 0;
    for (bool is_open = true; is_open;) {
        pollfd from{ends[0], POLLIN, 0};
        if (poll(&from, 1, 100) > 0) {
            char text[4096];
            const ssize_t count = read(ends[0], text, sizeof(text));
            is_open = count > 0 || (count < 0 && errno == EINTR);
            lines.take({text, static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
        }
        if ((lines.has_ended() || is_asked_to_end()) && ended_at == 0)
            ended_at = platform::now_ns();
        if (ended_at != 0 && platform::now_ns() - ended_at > most_after_end) {
            kill(mpiexec, SIGKILL); // its processes end with it
            break;
        }
        // A process that it started may have the stream still.
        if (siginfo_t about{};
            waitid(P_PID, static_cast<id_t>(mpiexec), &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            about.si_pid != 0 && from.revents == 0)
            break;
    }
    lines.end();
    int status = 0;
    while (waitpid(mpiexec, &status, 0) < 0 && errno == EINTR)
        ;
    if (lines.has_ended())
        return lines.code();
    if (handed_on != 0)
        return 128 + handed_on;
    if (!lines.has_said() && !WIFSIGNALED(status))
        std::fprintf(stderr, "detmpiexec: %s\n",
                     lines.cause().empty()
                         ? (command[0] + " has ended before the job").c_str()
                         : ("the launcher on " + lines.cause() + " is gone: the job ends").c_str());
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
}

} // namespace saguaro::detmpiexec
