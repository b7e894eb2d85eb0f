// SPDX-License-Identifier: MIT
// Progress of long loads, on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace saguaro::pbfs {

/// On a terminal, one line that is redrawn ten times a second and gone at the end. Elsewhere (a
/// log, a pipe) a line every five seconds, so that a short load, or a short failure, adds nothing.
/// One thread at a time.
class progress {
public:
    /// `what` is put before the numbers; `total` is how many steps there are, at least 1.
    progress(std::string what, std::uint64_t total);
    ~progress();
    progress(const progress &) = delete;
    progress &operator=(const progress &) = delete;

    /// `done` steps are done. Cheap enough for every step: only one call in 65,536 reads the clock.
    void update(std::uint64_t done) {
        if ((done & 0xffff) == 0)
            report(done);
    }

private:
    using clock = std::chrono::steady_clock;

    void report(std::uint64_t done);

    std::string what_;
    std::uint64_t total_;
    bool terminal_;
    bool drawn_ = false;
    clock::time_point last_ = clock::now();
};

} // namespace saguaro::pbfs
