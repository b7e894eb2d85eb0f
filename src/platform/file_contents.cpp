// SPDX-License-Identifier: MIT
// Reading a file by system calls.
#include "platform/file_contents.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

namespace saguaro::platform {

std::string contents_of(const std::string &path) {
    std::string all;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return all;
    constexpr std::size_t step = 4096;
    for (ssize_t got = 1; got > 0;) {
        const std::size_t before = all.size();
        all.resize(before + step);
        got = ::read(file, all.data() + before, step);
        all.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    close(file);
    return all;
}

} // namespace saguaro::platform
