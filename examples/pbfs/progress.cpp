// SPDX-License-Identifier: MIT
// Printing how far a load has come, on a terminal and elsewhere.
#include "progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace saguaro::pbfs {

progress::progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
    if (drawn_ && terminal_)
        std::fputs("\r\033[K", stderr);
}

void progress::report(std::uint64_t done) {
    const auto now = clock::now();
    const auto interval = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(5);
    if (now - last_ < interval)
        return;
    last_ = now;
    drawn_ = true;
    const double share = 100.0 * static_cast<double>(done) / static_cast<double>(total_);
    std::fprintf(stderr, "%spbfs: %s: %.1f of %.1f million (%.0f %%)%s", terminal_ ? "\r" : "",
                 what_.c_str(), static_cast<double>(done) / 1e6, static_cast<double>(total_) / 1e6,
                 share, terminal_ ? "\033[K" : "\n");
}

} // namespace saguaro::pbfs
