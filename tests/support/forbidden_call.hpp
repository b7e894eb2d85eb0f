// SPDX-License-Identifier: MIT
// A kernel that refuses a system call, as filters of containers do.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace saguaro::test_support {

// Whether this process can have filters: emulators cannot, and a second filter is not understood.
inline bool can_forbid_calls() {
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0;
}

// From now on the kernel refuses the call (EPERM) to this thread and to what it makes.
inline void forbid_call(long number) {
    std::array<sock_filter, 4> program{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(number), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog filter{program.size(), program.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

} // namespace saguaro::test_support
