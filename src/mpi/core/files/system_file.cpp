// SPDX-License-Identifier: MIT
// The system calls of a file, repeated until all bytes have been moved.
#include "mpi/core/files/system_file.hpp"

#include "mpi/core/interface/constants.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

// Linux moves at most 2 GB less a page at a time.
constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

constexpr mode_t permissions = 0666; // less the process's mask

// Calls move(done) until it has moved all bytes, or 0.
template <class Move>
int move_all(std::int64_t bytes, std::int64_t *done, Move move) {
    *done = 0;
    while (*done < bytes) {
        const ssize_t moved =
            move(*done, static_cast<std::size_t>(std::min(bytes - *done, most_at_once)));
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved < 0)
            return class_of_errno(errno);
        if (moved == 0)
            break;
        *done += moved;
    }
    return abi::success;
}

template <class Call>
int until_not_interrupted(Call call) {
    while (call() != 0)
        if (errno != EINTR)
            return class_of_errno(errno);
    return abi::success;
}

} // namespace

int class_of_errno(int code) {
    switch (code) {
    case EACCES:
    case EPERM:
        return abi::err_access;
    case ENOENT:
        return abi::err_no_such_file;
    case EEXIST:
        return abi::err_file_exists;
    case EROFS:
        return abi::err_read_only;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        return abi::err_bad_file;
    case ENOSPC:
    case EFBIG:
        return abi::err_no_space;
    case EDQUOT:
        return abi::err_quota;
    case ETXTBSY:
    case EBUSY:
        return abi::err_file_in_use;
    case ENOMEM:
        return abi::err_no_mem;
    case EOPNOTSUPP:
        return abi::err_unsupported_operation;
    default:
        return abi::err_io;
    }
}

const char *path_of(const char *name) {
    static constexpr const char *prefixes[] = {
        "ufs:",    "nfs:",  "xfs:",    "testfs:", "panfs:",   "pvfs2:",
        "lustre:", "gpfs:", "zoidfs:", "daos:",   "quobyte:", "ime:"};
    for (const char *const each : prefixes)
        if (std::strncmp(name, each, std::strlen(each)) == 0)
            return name + std::strlen(each);
    return name;
}

int system_file::open(const char *path, int flags) {
    do
        descriptor_ = ::open(path, flags | O_CLOEXEC, permissions);
    while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0)
        return class_of_errno(errno);
    // Linux opens a folder for reading, and refuses to read it.
    struct stat known{};
    if (fstat(descriptor_, &known) == 0 && S_ISDIR(known.st_mode)) {
        close();
        return abi::err_bad_file;
    }
    return abi::success;
}

int system_file::close() {
    if (descriptor_ < 0)
        return abi::success;
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    // Linux has closed an interrupted one as well.
    return closed == 0 || errno == EINTR ? abi::success : class_of_errno(errno);
}

int system_file::read(void *to, std::int64_t bytes, std::int64_t from, std::int64_t *done) const {
    return move_all(bytes, done, [&](std::int64_t at, std::size_t n) {
        return pread(descriptor_, static_cast<char *>(to) + at, n, from + at);
    });
}

int system_file::write(const void *from, std::int64_t bytes, std::int64_t to,
                       std::int64_t *done) const {
    return move_all(bytes, done, [&](std::int64_t at, std::size_t n) {
        return pwrite(descriptor_, static_cast<const char *>(from) + at, n, to + at);
    });
}

int system_file::size(std::int64_t *out) const {
    struct stat known{};
    if (fstat(descriptor_, &known) != 0)
        return class_of_errno(errno);
    *out = known.st_size;
    return abi::success;
}

int system_file::set_size(std::int64_t bytes) const {
    return until_not_interrupted([&] { return ftruncate(descriptor_, bytes); });
}

int system_file::allocate(std::int64_t bytes) const {
    int code;
    do // which sets no errno
        code = bytes == 0 ? 0 : posix_fallocate(descriptor_, 0, bytes);
    while (code == EINTR);
    return code == 0 ? abi::success : class_of_errno(code);
}

int system_file::sync() const {
    return until_not_interrupted([&] {
        // A pipe or a terminal has nothing to write out.
        return fsync(descriptor_) != 0 && errno != EINVAL ? -1 : 0;
    });
}

} // namespace saguaro::mpi
