// SPDX-License-Identifier: MIT
// Opening a file to write without following a link, for its owner alone.
#include "platform/output_file.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::platform {

namespace {

constexpr mode_t owner_alone = S_IRUSR | S_IWUSR;

// The descriptor of this process that a name in /dev stands for; -1: none.
int descriptor_named(std::string_view name) {
    if (name == "/dev/stdout")
        return STDOUT_FILENO;
    if (name == "/dev/stderr")
        return STDERR_FILENO;
    constexpr std::string_view folder = "/dev/fd/";
    if (!name.starts_with(folder))
        return -1;
    name.remove_prefix(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

} // namespace

int open_output(const char *name, contents former) {
    if (const int named = descriptor_named(name); named >= 0)
        return fcntl(named, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int truncated = former == contents::removed ? O_TRUNC : 0;
    return open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | truncated, owner_alone);
}

std::FILE *open_output_stream(const char *name) {
    const int descriptor = open_output(name, contents::removed);
    if (descriptor < 0)
        return nullptr;
    std::FILE *const stream = fdopen(descriptor, "w");
    if (stream == nullptr) {
        const int why = errno;
        close(descriptor);
        errno = why;
    }
    return stream;
}

} // namespace saguaro::platform
