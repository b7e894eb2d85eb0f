// SPDX-License-Identifier: MIT
#include "platform/memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

// Room that is left to what grows upwards from a floor: the heap of the C library's brk.
constexpr std::uintptr_t left_to_others = std::uintptr_t{1} << 30;

// Where `hint` says, or wherever the system likes if that is 0. Null: no room; EEXIST: not there.
void *reserve_at(std::uintptr_t hint, std::size_t bytes) {
    const int fixed = hint != 0 ? MAP_FIXED_NOREPLACE : 0;
    void *const p = mmap(reinterpret_cast<void *>(hint), bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (p == MAP_FAILED)
        return nullptr;
    if (hint != 0 && reinterpret_cast<std::uintptr_t>(p) != hint) {
        munmap(p, bytes); // an emulator that does not know the flag
        errno = ENOTSUP;
        return nullptr;
    }
    // Fails where the kernel has no huge pages, and then there is nothing to forbid.
    madvise(p, bytes, MADV_NOHUGEPAGE);
    return p;
}

} // namespace

std::size_t page_size() {
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t round_to_pages(std::size_t bytes) {
    return (bytes + page_size() - 1) & ~(page_size() - 1);
}

void *reserve(std::size_t bytes) {
    return reserve_at(0, bytes);
}

void *reserve_above(const void *floor, std::size_t bytes) {
    void *const anywhere = reserve(bytes);
    if (anywhere == nullptr || anywhere >= floor)
        return anywhere;
    // Upwards until there is room, or no more address space.
    std::uintptr_t hint = round_to_pages(reinterpret_cast<std::uintptr_t>(floor)) + left_to_others;
    void *above;
    do {
        above = reserve_at(hint, bytes);
        hint += bytes;
    } while (above == nullptr && errno == EEXIST);
    if (above == nullptr)
        return anywhere;
    release(anywhere, bytes);
    return above;
}

void *reserve_aligned(std::size_t bytes, std::size_t alignment) {
    const auto misplaced = [alignment](const void *p) {
        return reinterpret_cast<std::uintptr_t>(p) & (alignment - 1);
    };
    // Below another of the same alignment the system often gives what is asked for.
    void *const lucky = reserve(bytes);
    if (lucky == nullptr || misplaced(lucky) == 0)
        return lucky;
    release(lucky, bytes);
    const std::size_t more = bytes + alignment - page_size();
    if (more < bytes)
        return nullptr;
    char *const p = static_cast<char *>(reserve(more));
    if (p == nullptr)
        return nullptr;
    const std::size_t before = misplaced(p) == 0 ? 0 : alignment - misplaced(p);
    if (before > 0)
        release(p, before);
    if (const std::size_t behind = more - before - bytes; behind > 0)
        release(p + before + bytes, behind);
    return p + before;
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

// An emulator may take the advice, do nothing and say that all is well. So let the kernel read from
// a guarded page, into a pipe: it cannot. (Not by sigprocmask or the like: valgrind reads what
// those are given by itself, and ends.)
bool kernel_can_read(const void *page) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return true;
    const bool could = write(ends[1], page, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return could;
}

bool try_light_guard() {
    void *const page = reserve(page_size());
    if (page == nullptr)
        return false;
    const bool works =
        madvise(page, page_size(), advice_guard_install) == 0 && !kernel_can_read(page);
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

void discard(void *p, std::size_t bytes) {
    madvise(p, bytes, MADV_DONTNEED);
}

} // namespace saguaro::platform
