// SPDX-License-Identifier: MIT
// SAGUARO_TRACE: notes what the calling space does, in memory of the job. Without the variable each
// of these functions is a look at a pointer.
#pragma once

#include "spmc/job.hpp"
#include "spmc/trace/layout.hpp"

#include <cstdint>

namespace saguaro::spmc::trace {

// The calling space's log; null if it has none.
extern constinit log *mine;

// In the root, before it has any child: looks at the variable, and opens the file. Ends the process
// with a line if the value is not accepted, or the file cannot be written.
void begin_job(const job &all);

// In a child that has just begun; in its program that has.
void begin_space(const job &all);
void begin_program(const job &all);

// A space ends, by itself or with a line. The root writes the file. Callable in a signal handler,
// and by several threads, of which the first does it. False after a line if the calling thread
// could not write the file.
bool end_space(const job &all);

// Notes an event of this moment: layout.hpp. `mine` must not be null.
void note(kind what, std::uint32_t of, std::uint64_t count = 0, std::uint64_t bytes = 0,
          std::uint32_t consumer = 0, std::uint64_t where = 0);

// A channel that this space has made; a space that it begins; pages that it fixes or extends. These
// do nothing without a trace.
void note_channel(place channel);
void note_creation(slot child);
void note_pages(kind what, const void *address, std::uint64_t bytes);

// A wait, as long as the object lives, or until the thread ends the space. Waits of less than
// `least_wait_ns` are not noted.
class wait {
public:
    wait(kind what, std::uint32_t of, std::uint64_t count = 0, std::uint64_t where = 0) {
        if (mine != nullptr) [[unlikely]]
            begin(what, of, count, where);
    }
    ~wait() {
        if (since_ != 0) [[unlikely]]
            end();
    }

    wait(const wait &) = delete;
    wait &operator=(const wait &) = delete;

    void end();

private:
    void begin(kind what, std::uint32_t of, std::uint64_t count, std::uint64_t where);

    std::int64_t since_ = 0; // 0: it is not noted
    kind what_ = kind::none;
    std::uint32_t of_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t where_ = 0;
    wait *around_ = nullptr; // a wait in a signal handler may interrupt another
};

inline constexpr std::int64_t least_wait_ns = 1000;

} // namespace saguaro::spmc::trace
