// SPDX-License-Identifier: MIT
// What a job that was killed could leave behind.
#pragma once

#include <dirent.h>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace saguaro::spmc_test {

// How many entries a folder has, but for those that lead to itself and above; 0 without it.
inline int count_entries(const char *folder) {
    DIR *const open = opendir(folder);
    if (open == nullptr)
        return 0;
    int count = -2;
    while (readdir(open) != nullptr)
        ++count;
    closedir(open);
    return count;
}

// The names of a folder's entries that contain the text.
inline std::string names_with(const char *folder, const std::string &text) {
    std::string found;
    DIR *const open = opendir(folder);
    if (open == nullptr)
        return found;
    while (const dirent *const each = readdir(open))
        if (std::string(each->d_name).find(text) != std::string::npos)
            found += std::string(each->d_name) + ' ';
    closedir(open);
    return found;
}

// From now on, processes whose parents have ended are children of this one.
inline void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

inline std::vector<pid_t> children_of(pid_t parent) {
    const std::string of = std::to_string(parent);
    std::ifstream file("/proc/" + of + "/task/" + of + "/children");
    std::vector<pid_t> all;
    for (pid_t each = 0; file >> each;)
        all.push_back(each);
    return all;
}

// Waits for the end of all that this process has adopted, for a while. What is left then.
inline std::string wait_until_alone() {
    for (int left = 2000; left > 0; --left) {
        pid_t ended = 0;
        do
            ended = waitpid(-1, nullptr, WNOHANG);
        while (ended > 0);
        if (ended < 0)
            return "";
        usleep(1000);
    }
    std::string left;
    for (const pid_t each : children_of(getpid()))
        left += std::to_string(each) + ' ';
    return left;
}

} // namespace saguaro::spmc_test
