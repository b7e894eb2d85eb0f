// SPDX-License-Identifier: MIT
#include "platform/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace saguaro::platform {

std::size_t page_size() {
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t round_to_pages(std::size_t bytes) {
    return (bytes + page_size() - 1) & ~(page_size() - 1);
}

void *reserve(std::size_t bytes) {
    void *const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return nullptr;
    // Fails where the kernel has no huge pages, and then there is nothing to forbid.
    madvise(p, bytes, MADV_NOHUGEPAGE);
    return p;
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
