// SPDX-License-Identifier: MIT
// The rule that orders messages and answers of polls: by clock, or for comparison by arrival. What
// came first can be recorded, and forced in a later run: detmpiexec -order.
//
// Two kinds of outcome are open where nobody waits for the clock: from whom a receive from any
// source takes its message, and what a poll or a choice says. Everything else follows. Receives
// have numbers in the order of their posting, because they may be decided in another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {
class awaited_event;
} // namespace saguaro::mpi

namespace saguaro::mpi::order {

// `clock` counts calls and declared costs, `work` what the program does besides.
enum class rule { clock, work, arrival, record, replay };

extern rule by;
inline bool is_by_clock() {
    return by <= rule::work;
}
// The program's own work moves the clock as well.
inline bool counts_work() {
    return by == rule::work;
}

// Looks at the variable. Ends the process with a line if the value is wrong, or the file cannot be
// read or written.
// `ranks` are there at first, and never more than `most`.
void begin(std::uint32_t rank, std::uint32_t ranks, std::uint32_t most);

// Writes what is left so far. There may be no end.
void flush();
// Writes what is left of the file; ends the process with a line if something is left of a replay.
void end();

inline constexpr std::uint32_t nobody_yet = UINT32_MAX; // when it was recorded, none had come

// The receive of that number, from 1, takes a message of this source. A replay ends the process
// with a line where the program differs from what was recorded, here and below.
void note_source(std::uint64_t receive, std::int32_t tag, std::uint32_t source);
std::uint32_t source_of(std::uint64_t receive, std::int32_t tag);

// Around the wait for a decision: what it must say, or null; and what it has said.
const std::vector<int> *next_outcome(const char *call);
std::size_t checked_place(int place, std::size_t places); // ends the process if there is none
void note_outcome(const char *call, const std::vector<int> &what);

} // namespace saguaro::mpi::order
