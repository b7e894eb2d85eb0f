// SPDX-License-Identifier: MIT
// The program that spaces_test begins as a space: reads a page, and answers on another one.
#include "pages.hpp"

#include <cstring>
#include <unistd.h>

using namespace saguaro::spmc_test;

int main(int count, char **arguments) {
    if (count > 1 && std::strcmp(arguments[1], "heap") == 0) {
        std::printf("%p %p\n", std::malloc(100), std::malloc(1 << 20));
        return 0;
    }
    if (count > 1 && std::strcmp(arguments[1], "forks") == 0) {
        // A child has the environment of the space, and is none.
        const pid_t child = fork();
        if (child == 0)
            return static_cast<int>(spmc_space_self());
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    }
    word *const question = wished(0);
    word *const answer = wished(1);
    if (spmc_space_self() != 1 || spmc_space_parent() != 0)
        return 3;
    answer[0] = question[0] * 2;
    fix(answer, 0);
    return 5;
}
