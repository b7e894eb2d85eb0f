// SPDX-License-Identifier: MIT
// Reserving, committing, protecting and discarding pages with mmap, mprotect and madvise.
#include "platform/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

constexpr int writable = PROT_READ | PROT_WRITE;

// Where the system likes, or at `hint`, if nothing is there.
void *map_at(void *hint, std::size_t bytes, int access) {
    void *const p = mmap(hint, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p != MAP_FAILED ? p : nullptr;
}

void *map_aligned(std::size_t bytes, std::size_t alignment, int access) {
    const auto misplaced = [alignment](const void *p) {
        return reinterpret_cast<std::uintptr_t>(p) & (alignment - 1);
    };
    // Below another of the same alignment the system often gives what is asked for.
    char *p = static_cast<char *>(map_at(nullptr, bytes, access));
    if (p == nullptr || misplaced(p) == 0)
        return p;
    // The system takes from the top of what is free, so what is just below is most often free.
    release(p, bytes);
    p = static_cast<char *>(map_at(p - misplaced(p), bytes, access));
    if (p == nullptr || misplaced(p) == 0)
        return p;
    release(p, bytes);
    const std::size_t more = bytes + alignment - page_size();
    if (more < bytes)
        return nullptr;
    p = static_cast<char *>(map_at(nullptr, more, access));
    if (p == nullptr)
        return nullptr;
    const std::size_t before = misplaced(p) == 0 ? 0 : alignment - misplaced(p);
    if (before > 0)
        release(p, before);
    if (const std::size_t behind = more - before - bytes; behind > 0)
        release(p + before + bytes, behind);
    return p + before;
}

// Whether new memory of the process is locked and in memory at once (MCL_FUTURE). The system does
// not say, so a page is looked at that nobody has touched.
bool locks_all_memory() {
    void *const page =
        mmap(nullptr, page_size(), writable, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page == MAP_FAILED)
        return false;
    unsigned char is_there = 0;
    const bool locks = mincore(page, page_size(), &is_there) == 0 && (is_there & 1) != 0;
    release(page, page_size());
    return locks;
}

void *in_small_pages(void *p, std::size_t bytes) {
    // Fails where the kernel has no huge pages, and then there is nothing to forbid.
    if (p != nullptr)
        madvise(p, bytes, MADV_NOHUGEPAGE);
    return p;
}

void *uncounted(void *p, std::size_t bytes) {
    // Nothing of it is in memory, but all of it counts as locked if new memory is.
    if (in_small_pages(p, bytes) != nullptr)
        munlock(p, bytes);
    return p;
}

// Whether the mapping that begins here, of which nothing is in memory, is locked: such memory alone
// cannot be discarded. (Nor by MS_INVALIDATE: valgrind takes msync for a read.)
bool is_locked(void *p) {
    return madvise(p, page_size(), MADV_DONTNEED) != 0;
}

bool system_keeps_strict_account() {
    char mode = '0';
    const int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool known = ::read(file, &mode, 1) == 1;
    ::close(file);
    return known && mode == '2';
}

bool is_limited() {
    rlimit data{};
    return getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY;
}

} // namespace

std::size_t page_size() {
    // Relaxed: threads that ask the system at once hear the same.
    static constinit std::atomic<std::size_t> known{0};
    std::size_t bytes = known.load(std::memory_order_relaxed);
    if (bytes == 0) [[unlikely]]
        known.store(bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
                    std::memory_order_relaxed);
    return bytes;
}

std::size_t round_to_pages(std::size_t bytes) {
    return (bytes + page_size() - 1) & ~(page_size() - 1);
}

void *reserve(std::size_t bytes) {
    return in_small_pages(map_at(nullptr, bytes, writable), bytes);
}

void *reserve_aligned(std::size_t bytes, std::size_t alignment) {
    return in_small_pages(map_aligned(bytes, alignment, writable), bytes);
}

void *reserve_addresses(std::size_t bytes) {
    return uncounted(map_at(nullptr, bytes, PROT_NONE), bytes);
}

void *reserve_aligned_addresses(std::size_t bytes, std::size_t alignment) {
    return uncounted(map_aligned(bytes, alignment, PROT_NONE), bytes);
}

void *reserve_partly(std::size_t bytes, std::size_t committed) {
    void *const p = in_small_pages(map_at(nullptr, bytes, PROT_NONE), bytes);
    if (p == nullptr)
        return nullptr;
    if (is_locked(p)) {
        munlock(p, bytes);
        mlock2(p, committed, MLOCK_ONFAULT); // as `commit` does
    }
    if (mprotect(p, committed, writable) == 0)
        return p;
    const int refusal = errno;
    release(p, bytes);
    errno = refusal;
    return nullptr;
}

void make_addresses(void *p, std::size_t bytes) {
    const auto begin = round_to_pages(reinterpret_cast<std::uintptr_t>(p));
    const auto end = (reinterpret_cast<std::uintptr_t>(p) + bytes) & ~(page_size() - 1);
    if (begin >= end)
        return;
    void *const pages = reinterpret_cast<void *>(begin);
    // Not mprotect: what was once writable stays on the system's account. To be read all the same:
    // leak checkers and garbage collectors read all of a program's objects.
    if (mmap(pages, end - begin, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
             -1, 0) == MAP_FAILED)
        return;
    madvise(pages, end - begin, MADV_NOHUGEPAGE);
    munlock(pages, end - begin);
}

bool commit(void *p, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(p) & ~(page_size() - 1);
    const auto end = round_to_pages(reinterpret_cast<std::uintptr_t>(p) + bytes);
    void *const pages = reinterpret_cast<void *>(begin);
    // Before they can be touched, or all would be in memory at once. Refused (RLIMIT_MEMLOCK), they
    // are memory like any other.
    if (locks_all_memory())
        mlock2(pages, end - begin, MLOCK_ONFAULT);
    return mprotect(pages, end - begin, writable) == 0;
}

bool untouched_memory_costs() {
    return is_limited() || system_keeps_strict_account() || locks_all_memory();
}

void allow_huge_pages(void *p, std::size_t bytes) {
    // Fails where the kernel has none, and then nothing is lost.
    madvise(p, bytes, MADV_HUGEPAGE);
}

void release(void *p, std::size_t bytes) {
    munmap(p, bytes);
}

bool make_read_only(void *p, std::size_t bytes) {
    return mprotect(p, bytes, PROT_READ) == 0;
}

bool protect_none(void *p, std::size_t bytes) {
    return mprotect(p, bytes, PROT_NONE) == 0;
}

namespace {

constexpr int advice_guard_install = 102; // MADV_GUARD_INSTALL, which older headers lack

std::atomic<bool> light_guards_forbidden{false};

// An emulator may take the advice, do nothing and say that all is well. So let the kernel write a
// random byte to a guarded page: it cannot. (Not by sigprocmask or the like: valgrind reads what
// those are given by itself, and ends.)
bool kernel_can_write(void *page) {
    return getrandom(page, 1, GRND_NONBLOCK) >= 0 || errno != EFAULT;
}

bool try_light_guard() {
    void *const page = reserve(page_size());
    if (page == nullptr)
        return false;
    const bool works =
        madvise(page, page_size(), advice_guard_install) == 0 && !kernel_can_write(page);
    release(page, page_size());
    return works;
}

} // namespace

bool light_guards() {
    // Not a variable of a static initializer, whose lock a fork may leave held. Relaxed: who does
    // not see the answer tries as well.
    static std::atomic<int> can{-1};
    int known = can.load(std::memory_order_relaxed);
    if (known < 0) {
        known = try_light_guard() ? 1 : 0;
        can.store(known, std::memory_order_relaxed);
    }
    // Relaxed: tests set it where one thread runs.
    return known != 0 && !light_guards_forbidden.load(std::memory_order_relaxed);
}

void forbid_light_guards(bool forbidden) {
    light_guards_forbidden.store(forbidden, std::memory_order_relaxed);
}

bool guard(void *p, std::size_t bytes) {
    // Refused for memory that is locked (mlockall) on some kernels: then as without.
    return (light_guards() && madvise(p, bytes, advice_guard_install) == 0) ||
           protect_none(p, bytes);
}

std::optional<std::size_t> pages_present(void *p, std::size_t bytes) {
    constexpr std::size_t at_once = 512;
    unsigned char is_there[at_once];
    std::size_t present = 0;
    for (std::size_t at = 0; at < bytes; at += at_once * page_size()) {
        const std::size_t piece = std::min(bytes - at, at_once * page_size());
        if (mincore(static_cast<char *>(p) + at, piece, is_there) != 0)
            return std::nullopt;
        present += static_cast<std::size_t>(
            std::count_if(is_there, is_there + piece / page_size(),
                          [](unsigned char each) { return (each & 1) != 0; }));
    }
    return present;
}

void discard(void *p, std::size_t bytes) {
    madvise(p, bytes, MADV_DONTNEED);
}

} // namespace saguaro::platform
