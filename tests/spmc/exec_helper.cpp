// SPDX-License-Identifier: MIT
// The program that spaces_test begins as a space: reads a page, and answers on another one.
#include "pages.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace saguaro::spmc_test;

namespace {

// Addresses in this space, and in its children to that depth.
int prints_addresses(void *depth) {
    static int variable = 0;
    const auto left = reinterpret_cast<std::size_t>(depth);
    std::printf("%p %p %p %p\n", std::malloc(100), std::malloc(1 << 20),
                static_cast<void *>(&variable), spmc_alloc(nullptr, page));
    return left == 0 ? 0
                     : end_of(begin(prints_addresses, reinterpret_cast<void *>(left - 1))) +
                           end_of(begin(prints_addresses, reinterpret_cast<void *>(left - 1)));
}

// What an exec must leave as it was.
int prints_heritage(char **arguments) {
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    char folder[200] = "";
    char name[17] = "";
    prctl(PR_GET_NAME, name, 0, 0, 0);
    int variables = 0;
    while (environ[variables] != nullptr)
        ++variables;
    std::printf("%s|%s|%s|%x|%d|%d|%s|%d|%s\n", arguments[0], arguments[2], std::getenv("KEPT"),
                static_cast<unsigned>(personality(0xffffffff)), variables,
                sigismember(&blocked, SIGUSR1), getcwd(folder, sizeof(folder)), fcntl(40, F_GETFD),
                name);
    return 0;
}

} // namespace

int main(int count, char **arguments) {
    if (count > 1 && std::strcmp(arguments[1], "heap") == 0) {
        std::printf("%p %p\n", std::malloc(100), std::malloc(1 << 20));
        return 0;
    }
    if (count > 1 && std::strcmp(arguments[1], "addresses") == 0)
        return prints_addresses(reinterpret_cast<void *>(2));
    if (count > 1 && std::strcmp(arguments[1], "heritage") == 0)
        return prints_heritage(arguments);
    if (count > 1 && std::strcmp(arguments[1], "stays") == 0) {
        // A space; says so.
        if (spmc_space_self() != 1 || write(STDOUT_FILENO, "1", 1) != 1)
            return 3;
        for (;;)
            pause();
    }
    if (count > 1 && std::strcmp(arguments[1], "forks") == 0) {
        // The first child that calls is the space: it says 1. Then nobody else is.
        int codes[2];
        for (int &code : codes) {
            const pid_t child = fork();
            if (child == 0)
                return static_cast<int>(spmc_space_self());
            int status = 0;
            waitpid(child, &status, 0);
            code = WEXITSTATUS(status);
        }
        return 10 * codes[0] + codes[1];
    }
    word *const question = wished(0);
    word *const answer = wished(1);
    if (spmc_space_self() != 1 || spmc_space_parent() != 0)
        return 3;
    answer[0] = question[0] * 2;
    fix(answer, 0);
    return 5;
}
