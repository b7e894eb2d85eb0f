// SPDX-License-Identifier: MIT
// Opening a recording's file, writing events through the buffer, and closing it.
#include "record/file.hpp"

#include "platform/output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace saguaro::record {

int open_alone(const std::string &name) {
    const int made = platform::open_output(name.c_str(), platform::contents::kept);
    if (made < 0)
        return -1;
    struct stat seen;
    const bool is_regular = fstat(made, &seen) == 0 && S_ISREG(seen.st_mode);
    // A file system that has no locks refuses in another way.
    if (!is_regular || flock(made, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return made;
    close(made);
    errno = EWOULDBLOCK;
    return -1;
}

bool is_pipe(const std::string &name) {
    struct stat seen;
    return stat(name.c_str(), &seen) == 0 && S_ISFIFO(seen.st_mode);
}

file::file(const std::string &name) : descriptor_(open_alone(name)) {
    if (descriptor_ < 0)
        throw std::system_error(errno, std::generic_category());
    // What is empty stays as it is, and a pipe has no length. ext4 writes a file that was cut off
    // to the disk when it is closed, and the program would wait for that.
    struct stat seen;
    if (fstat(descriptor_, &seen) == 0 && seen.st_size > 0 && ftruncate(descriptor_, 0) != 0) {
        const int error = errno;
        ::close(descriptor_);
        throw std::system_error(error, std::generic_category());
    }
    for (const char *at = magic; *at != '\0'; ++at)
        put_byte(static_cast<unsigned char>(*at));
    for (unsigned shift = 0; shift < 32; shift += 8)
        put_byte(static_cast<unsigned char>(version >> shift));
}

file::~file() {
    close();
}

void file::flush() {
    std::size_t done = 0;
    while (done < used_ && error_ == 0) {
        const ssize_t count = write(descriptor_, buffer_.get() + done, used_ - done);
        if (count >= 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            error_ = errno; // what follows would have a hole before it
    }
    used_ = 0;
}

int file::close() {
    if (descriptor_ >= 0) {
        flush();
        if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0)
            error_ = errno;
    }
    return error_;
}

} // namespace saguaro::record
