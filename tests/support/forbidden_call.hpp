// SPDX-License-Identifier: MIT
// A kernel that refuses a system call, as filters of containers do.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::test_support {

// From now on the kernel asks the rules at each system call of this thread and of what it makes.
// False: it does not.
template <std::size_t Count>
bool filter_calls(std::array<sock_filter, Count> rules) {
    const sock_fprog filter{Count, rules.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// It refuses this call, and answers with the error; 0: that all went well.
inline bool forbid_call(long number, unsigned error = EPERM) {
    return filter_calls(std::array<sock_filter, 4>{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(number), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }});
}

// Whether that has an effect, which a child tries: not in emulators.
inline bool can_forbid_calls() {
    const pid_t child = fork();
    if (child == 0) {
        forbid_call(SYS_getppid);
        _exit(syscall(SYS_getppid) == -1 && errno == EPERM ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

} // namespace saguaro::test_support
