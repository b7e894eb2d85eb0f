// SPDX-License-Identifier: MIT
// Things that a killed job could leave on the system.
#pragma once

#include <dirent.h>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace saguaro::spmc_test {

// The names of a folder's entries, but for those that lead to itself and above; none without it.
inline std::vector<std::string> entries_of(const std::string &folder) {
    std::vector<std::string> names;
    DIR *const open = opendir(folder.c_str());
    if (open == nullptr)
        return names;
    while (const dirent *const each = readdir(open))
        if (const std::string name = each->d_name; name != "." && name != "..")
            names.push_back(name);
    closedir(open);
    return names;
}

inline int count_entries(const char *folder) {
    return static_cast<int>(entries_of(folder).size());
}

// The names that contain the text.
inline std::string names_with(const char *folder, const std::string &text) {
    std::string found;
    for (const std::string &each : entries_of(folder))
        if (each.find(text) != std::string::npos)
            found += each + ' ';
    return found;
}

// Whether a link of /proc/PID/fd leads to the memory of some job.
inline bool leads_to_a_job(const std::string &link) {
    char target[128] = {};
    return readlink(link.c_str(), target, sizeof(target) - 1) > 0 &&
           std::string(target).find("saguaro-spmc") != std::string::npos;
}

// The inode of the file in which a process' job has its memory, or 0 if it has none. Such a file
// has no name, and no other has its inode.
inline ino_t job_file_of(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process) + "/fd";
    for (const std::string &each : entries_of(folder)) {
        struct stat seen = {};
        if (leads_to_a_job(folder + "/" + each) && stat((folder + "/" + each).c_str(), &seen) == 0)
            return seen.st_ino;
    }
    return 0;
}

// Who holds that file open or mapped. Its memory is the system's again when nobody does.
// Nobody holds file 0.
inline std::string holders_of(ino_t file) {
    std::string found;
    if (file == 0)
        return found;
    for (const std::string &each : entries_of("/proc")) {
        if (each.find_first_not_of("0123456789") != std::string::npos)
            continue;
        bool holds = job_file_of(static_cast<pid_t>(std::stol(each))) == file;
        std::ifstream maps("/proc/" + each + "/maps");
        for (std::string line; !holds && std::getline(maps, line);)
            holds = line.find(' ' + std::to_string(file) + ' ') != std::string::npos &&
                    line.find("saguaro-spmc") != std::string::npos;
        if (holds)
            found += each + ' ';
    }
    return found;
}

// From now on, processes whose parents have ended are children of this one.
inline void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
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
