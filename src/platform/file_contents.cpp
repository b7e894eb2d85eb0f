// SPDX-License-Identifier: MIT
// Reading a file by system calls.
#include "platform/file_contents.hpp"

#include <array>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

namespace saguaro::platform {

std::string contents_of(const std::string &path) {
    std::string all;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return all;
    // Most files are shorter than this. The stack has its pages already; a string of that size
    // would have to get them from the kernel.
    std::array<char, 4096> piece;
    for (;;) {
        const ssize_t got = ::read(file, piece.data(), piece.size());
        if (got <= 0)
            break;
        all.append(piece.data(), static_cast<std::size_t>(got));
    }
    close(file);
    return all;
}

} // namespace saguaro::platform
