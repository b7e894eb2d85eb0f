// SPDX-License-Identifier: MIT
// Writing and reading the bytes of jobs.
#include "pools/given.hpp"

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::pools {

namespace {

// So much is given back at once, because each time is a call of the system.
constexpr std::int64_t freed_at_once = 1 << 20;

// Reads or writes all of it. 0, or an error number.
template <class Move>
int move_all(Move move, std::size_t size, std::int64_t at) {
    for (std::size_t moved = 0; moved < size;) {
        const ssize_t now = move(moved, at + static_cast<std::int64_t>(moved));
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return now < 0 ? errno : EIO;
        moved += static_cast<std::size_t>(now);
    }
    return 0;
}

} // namespace

given_jobs::given_jobs(std::size_t room)
    : room_(room), file_(memfd_create("saguaro-jobs", MFD_CLOEXEC)) {
    void *const begin = mmap(nullptr, room * sizeof(place), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    places_ = static_cast<place *>(begin);
    if (file_ >= 0 && begin != MAP_FAILED)
        return;
    if (file_ >= 0)
        close(file_);
    if (begin != MAP_FAILED)
        munmap(begin, room * sizeof(place));
    throw std::bad_alloc();
}

given_jobs::~given_jobs() {
    close(file_);
    munmap(places_, room_ * sizeof(place));
}

int given_jobs::write(std::size_t job, const void *data, std::size_t size, unsigned attempts) {
    const auto *const from = static_cast<const char *>(data);
    const int refused =
        move_all([&](std::size_t moved,
                     std::int64_t at) { return pwrite(file_, from + moved, size - moved, at); },
                 size, end_);
    if (refused != 0)
        return refused;
    of(job) = {end_, size, attempts};
    end_ += static_cast<std::int64_t>(size);
    return 0;
}

void given_jobs::read(std::size_t job, std::string &into) const {
    const place its = of(job);
    into.resize(its.size);
    if (move_all(
            [&](std::size_t moved, std::int64_t at) {
                return pread(file_, into.data() + moved, its.size - moved, at);
            },
            its.size, its.at) != 0)
        throw std::bad_alloc();
}

std::size_t given_jobs::bytes() const {
    struct stat its;
    return fstat(file_, &its) == 0 ? static_cast<std::size_t>(its.st_blocks) * 512 : 0;
}

void given_jobs::done_up_to(std::size_t job) {
    if (job == 0)
        return;
    const place &last = of(job - 1);
    const std::int64_t end = last.at + static_cast<std::int64_t>(last.size);
    if (end - freed_ < freed_at_once)
        return;
    // Where the system cannot, the memory stays until the stream is freed.
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, freed_, end - freed_);
    freed_ = end;
}

} // namespace saguaro::pools
