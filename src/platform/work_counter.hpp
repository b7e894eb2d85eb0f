// SPDX-License-Identifier: MIT
// A count of what a thread has done in user mode, by a counter of the processor: the same for the
// same instructions, however long they take. Linux lends such counters by perf_event_open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace saguaro::platform {

class work_counter {
public:
    // Counts nothing.
    work_counter() = default;
    // The calling thread's, from now on. If the system has none, it is none, and `why` says what
    // is missing. 1 ms: it tries whether two equal loops have equal counts.
    explicit work_counter(std::string &why);
    // Another process's, which has told its descriptor and its `event`. The kernel has to let this
    // process trace that one. If that fails, it is none, and errno says why. It is none as well if
    // the descriptor is of something else: the process has another number elsewhere, or has ended,
    // or has closed its counter. The copy of the descriptor has the number `least` or the next free
    // one, but for a moment, so the numbers of what the program opens do not depend on it.
    work_counter(int process, int descriptor, std::uint64_t event, int least);
    ~work_counter();
    work_counter(work_counter &&other) noexcept;
    work_counter &operator=(work_counter &&other) noexcept;

    explicit operator bool() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    // The kernel's number of this counter, which no other one has.
    std::uint64_t event() const { return event_; }

    // The count so far, which never falls. Two system calls; for another process's an interrupt of
    // the processor on which its thread runs as well. None: the system has taken the counter away,
    // or the program has closed the descriptor. Of a file of the program's nothing is read.
    std::optional<std::uint64_t> read() const;

private:
    int descriptor_ = -1;
    std::uint64_t event_ = 0;
};

// A copy of another process's descriptor, which the kernel gives to whoever may trace that process.
// Negative: errno says why, and ESRCH that the process has ended.
int descriptor_of(int process, int descriptor);

// Why the call failed with this error number, in words of whoever may change it.
std::string why_no_work_counter(int error_number);

} // namespace saguaro::platform
