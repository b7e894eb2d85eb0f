// SPDX-License-Identifier: MIT
// A clear last word when a stack of a pool overflows.
//
// A frame that reaches below its stack touches the guard, the kernel sends SIGSEGV, and the report
// says on stderr who it was and which setting helps (the purpose of the stack tells):
//
//     saguaro: worker 1 overflowed its stack of 8388608 bytes; SAGUARO_STACK_SIZE=BYTES makes it
//     larger
//
// (in one line); then the process ends as by any SIGSEGV (status 139 in a shell, core dump if
// enabled). A frame larger than the guard may step over it. If it then faults, and the stack
// pointer is less than 64 MB below the stack, there is a report as well; where its first access
// finds other memory of the program, there is none, unless its code touches each page on the way
// (-fstack-clash-protection). The guard is 1 MB below the stacks of 8 MB that flows have by
// default; shape.hpp has the others.
#pragma once

#include <cstddef>
#include <mutex>

namespace saguaro::stacks {

// While one of these exists, the handlers for SIGSEGV and SIGBUS are ours. Faults elsewhere go to
// the handlers that were there before, as if ours had never been installed; when the last one ends,
// the former are put back. If somebody has installed others meanwhile, ours stay underneath and
// hand every fault on.
//
// Each user of stacks has one, from before its first stack is used until after its last. From any
// thread.
class overflow_report {
public:
    overflow_report();
    ~overflow_report();

    overflow_report(const overflow_report &) = delete;
    overflow_report &operator=(const overflow_report &) = delete;
};

// Held over a fork: a leaf.
std::mutex &overflow_lock();

// A handler cannot run on the stack that has just overflowed: each thread of the runtime's has one
// of these, from its begin to its end. What was there before is put back at the end, unless
// somebody has put another in its place.
class alternate_stack {
public:
    // Without memory for it the thread goes on without: an overflow then kills without a word.
    alternate_stack();
    ~alternate_stack();

    alternate_stack(const alternate_stack &) = delete;
    alternate_stack &operator=(const alternate_stack &) = delete;

private:
    void *memory_;
    std::size_t bytes_;
    void *former_memory_ = nullptr;
    std::size_t former_bytes_ = 0;
    int former_flags_ = 0;
};

// The same for a thread that is not ours, until it ends; unless it has one, which stays. A system
// call or two for a thread's first call, then some 2 ns.
void lend_alternate_stack();

} // namespace saguaro::stacks
