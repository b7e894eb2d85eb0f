// SPDX-License-Identifier: MIT
// A file of the operating system. Interrupted and partial system calls go on until all is done.
#pragma once

#include <cstdint>
#include <string>

namespace saguaro::mpi {

// The error class of an `errno`.
int class_of_errno(int code);

// The path of a file name as ROMIO takes it: a prefix that names a kind of file system is skipped.
const char *path_of(const char *name);

class system_file {
public:
    system_file() = default;
    ~system_file() { close(); }
    system_file(const system_file &) = delete;
    system_file &operator=(const system_file &) = delete;

    // Each returns an error class. `flags` are those of open(2).
    int open(const char *path, int flags);
    int close();
    // Reads until the file ends, at most: `*done` bytes.
    int read(void *to, std::int64_t bytes, std::int64_t from, std::int64_t *done) const;
    int write(const void *from, std::int64_t bytes, std::int64_t to, std::int64_t *done) const;
    int size(std::int64_t *out) const;
    int set_size(std::int64_t bytes) const;
    // Room for so many bytes from the file's begin, which grows to that size if it is shorter.
    int allocate(std::int64_t bytes) const;
    int sync() const;

private:
    int descriptor_ = -1;
};

} // namespace saguaro::mpi
