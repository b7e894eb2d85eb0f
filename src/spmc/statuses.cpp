// SPDX-License-Identifier: MIT
// Asking the system for a child's status, and if it has none, the kernel's pidfd and the child's
// word.
#include "spmc/statuses.hpp"

#include "spmc/lines.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::spmc {

namespace {

// In `space::left`: the lower bits are a status.
constexpr std::uint32_t is_left = 1U << 31;

// Linux's struct pidfd_info and its request, which older headers do not have.
struct process_info {
    std::uint64_t mask;
    std::uint64_t control_group;
    std::uint32_t ids[11];
    std::int32_t exit_code; // a status
};
static_assert(sizeof(process_info) == 64);
constexpr std::uint64_t has_exit_code = 1U << 3;
constexpr unsigned long get_info = _IOWR(0xFF, 11, process_info);

// What the kernel knows of a process that is gone; nothing before Linux 6.15.
std::optional<int> status_by_descriptor(int pidfd) {
    process_info about{};
    about.mask = has_exit_code;
    if (ioctl(pidfd, get_info, &about) != 0 || (about.mask & has_exit_code) == 0)
        return std::nullopt;
    return about.exit_code;
}

std::optional<int> status_left(const space &of) {
    // Relaxed: the process is gone, and the watching thread has seen its end.
    const std::uint32_t left = of.left.load(std::memory_order_relaxed);
    return (left & is_left) != 0 ? std::optional(static_cast<int>(left & ~is_left)) : std::nullopt;
}

// The line comes once: a program that takes statuses takes many.
void say_unknown(slot which) {
    static std::atomic<bool> was_said{false};
    if (was_said.exchange(true, std::memory_order_relaxed))
        return;
    char name[name_bytes];
    say("how space %s ended is not known and counts as exit code 255: the program waits for any "
        "child, or ignores SIGCHLD",
        name_of(which, name));
}

void at_exit(int code, void *) {
    const job *const mine = job::mine_if_any();
    // Not of the child of a shell that is the space.
    if (mine != nullptr && mine->self_slot() != 0 &&
        mine->self().pid.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(getpid()))
        leave_code(*mine, code);
}

} // namespace

int await_status(const job &all, slot which, pid_t pid, int pidfd) {
    int status = 0;
    pid_t got;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got >= 0)
        return status;
    if (const auto found = status_by_descriptor(pidfd))
        return *found;
    if (const auto found = status_left(all.space_in(which)))
        return *found;
    say_unknown(which);
    return 255 << CHAR_BIT;
}

void leave_code(const job &all, int code) {
    const std::uint32_t status = static_cast<std::uint32_t>(code & 0xff) << CHAR_BIT;
    std::uint32_t none = 0;
    // Relaxed: read when the process is gone.
    all.self().left.compare_exchange_strong(none, is_left | status, std::memory_order_relaxed);
}

void leave_code_at_exit() {
    // If there is no memory for it, only the system knows the status.
    static_cast<void>(on_exit(at_exit, nullptr));
}

} // namespace saguaro::spmc
