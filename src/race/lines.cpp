// SPDX-License-Identifier: MIT
// Asks addr2line, of binutils or of LLVM, which every compiler's package brings.
#include "race/lines.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <map>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace saguaro::race {

namespace {

// Where code lies: a file, and the distance of the address in it.
struct place_in_file {
    std::uint32_t low;
    std::string file;
    address offset = 0;
};

// The loader tells of the program itself first.
int look_in(dl_phdr_info *info, std::size_t, void *argument) {
    auto &wanted = *static_cast<place_in_file *>(argument);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto &part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0)
            continue;
        const auto into = static_cast<std::uint32_t>(
            wanted.low - static_cast<std::uint32_t>(info->dlpi_addr + part.p_vaddr));
        if (into >= part.p_memsz)
            continue;
        wanted.offset = part.p_vaddr + into;
        wanted.file = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
        return 1;
    }
    return 0;
}

std::string path_of(const std::string &file) {
    std::array<char, 4096> target;
    const ssize_t length = readlink(file.c_str(), target.data(), target.size());
    return length > 0 ? std::string(target.data(), static_cast<std::size_t>(length)) : file;
}

// What the command prints; empty if it cannot be begun.
std::string output_of(const char *const *command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return {};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, command[0], &actions, nullptr,
                                    const_cast<char *const *>(command), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer;
    while (failed == 0) {
        const ssize_t got = read(ends[0], buffer.data(), buffer.size());
        if (got > 0)
            text.append(buffer.data(), static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            break;
    }
    close(ends[0]);
    if (failed == 0)
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    return text;
}

// The instruction that the return address follows.
std::string asked_for(const place_in_file &where) {
    char text[32];
    std::snprintf(text, sizeof(text), "%#zx", static_cast<std::size_t>(where.offset - 1));
    return text;
}

// Of an answer: for each address a line with it, then two for each function, its name and its place
// in the source.
std::vector<lines> parsed(const std::string &answer) {
    std::vector<lines> all;
    std::istringstream in(answer);
    std::string line;
    while (std::getline(in, line)) {
        if (line.starts_with("0x")) {
            all.emplace_back();
            continue;
        }
        std::string place;
        if (all.empty() || !std::getline(in, place))
            return {};
        // "file.cpp:12 (discriminator 3)"
        place.resize(std::min(place.find(" (discriminator"), place.size()));
        if (!place.starts_with("??"))
            all.back().push_back(line + ' ' + place);
    }
    return all;
}

// The lines of places in one file; of none, if no program knows them.
std::vector<lines> looked_up(const std::vector<place_in_file> &places) {
    std::vector<std::string> offsets;
    for (const place_in_file &each : places)
        offsets.push_back(asked_for(each));
    for (const char *program : {"addr2line", "llvm-addr2line-19", "llvm-addr2line"}) {
        std::vector<const char *> command{
            program, "-a", "-f", "-C", "-i", "-e", places.front().file.c_str()};
        for (const std::string &each : offsets)
            command.push_back(each.c_str());
        command.push_back(nullptr);
        std::vector<lines> found = parsed(output_of(command.data()));
        if (found.size() == places.size())
            return found;
    }
    return std::vector<lines>(places.size());
}

// Where a construct of the library is inlined, its caller is what a reader looks for; and where the
// program's function is inlined into one, the line, without the construct's name.
void leave_out_own(lines &of) {
    if (!std::all_of(of.begin(), of.end(), is_of_a_construct))
        std::erase_if(of, is_of_a_construct);
    for (std::string &each : of)
        if (each.find("saguaro::detail::") != std::string::npos)
            each.erase(0, each.rfind(' ') + 1);
}

} // namespace

bool is_of_a_construct(const std::string &line) {
    return line.find("/saguaro/") != std::string::npos && line.find(".hpp:") != std::string::npos;
}

std::vector<lines> lines_of(const std::vector<address> &places) {
    std::vector<lines> all(places.size());
    // By file: its places, and which of `places` they are.
    std::map<std::string, std::pair<std::vector<place_in_file>, std::vector<std::size_t>>> files;
    for (std::size_t i = 0; i < places.size(); ++i) {
        place_in_file where{static_cast<std::uint32_t>(places[i]), {}};
        if (dl_iterate_phdr(look_in, &where) == 0) {
            all[i] = {"code that is gone"};
            continue;
        }
        where.file = path_of(where.file);
        auto &file = files[where.file];
        file.first.push_back(where);
        file.second.push_back(i);
    }
    for (const auto &[file, its] : files) {
        std::vector<lines> found = looked_up(its.first);
        for (std::size_t i = 0; i < found.size(); ++i) {
            leave_out_own(found[i]);
            if (found[i].empty())
                found[i] = {file + '+' + asked_for(its.first[i]) +
                            " (compile with -g for its line)"};
            all[its.second[i]] = std::move(found[i]);
        }
    }
    return all;
}

} // namespace saguaro::race
