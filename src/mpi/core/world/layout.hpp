// SPDX-License-Identifier: MIT
// The memory that the ranks of a world share, as it lies in the control area of the job
// (spmc/layout.hpp): ../../README.md, "The world". All of it begins as zeros.
#pragma once

#include "spmc/layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::mpi {

using spmc::place;

// A rank's clock, or a bound of one.
using clock_value = std::uint64_t;
inline constexpr clock_value forever = UINT64_MAX / 4; // that nobody reaches
inline constexpr clock_value latency = 1;              // from a send's clock to the arrival
// Of a rank that somebody outside of the job may let go on: later than any message, but not never.
inline constexpr clock_value from_outside = forever / 2;

inline constexpr std::uint32_t most_ranks = 1024;

// What tells the messages of communicators apart: ../communicators/README.md.
using context_value = std::uint64_t;

// Messages of collectives that do not block have a context of their own. They carry the clock of
// their sender, as messages from point to point do.
inline constexpr context_value nonblocking_context = context_value{1} << 63;

// Messages of a collective, blocking or not. Two of them from one rank to another may have the same
// stamp, for a neighbour may be one twice; two messages from point to point never do.
inline constexpr bool is_of_a_collective(context_value context) {
    return (context & (nonblocking_context | 1)) != 0;
}

// `number` of a message: of a synchronous send, from 1; of a collective's message, which call has
// sent it (../collectives/calls.hpp); 0 of all others.
inline constexpr bool is_synchronous(context_value context, std::uint32_t number) {
    return number != 0 && !is_of_a_collective(context);
}

// That communicators may have, but for the predefined ones: communicators/communicators.hpp.
inline constexpr context_value most_contexts = (context_value{1} << 55) - 3;

// ---- Messages ----

enum class kind : std::uint16_t {
    here,    // its data follow the header
    block,   // its data lie in a block, whose place follows the header
    matched, // tells the sender of a synchronous send when its message was matched
    skip,    // the next record stands at the ring's begin
    moved,   // the next record stands in another ring
};

// One message on its way, in a ring: a line, and more lines behind it if its data do not fit.
struct alignas(64) record {
    // The sender's clock, from 1; 0: nobody has written it so far.
    std::atomic<clock_value> stamp;
    context_value context; // of the communicator, and whether it belongs to a collective
    std::int32_t tag;
    std::uint32_t number; // as `is_synchronous` has it
    std::uint32_t bytes_low;
    std::uint16_t bytes_high; // no process has more memory
    kind what;

    std::uint64_t bytes() const { return std::uint64_t{bytes_high} << 32 | bytes_low; }
    void set_bytes(std::uint64_t bytes) {
        bytes_low = static_cast<std::uint32_t>(bytes);
        bytes_high = static_cast<std::uint16_t>(bytes >> 32);
    }
    char *data() { return reinterpret_cast<char *>(this) + header_bytes; }
    const char *data() const { return reinterpret_cast<const char *>(this) + header_bytes; }

    static constexpr std::size_t header_bytes = 32;
};
static_assert(sizeof(record) == 64);

inline constexpr std::size_t cell_bytes = sizeof(record);

// Longer messages lie in blocks.
inline constexpr std::size_t most_in_ring = 16 * 1024;

// Memory of the control area that ranks hand to each other: a ring, or the data of a message. Of
// 2^order bytes, these included.
struct alignas(64) block {
    std::uint32_t order;
    std::atomic<std::uint32_t> next;    // in the list of free ones
    std::atomic<std::uint32_t> readers; // who still use it: the last one gives it back
    std::atomic<std::uint64_t> there;   // so many bytes of a message, or more: rings/blocks.hpp

    char *data() { return reinterpret_cast<char *>(this + 1); }
    const char *data() const { return reinterpret_cast<const char *>(this + 1); }
};
inline constexpr std::uint32_t least_block_order = 12;
inline constexpr std::uint32_t most_block_orders = 44;

// The records from one rank to another.
struct alignas(64) ring {
    block memory;
    std::uint32_t cells; // a power of two
    // Cells that the reader has left, of all that were ever written: it tells so now and then.
    alignas(64) std::atomic<std::uint64_t> left;
    alignas(64) record first[1];
};

inline constexpr std::uint32_t first_ring_order = 16; // some 1000 small messages
inline constexpr std::uint32_t last_ring_order = 26;

// ---- Ranks ----

namespace life {
inline constexpr std::uint32_t outside = 0; // before MPI_Init
inline constexpr std::uint32_t inside = 1;
inline constexpr std::uint32_t finished = 2; // behind MPI_Finalize
inline constexpr std::uint32_t aborted = 3;  // by MPI_Abort: the job ends whatever the exit code is
} // namespace life

// How a rank that is blocked goes on: what it waits for is sent at a clock above a bound of the
// sender's, and its own clock is then at least so much above that bound.
inline constexpr std::uint32_t hop_of_message = 1 + latency;
inline constexpr std::uint32_t hop_of_collective = 0;

// By -order work: what the program of a rank does between its calls. clock/work_clock.hpp.
struct work_record {
    // Odd while the program computes; one more with each change.
    std::atomic<std::uint64_t> section;
    // Of the present or last section: the rank's clock when it began, and the count of events from
    // which the work since then is reckoned.
    std::atomic<clock_value> clock;
    std::atomic<std::uint64_t> from;
    // Where the counter is: the process, its descriptor, and the kernel's number of the counter, by
    // which others see that they have this one.
    std::atomic<std::int32_t> process;
    std::atomic<std::int32_t> descriptor;
    std::atomic<std::uint64_t> event;
};

// Of the text in a rank's record.
inline constexpr std::size_t call_words = 8;

struct alignas(128) rank_record {
    // Every message that the rank will ever send has a stamp above this. Its own, after each call.
    std::atomic<clock_value> bound;
    std::atomic<std::uint32_t> is_watched; // somebody may stand in `watchers`

    // Who wants to wake it adds 1 and takes the lowest bit away, which is set while it sleeps.
    alignas(64) std::atomic<std::uint32_t> bell;
    std::atomic<std::uint32_t> life;
    std::atomic<std::uint32_t> slot; // its space
    // While it sleeps: 1 more than the rank whose message alone lets it go on; 0: any may.
    std::atomic<std::uint32_t> heeds;

    // Why it is blocked, if it is: a sequence lock, odd while it changes.
    alignas(64) std::atomic<std::uint64_t> epoch;
    std::atomic<std::uint32_t> is_blocked;
    std::atomic<std::uint32_t> hop;
    std::atomic<clock_value> least;     // its clock when it goes on is at least this
    std::atomic<clock_value> candidate; // the least stamp that it has seen and may go on with
    std::atomic<std::uint32_t> waits_for_match; // of synchronous sends: `sends` says which
    // If not 0: it waits for any rank that there is or will be, and has told so of that many.
    std::atomic<std::uint32_t> waits_for_all;
    // While it is blocked: the call that it is in, a text for a line alone.
    std::atomic<std::uint64_t> in_call[call_words];

    // Of a rank that was spawned: the rank that did it, at which clock, and the place in the spawn.
    std::uint32_t parent;
    std::uint32_t number_in_spawn;
    clock_value spawned_at;
    std::uint32_t application; // MPI_APPNUM
    place family;              // family_record; 0: it was there at first
    std::uint32_t host;        // the machine, from 0: ../../transport/README.md
    // The clock of its step at the names of services, or 0: waiting/shared_turns.hpp.
    std::atomic<clock_value> wants_names;

    // Arrays, written by the rank itself but for the watchers'.
    alignas(64) place waits_for; // bits: any of these lets it go on
    place seen;                  // of each rank: how far it has read what that has sent
    place sends; // to each rank: the last synchronous send that it waits for; 0: none
    // Of each rank: the number of its last synchronous send that was read, if no receive of this
    // rank could take any that is left; else 0.
    place unmatched;
    // Of each rank: when the first of its synchronous sends was matched that this rank has not told
    // it of, because a receive may yet be cancelled; 0: there is none.
    place untold;
    place watchers;   // bits: who sleeps until the bound passes a threshold
    place thresholds; // of each watcher

    alignas(64) work_record work;
};

// What a rank that MPI_Comm_spawn begins has to know of its family. Its parents' ranks follow.
struct family_record {
    std::uint32_t first_child; // the others have the next numbers
    std::uint32_t children;
    std::uint32_t parents;
    context_value world_context;
    context_value parents_context;
};

// The name of a service, in a block behind its header. The texts follow, each with its 0.
struct name_record {
    place next; // 0: it is the last one
    std::uint32_t service_bytes;
    std::uint32_t port_bytes;

    const char *service() const { return reinterpret_cast<const char *>(this + 1); }
    const char *port() const { return service() + service_bytes; }
};

struct alignas(128) world_record {
    std::uint32_t magic;
    std::atomic<std::uint32_t> ranks; // that there are: they are added and stay
    std::uint32_t first_ranks;        // that there were at first
    place records;                    // an array of rank_record
    place rings;                      // of each rank: the rings from each rank, places of ring
    // What ranks want the launcher to spawn: a list of blocks, each a spawn_request.
    std::atomic<std::uint64_t> spawn_requests;
    place names;                         // of services: the first name_record's block. In turn.
    std::uint64_t identity[2];           // of the job on this machine: no other has the same
    std::atomic<context_value> contexts; // that communicators have had, but for the predefined ones
    context_value contexts_limit;        // they end here: other machines have others
    std::uint32_t hosts;                 // machines
    std::uint32_t elsewhere;             // of the first ranks: on other machines
    std::uint32_t processors;            // for the ranks on this machine
    std::uint32_t has_membarrier;
    // Somebody asks for bounds: from then on a rank tells at once that it is blocked.
    std::atomic<std::uint32_t> is_asked;
    std::atomic<std::uint32_t> has_threads; // of some rank may call at a time
    // Of all ranks that end the job because their collectives do not fit together, the one that
    // says so: the least (clock, rank), plus 1. 0: there is none. reports/misfits.hpp.
    std::atomic<std::uint64_t> first_misfit;
    std::atomic<std::uint64_t> free_blocks[most_block_orders];
};

inline constexpr std::uint32_t world_magic = 0x34504944; // "DIP4"

} // namespace saguaro::mpi
