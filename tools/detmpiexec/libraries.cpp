// SPDX-License-Identifier: MIT
// Asking the dynamic linker which MPI library a program loads.
#include "libraries.hpp"

#include "implements_mpi.h"

#include <array>
#include <cstdlib>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace saguaro::detmpiexec {

namespace {

constexpr std::array mpi_names = {"libmpi.so", "libmpich.so", "libmpi_abi.so"};

bool is_mpi(std::string_view file) {
    for (const std::string_view name : mpi_names)
        if (file.substr(0, name.size()) == name &&
            (file.size() == name.size() || file[name.size()] == '.'))
            return true;
    return false;
}

std::string folder_of(const std::string &file) {
    return file.substr(0, file.rfind('/'));
}

bool is_same_file(const std::string &a, const std::string &b) {
    struct stat of_a;
    struct stat of_b;
    return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// The dynamic linker that the program mpi_names; empty if it is no program in ELF's form, or a
// static one.
std::string interpreter_of(const std::string &program) {
    const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    std::string found;
    Elf64_Ehdr head{};
    if (pread(file, &head, sizeof(head), 0) == sizeof(head) &&
        std::string_view(reinterpret_cast<const char *>(head.e_ident), SELFMAG) == ELFMAG &&
        head.e_ident[EI_CLASS] == ELFCLASS64)
        for (unsigned i = 0; i < head.e_phnum; ++i) {
            Elf64_Phdr part{};
            const auto at = static_cast<off_t>(head.e_phoff + i * sizeof(part));
            if (pread(file, &part, sizeof(part), at) != sizeof(part) || part.p_type != PT_INTERP)
                continue;
            char name[256] = {};
            if (part.p_filesz < sizeof(name) &&
                pread(file, name, part.p_filesz, static_cast<off_t>(part.p_offset)) > 0)
                found = name;
        }
    close(file);
    return found;
}

// What the command prints, its errors included.
std::string output_of(std::vector<std::string> words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return {};
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t pid = 0;
    const int refused =
        posix_spawn(&pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string printed;
    char buffer[4096];
    for (ssize_t got; refused == 0 && (got = read(ends[0], buffer, sizeof(buffer))) > 0;)
        printed.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    if (refused == 0)
        waitpid(pid, nullptr, 0);
    return printed;
}

bool is_ours(const std::string &file) {
    return is_same_file(file, own_libraries() + file.substr(file.rfind('/')));
}

} // namespace

std::string own_libraries() {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
    if (length <= 0)
        return {};
    const std::string programs = folder_of(std::string(self, static_cast<std::size_t>(length)));
    // Where it is installed, and where it is built. Neither path is absolute, so both trees may be
    // moved.
    for (const char *const way : {SG_INSTALLED_LIBRARIES, SG_BUILT_LIBRARIES}) {
        const std::string folder = programs + "/" + way;
        const std::unique_ptr<char, decltype(&std::free)> real(realpath(folder.c_str(), nullptr),
                                                               std::free);
        if (real != nullptr)
            return real.get();
    }
    return {};
}

std::string with_own_libraries(const std::string &former) {
    const std::string own = own_libraries();
    return own.empty() || former.empty() ? own + former : own + ":" + former;
}

library_search search_libraries(const std::string &program) {
    if (sg_implements_mpi(program.c_str()) != SG_NO_MPI)
        return {false, "it has another MPI library inside, and would not know the other ranks: "
                       "compile it by detmpicc"};
    const std::string linker = interpreter_of(program);
    library_search found;
    if (linker.empty())
        return found;
    // Lines are "\tNAME => FILE (0xADDRESS)", or one alone that ends with `missing`, "NAME: " and
    // why. The program itself never runs.
    constexpr std::string_view missing = "error while loading shared libraries: ";
    std::istringstream lines(output_of({linker, "--list", program}));
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t at = line.find(missing); at != std::string::npos) {
            const std::size_t begin = at + missing.size();
            const std::string name = line.substr(begin, line.find(':', begin) - begin);
            if (is_mpi(name))
                found.why_not =
                    "it needs the MPI library " + name + ", which is neither Saguaro's nor found";
        }
        const std::size_t arrow = line.find(" => ");
        const std::size_t address = line.rfind(" (0x");
        if (arrow == std::string::npos || address == std::string::npos || line[0] != '\t' ||
            !is_mpi(line.substr(1, arrow - 1)))
            continue;
        const std::string name = line.substr(1, arrow - 1);
        const std::string file = line.substr(arrow + 4, address - arrow - 4);
        if (!is_ours(file))
            found.why_not = "it uses another MPI library, " + file +
                            ", and would not know the other ranks: compile it by detmpicc";
        else
            found.finds_own = true;
    }
    return found;
}

std::string other_library_of(int pid) {
    std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
    std::string found;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');
        if (path == std::string::npos)
            continue;
        const std::string file = line.substr(path);
        const std::string name = file.substr(file.rfind('/') + 1);
        if (!is_mpi(name))
            continue;
        if (is_ours(file))
            return {};
        found = file;
    }
    return found;
}

} // namespace saguaro::detmpiexec
