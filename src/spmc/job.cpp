// SPDX-License-Identifier: MIT
// Creating a job's file and mapping its control area; a job across fork.
#include "spmc/job.hpp"

#include "platform/arithmetic.hpp"
#include "platform/forks.hpp"
#include "platform/settings.hpp"
#include "spmc/faults.hpp"
#include "spmc/lines.hpp"
#include "spmc/same_addresses.hpp"
#include "spmc/spaces.hpp"
#include "spmc/statuses.hpp"
#include "spmc/trace/record.hpp"
#include "spmc/variables.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace saguaro::spmc {

namespace {

// The entries of regions of 8 TB, and four million spaces. Addresses: memory is taken as it is
// touched. Less where the process may not have so many addresses.
constexpr std::size_t most_control_bytes = std::size_t{64} << 30;
constexpr std::size_t least_control_bytes = std::size_t{64} << 20;

// The pages: as far as the kernel's files go, short of the sign.
constexpr std::size_t data_bytes = std::size_t{1} << 61;

// The control area: a unit that is never used, since 0 is no place; the header; the spaces; the
// rest as it is needed.
constexpr std::size_t units(std::size_t bytes) {
    return (bytes + unit_bytes - 1) / unit_bytes;
}
constexpr std::size_t spaces_at =
    platform::round_up(units(sizeof(job_header)) + 1, sizeof(space) / unit_bytes);

std::atomic<job *> current{nullptr};
constinit std::mutex making; // held by the thread that makes it

// Before all constructors of the program. In a static library this file, and so the constructor, is
// a part only of programs that use spaces. The GNU C library hands over the arguments of `main`.
[[gnu::constructor(101)]] void begin_program_without_randomisation(int, char **arguments,
                                                                   char **environment) {
    begin_without_randomisation(arguments, environment);
}

// A child of a fork that is no space: it has the control area, but nothing there is its own.
void become_a_stranger() {
    if (job *const inherited = current.load(std::memory_order_relaxed))
        inherited->become(0);
}

[[gnu::constructor]] void handle_forks() {
    platform::hold_across_forks<making, become_a_stranger>();
}

[[noreturn]] void refused(const char *what) {
    const int why = errno;
    give_up("the system refuses %s: %s", what, std::strerror(why));
}

} // namespace

int above_standard(int made) {
    if (made < 0 || made > STDERR_FILENO)
        return made;
    const int moved = fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int why = errno;
    close(made);
    errno = why;
    return moved;
}

job &job::mine() {
    // Acquire pairs with the release below.
    if (job *const known = current.load(std::memory_order_acquire)) [[likely]] {
        if (known->self_ == 0) [[unlikely]]
            give_up(
                "the caller is a process that fork has made from a space: it is none itself, and "
                "has no regions");
        return *known;
    }
    const std::lock_guard guard(making);
    if (job *const known = current.load(std::memory_order_acquire))
        return *known;
    // Never destroyed: signal handlers and other threads may use it until the process is gone.
    alignas(job) static char memory[sizeof(job)];
    job *const made = new (memory) job;
    if (std::atexit(end_well) != 0)
        give_up("no memory for what is to be done at the end");
    if (made->self_ == root_slot) {
        trace::begin_job(*made);
    } else {
        trace::begin_program(*made);
        leave_code_at_exit();
    }
    current.store(made, std::memory_order_release);
    handle_faults();
    return *made;
}

job *job::mine_if_any() {
    // Acquire as in `mine`.
    return current.load(std::memory_order_acquire);
}

job::job() {
    if (const char *const set = platform::value_of(variables::enforce)) {
        if (std::strcmp(set, "0") != 0 && std::strcmp(set, "1") != 0)
            give_up("SAGUARO_SPMC_ENFORCE is '%s', and may be 0 or 1", set);
        enforces_ = set[0] == '1';
    }
    if (!join_as_told())
        begin_as_root();
}

slot job::end_of_slots() const {
    return static_cast<slot>(std::min(control_bytes_ / 4 / sizeof(space), std::size_t{most_slots}));
}

void job::map_control(std::size_t bytes) {
    void *const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, writable_, 0);
    if (memory == MAP_FAILED)
        return;
    // Writing a core would read all of it, and so fill the sparse file (keep_out_of_copies). A
    // child of a fork has it.
    madvise(memory, bytes, MADV_DONTDUMP);
    control_ = static_cast<char *>(memory);
    control_bytes_ = bytes;
    spaces_ = at<space>(static_cast<place>(spaces_at));
}

void job::begin_as_root() {
    platform::warn_once_of_unknown_settings();
    writable_ = above_standard(memfd_create("saguaro-spmc", MFD_CLOEXEC));
    if (writable_ < 0)
        refused("a file in memory");
    char path[64];
    std::snprintf(path, sizeof(path), "/proc/self/fd/%d", writable_);
    readable_ = above_standard(open(path, O_RDONLY | O_CLOEXEC));
    if (readable_ < 0)
        refused("a descriptor that only reads the job's memory (is /proc there?)");
    if (rlimit files;
        getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur < most_control_bytes + data_bytes)
        // The kernel would end the process with a signal.
        give_up("the system refuses a sparse file of 2 EB in memory: files may have %ju bytes "
                "(ulimit -f)",
                static_cast<std::uintmax_t>(files.rlim_cur));
    for (std::size_t bytes = most_control_bytes; bytes >= least_control_bytes && !control_;
         bytes /= 2) {
        if (ftruncate(writable_, static_cast<off_t>(bytes + data_bytes)) != 0)
            refused("a sparse file of 2 EB in memory");
        map_control(bytes);
    }
    if (!control_)
        refused("addresses for what the spaces share");
    job_header &h = header();
    h.magic = job_magic;
    h.version = job_version;
    h.control_bytes = control_bytes_;
    const std::size_t used = spaces_at + end_of_slots() * (sizeof(space) / unit_bytes);
    // Relaxed, all: there is no other space yet.
    h.control_used.store(platform::round_up(used, page_bytes / unit_bytes),
                         std::memory_order_relaxed);
    h.slots.store(root_slot + 1, std::memory_order_relaxed);
    self_ = root_slot;
    self().pid.store(static_cast<std::uint32_t>(getpid()), std::memory_order_relaxed);
    self().state.store(life::lives, std::memory_order_relaxed);
}

// The descriptors and the slot of a space whose program has just begun.
bool job::join_as_told() {
    const char *const told = platform::value_of(variables::job);
    if (told == nullptr)
        return false;
    unsigned which = 0;
    if (std::sscanf(told, "%d,%d,%u", &writable_, &readable_, &which) != 3)
        give_up("%s is '%s', which spmc_space_exec has not written", variables::job.name, told);
    unsetenv(variables::job.name);
    static_assert(offsetof(job_header, control_bytes) == sizeof(std::uint64_t));
    job_header begin{};
    const ssize_t got = pread(writable_, static_cast<void *>(&begin), 16, unit_bytes);
    if (got != 16 || begin.magic != job_magic || begin.version != job_version)
        give_up("%s is '%s', but descriptor %d is no job of this version: was it closed, or is the "
                "library another than the parent's?",
                variables::job.name, told, writable_);
    if (fcntl(writable_, F_SETFD, FD_CLOEXEC) != 0 || fcntl(readable_, F_SETFD, FD_CLOEXEC) != 0)
        refused("to close the job's memory at an exec");
    map_control(begin.control_bytes);
    if (!control_)
        refused("addresses for what the spaces share");
    if (which <= root_slot || which >= header().slots.load(std::memory_order_acquire))
        give_up("%s is '%s', and the job has no such space", variables::job.name, told);
    take(space_in(which), told);
    self_ = which;
    return true;
}

// The space's program may be another one's child: a shell's, a debugger's, that of `timeout`. The
// first process that calls is the space.
void job::take(space &s, const char *told) {
    const auto me = static_cast<std::uint32_t>(getpid());
    std::uint32_t former = 0;
    // Relaxed, both: they share nothing but the numbers.
    if (!s.taker.compare_exchange_strong(former, me, std::memory_order_relaxed))
        give_up("%s is '%s', which process %u is: of the programs that a space begins, the first "
                "one that calls is the space",
                variables::job.name, told, former);
    // As in `terminate`: the space was ended before its program called.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (s.is_about_to_end.load(std::memory_order_relaxed) != 0)
        kill(static_cast<pid_t>(me), SIGKILL);
    // It ends with its parent, as the child of the space's parent does with that.
    if (s.pid.load(std::memory_order_relaxed) != me)
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

place take_control(const job &all, std::size_t bytes) {
    const std::uint64_t wanted = units(bytes);
    const std::uint64_t aligned = bytes >= page_bytes ? page_bytes / unit_bytes : 1;
    std::atomic<std::uint64_t> &used = all.header().control_used;
    // Relaxed: it shares nothing but the number.
    std::uint64_t seen = used.load(std::memory_order_relaxed);
    std::uint64_t first;
    do {
        first = platform::round_up(seen, aligned);
        if (wanted > all.control_bytes() / unit_bytes ||
            first > all.control_bytes() / unit_bytes - wanted)
            return 0;
    } while (!used.compare_exchange_weak(seen, first + wanted, std::memory_order_relaxed));
    return static_cast<place>(first);
}

} // namespace saguaro::spmc
