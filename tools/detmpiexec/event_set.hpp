// SPDX-License-Identifier: MIT
// A set of descriptors that the launcher waits for, each with what it tells of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/epoll.h>
#include <vector>

namespace saguaro::detmpiexec {

enum class source : std::uint32_t {
    rank_end,        // the process of a rank has ended
    standard_output, // a rank has written there
    standard_error,
    rank_streams, // any of these two
    signal,
    room, // one of the launcher's own streams takes more
    doorbell,
};

struct event {
    source kind;
    std::size_t index; // of the rank or the stream, as it was given to `add`
};

// The functions end the launcher with a line if the system refuses.
class event_set {
public:
    event_set();
    event_set(const event_set &) = delete;
    event_set &operator=(const event_set &) = delete;

    // Can be in a set itself.
    int descriptor() const { return descriptor_; }

    void add(int watched, source kind, std::size_t index = 0, std::uint32_t events = EPOLLIN);
    void remove(int watched);

    // Some of what there is, after so many milliseconds at most; -1: there is no limit. A signal
    // ends the wait.
    std::vector<event> wait(int milliseconds);

private:
    int descriptor_;
};

} // namespace saguaro::detmpiexec
