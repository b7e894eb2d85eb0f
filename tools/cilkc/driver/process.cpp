// SPDX-License-Identifier: MIT
// Running one program of the driver's, and ending it when the driver is asked to end.
#include "driver/process.hpp"

#include "driver/variables.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace saguaro::driver {

namespace {

// What asks a program to end.
constexpr int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

sigset_t original_mask;
int pending_ending = 0;

sigset_t waited_for(bool children) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : endings)
        sigaddset(&set, signal);
    if (children)
        sigaddset(&set, SIGCHLD);
    return set;
}

// Takes an ending that has come meanwhile.
void look_for_ending() {
    const sigset_t set = waited_for(false);
    const timespec at_once{};
    const int signal = sigtimedwait(&set, nullptr, &at_once);
    if (signal > 0) {
        pending_ending = signal;
        throw interrupted();
    }
}

// A terminal has told the child already; others tell the driver alone. One that goes on for two
// seconds does not listen.
void end_child(pid_t child, int signal) {
    kill(child, signal);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    const timespec patience{.tv_sec = 2, .tv_nsec = 0};
    if (waitpid(child, nullptr, WNOHANG) == 0 && sigtimedwait(&set, nullptr, &patience) < 0)
        kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

int wait_for(pid_t child) {
    const sigset_t set = waited_for(true);
    while (true) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        const int signal = sigwaitinfo(&set, nullptr);
        if (signal > 0 && signal != SIGCHLD) {
            pending_ending = signal;
            end_child(child, signal);
            throw interrupted();
        }
    }
}

class spawn_settings {
public:
    explicit spawn_settings(const redirections &streams) {
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigmask(&attributes, &original_mask);
        posix_spawn_file_actions_init(&actions);
        if (!streams.input.empty()) {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, streams.input.c_str(),
                                             O_RDONLY, 0);
        }
        if (!streams.errors.empty()) {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, streams.errors.c_str(),
                                             O_WRONLY | O_CREAT | O_TRUNC, 0600);
        }
    }
    spawn_settings(const spawn_settings &) = delete;
    spawn_settings &operator=(const spawn_settings &) = delete;
    ~spawn_settings() {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }

    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_t actions{};
};

} // namespace

orderly_end::orderly_end() {
    // Whoever ignores it would never learn how a child has ended.
    std::signal(SIGCHLD, SIG_DFL);
    const sigset_t set = waited_for(true);
    sigprocmask(SIG_BLOCK, &set, &original_mask);
}

orderly_end::~orderly_end() {
    if (!directory_.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }
    if (pending_ending != 0) {
        std::signal(pending_ending, SIG_DFL);
        std::raise(pending_ending);
    }
    sigprocmask(SIG_SETMASK, &original_mask, nullptr);
}

const std::filesystem::path &orderly_end::directory() {
    if (directory_.empty()) {
        const char *chosen = platform::value_of(variables::folder);
        std::string name = (chosen != nullptr && *chosen != '\0' ? chosen : "/tmp");
        name += "/cilkc-XXXXXX";
        if (mkdtemp(name.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), name);
        directory_ = name;
    }
    return directory_;
}

int run(const std::vector<std::string> &command, const redirections &streams) {
    look_for_ending();
    std::vector<char *> arguments;
    for (const std::string &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const spawn_settings settings(streams);
    const int failed = posix_spawnp(&child, arguments.front(), &settings.actions,
                                    &settings.attributes, arguments.data(), environ);
    if (failed != 0)
        throw std::runtime_error("cannot run '" + command.front() + "': " + std::strerror(failed));
    const int status = wait_for(child);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    std::fprintf(stderr, "cilkc: error: '%s' was ended by signal %d (%s)\n", arguments.front(),
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 1;
}

std::string quoted(const std::vector<std::string> &command) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-+=./,:@%^";
    std::string text;
    for (const std::string &word : command) {
        if (!text.empty())
            text += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word)
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

} // namespace saguaro::driver
