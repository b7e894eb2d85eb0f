// SPDX-License-Identifier: MIT
// A job in a process of its own, whose output and end are looked at: the test's process has no job,
// because one that has is a space for good.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::test_support {

struct outcome {
    int status; // as waitpid tells
    std::string out;
    std::string err;

    bool exited_with(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
};

inline std::string content_of(const std::string &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

// How many lines of the library's are in what a job has said: a sanitizer may add some of its own.
inline std::size_t lines_in(const std::string &text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("saguaro: "); at != std::string::npos;
         at = text.find("saguaro: ", at + 1))
        ++count;
    return count;
}

// Runs root() as the root of a job, which ends with what it returns as its exit code.
inline outcome run_job(const std::function<int()> &root) {
    char folder[] = "/tmp/saguaro-spmc-XXXXXX";
    if (mkdtemp(folder) == nullptr)
        return {-1, "", "no folder"};
    const std::string out = std::string(folder) + "/out";
    const std::string err = std::string(folder) + "/err";
    const pid_t pid = fork();
    if (pid == 0) {
        if (freopen(out.c_str(), "w", stdout) == nullptr ||
            freopen(err.c_str(), "w", stderr) == nullptr)
            _exit(99);
        alarm(100); // a job that hangs is a failure of its own
        std::exit(root());
    }
    outcome seen{-1, "", ""};
    waitpid(pid, &seen.status, 0);
    seen.out = content_of(out);
    seen.err = content_of(err);
    unlink(out.c_str());
    unlink(err.c_str());
    rmdir(folder);
    return seen;
}

// What the memory of the caller's job takes, in bytes: its file's blocks. 0 if it has no job.
inline std::size_t job_memory() {
    for (int fd = 3; fd < 64; ++fd) {
        const std::string link = "/proc/self/fd/" + std::to_string(fd);
        char target[128] = {};
        struct stat seen;
        if (readlink(link.c_str(), target, sizeof(target) - 1) > 0 &&
            std::string(target).find("saguaro-spmc") != std::string::npos && fstat(fd, &seen) == 0)
            return static_cast<std::size_t>(seen.st_blocks) * 512;
    }
    return 0;
}

// The mappings of the job's memory that the calling process has, and how many of these a core of it
// would hold.
struct core_parts {
    int shared = 0;
    int dumped = 0;
};

inline core_parts parts_of_a_core() {
    core_parts found;
    std::ifstream file("/proc/self/smaps");
    bool is_shared = false;
    for (std::string line; std::getline(file, line);) {
        if (has(line, " rw-") || has(line, " r--") || has(line, " ---") || has(line, " r-x"))
            is_shared = has(line, "saguaro-spmc");
        if (is_shared && line.rfind("VmFlags:", 0) == 0) {
            ++found.shared;
            found.dumped += has(line, " dd") ? 0 : 1;
        }
    }
    return found;
}

} // namespace saguaro::test_support
