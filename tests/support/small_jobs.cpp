// SPDX-License-Identifier: MIT
// The C library's `mmap` for programs in an emulator, which keeps a note of each page of a mapping:
// for the area of 64 GB that the spaces of a job share it takes half a second and 400 MB a job.
// Here there are no addresses for so much, and the library takes the most that there are.
#include <cerrno>
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// The entries of regions of 64 GB.
constexpr std::size_t most_shared_bytes = std::size_t{512} << 20;

} // namespace

extern "C" void *mmap(void *where, std::size_t bytes, int protection, int flags, int fd,
                      off_t offset) noexcept {
    // A region has its place, and what it costs is what the tests ask for.
    if (bytes > most_shared_bytes && (flags & MAP_SHARED) != 0 && (flags & MAP_FIXED) == 0) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return reinterpret_cast<void *>(syscall(SYS_mmap, where, bytes, protection, flags, fd, offset));
}
