// SPDX-License-Identifier: MIT
// Finding processes left over from a job in /proc, and killing them.
#include "leftovers.hpp"

#include "platform/clock.hpp"
#include "platform/file_contents.hpp"

#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace saguaro::detmpiexec {

namespace {

// The parent of a process; 0: it has ended. It may end after the file is opened. Then the read
// fails, which an iterator over a stream's buffer would report as an exception.
pid_t parent_of(const std::string &process) {
    const std::string line = platform::contents_of("/proc/" + process + "/stat");
    // "PID (NAME) STATE PARENT ...", and the name may have anything in it.
    const std::size_t state = line.rfind(") ");
    if (state == line.npos || state + 4 > line.size())
        return 0;
    pid_t parent = 0;
    std::from_chars(line.data() + state + 4, line.data() + line.size(), parent);
    return parent;
}

std::vector<pid_t> children() {
    std::vector<pid_t> all;
    std::error_code refused;
    using entries = std::filesystem::directory_iterator;
    for (entries each("/proc", refused); each != entries(); each.increment(refused)) {
        const std::string name = each->path().filename();
        pid_t process = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error == std::errc() && end == name.data() + name.size() && parent_of(name) == getpid())
            all.push_back(process);
    }
    return all;
}

bool has_children() {
    siginfo_t about{};
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace

void adopt_leftovers() {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void kill_leftovers() {
    constexpr std::int64_t most = 1'000'000'000; // ns
    const std::int64_t started = platform::now_ns();
    // Those whose parent is killed are children at the next look.
    while (has_children() && platform::now_ns() - started < most) {
        for (const pid_t each : children())
            kill(each, SIGKILL);
        usleep(1000);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
    }
}

} // namespace saguaro::detmpiexec
