// SPDX-License-Identifier: MIT
// How the child of a fork ends.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::platform {

// What the child of a fork returns from f(); -1: a signal has ended it, the alarm if it hangs.
template <class F>
int end_of_child(F f) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(f());
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace saguaro::platform
