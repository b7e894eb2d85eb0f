// SPDX-License-Identifier: MIT
// Opening a counter with perf_event_open, and trying whether it counts exactly.
#include "platform/work_counter.hpp"

#include "platform/arch.hpp"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace saguaro::platform {

namespace {

// Headers before Linux 5.6 do not have it. Its number is the same for all processors.
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

constexpr const char *event_sources = "/sys/bus/event_source/devices";

// Where cores are of two kinds, each kind has counters of its own, and a thread that moves to the
// other kind is not counted there. Only counters of some of the cores have the file `cpus`.
unsigned kinds_of_cores() {
    unsigned kinds = 0;
    DIR *const all = opendir(event_sources);
    if (all == nullptr)
        return 0;
    while (const dirent *const each = readdir(all)) {
        const std::string cpus = std::string(event_sources) + "/" + each->d_name + "/cpus";
        kinds += each->d_name[0] != '.' && access(cpus.c_str(), F_OK) == 0 ? 1 : 0;
    }
    closedir(all);
    return kinds;
}

int open_event(const work_event &what) {
    perf_event_attr wanted{};
    wanted.size = sizeof(wanted);
    wanted.type = what.type;
    wanted.config = what.config;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    // All of the time or not at all: what others count never shares the counter.
    wanted.pinned = 1;
    return static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

// None, and errno says why, if the descriptor is of no counter.
std::optional<std::uint64_t> event_of(int descriptor) {
    std::uint64_t event = 0;
    if (ioctl(descriptor, PERF_EVENT_IOC_ID, &event) != 0)
        return std::nullopt;
    return event;
}

void close_with(int descriptor, int error) {
    close(descriptor);
    errno = error;
}

constexpr std::uint64_t turns_of_trial = 100'000;

// As long whenever it is called.
[[gnu::noinline]] void work_a_little() {
    for (std::uint64_t i = 0; i < turns_of_trial; ++i)
        __asm__ __volatile__("" ::: "memory"); // or there were no loop
}

// Whether equal work has equal counts, and is counted at all.
bool is_exact(const work_counter &counter, std::string &why) {
    std::uint64_t counts[3]{};
    for (std::uint64_t &each : counts) {
        const std::optional<std::uint64_t> before = counter.read();
        work_a_little();
        const std::optional<std::uint64_t> after = counter.read();
        if (!before || !after) {
            why = "all of the processor's counters are taken, by the kernel's watchdog for example";
            return false;
        }
        each = *after - *before;
    }
    // The first run may differ: the dynamic linker looks for what it calls.
    if (counts[1] == counts[2] && counts[1] >= turns_of_trial)
        return true;
    why = "equal work is counted as " + std::to_string(counts[1]) + " and " +
          std::to_string(counts[2]);
    return false;
}

} // namespace

std::string why_no_work_counter(int error_number) {
    std::string why = std::strerror(error_number);
    if (error_number == ENOENT || error_number == EOPNOTSUPP || error_number == ENODEV)
        why += ": this machine, or the virtual machine that it is, shows no such counter";
    else if (error_number == ENOSYS)
        why += ": the kernel, or what confines this process, has no such call";
    else if (error_number == EACCES || error_number == EPERM) {
        std::ifstream from("/proc/sys/kernel/perf_event_paranoid");
        std::string level = "?";
        from >> level;
        why += ": /proc/sys/kernel/perf_event_paranoid is " + level +
               ", and a user needs 2 or less; a container may forbid the call as well";
    }
    return why;
}

work_counter::work_counter(std::string &why) {
    const work_event event = event_of_work();
    if (event.name == nullptr) {
        why = "nobody has said which event of this processor's is exact";
        return;
    }
    if (access(event_sources, R_OK | X_OK) != 0) {
        why = std::string(event_sources) + " cannot be read, so the kinds of cores are not known";
        return;
    }
    if (kinds_of_cores() > 1) {
        why = "the cores of this machine are of several kinds, each with counters of its own";
        return;
    }
    work_counter made;
    made.descriptor_ = open_event(event);
    if (!made) {
        why = std::string(event.name) + ": " + why_no_work_counter(errno);
        return;
    }
    made.event_ = event_of(made.descriptor_).value_or(0);
    if (is_exact(made, why))
        *this = std::move(made);
    else
        why = std::string(event.name) + ": " + why;
}

int descriptor_of(int process, int descriptor) {
    const int of = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (of < 0)
        return -1;
    const int copy = static_cast<int>(syscall(SYS_pidfd_getfd, of, descriptor, 0));
    int error = errno;
    // Yama says EPERM of a process that has gone.
    pollfd end{of, POLLIN, 0};
    if (copy < 0 && poll(&end, 1, 0) == 1)
        error = ESRCH;
    close_with(of, error);
    return copy;
}

work_counter::work_counter(int process, int descriptor, std::uint64_t event, int least)
    : event_(event) {
    const int copy = descriptor_of(process, descriptor);
    if (copy < 0)
        return;
    errno = 0;
    if (event_of(copy) != event) {
        close_with(copy, errno != 0 ? errno : ENOTTY);
        return;
    }
    descriptor_ = fcntl(copy, F_DUPFD_CLOEXEC, least);
    close_with(copy, errno);
}

work_counter::~work_counter() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

work_counter::work_counter(work_counter &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), event_(other.event_) {}

work_counter &work_counter::operator=(work_counter &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(event_, other.event_);
    return *this;
}

std::optional<std::uint64_t> work_counter::read() const {
    // The program may have closed the descriptor and opened a file of its own in its place.
    if (event_of(descriptor_) != event_)
        return std::nullopt;
    std::uint64_t count = 0;
    // A pinned counter that the system has taken away reads as the end of a file.
    if (::read(descriptor_, &count, sizeof(count)) != sizeof(count))
        return std::nullopt;
    return count;
}

} // namespace saguaro::platform
