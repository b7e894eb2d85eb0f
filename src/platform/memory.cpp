// SPDX-License-Identifier: MIT
#include "platform/memory.hpp"

#include <cerrno>
#include <cstdint>
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

void release(void *p, std::size_t bytes) {
    munmap(p, bytes);
}

bool protect_none(void *p, std::size_t bytes) {
    return mprotect(p, bytes, PROT_NONE) == 0;
}

void discard(void *p, std::size_t bytes) {
    madvise(p, bytes, MADV_DONTNEED);
}

} // namespace saguaro::platform
