// SPDX-License-Identifier: MIT
// The memory that the spaces of a job share, as it lies in the control area: README.md, "The job's
// memory".
//
// Places in the control area are offsets from its begin, because a space that begins with another
// program maps it elsewhere. All of it begins as zeros, and zeros mean "nothing yet".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::spmc {

inline constexpr std::uint32_t page_bits = 12;
inline constexpr std::size_t page_bytes = std::size_t{1} << page_bits;

// Bytes from the begin of the control area, in units of `unit_bytes`; 0 is none.
using place = std::uint32_t;
inline constexpr std::size_t unit_bytes = 64;

// A space's number in the table of spaces, from 1 for the root; 0 is none.
using slot = std::uint32_t;
inline constexpr slot root_slot = 1;
inline constexpr slot most_slots = 1U << 22; // the most processes that Linux has (PID_MAX_LIMIT)

// In a word that names the space at the other end of something: that space, or who made it if it
// names none, has given the end up.
inline constexpr std::uint32_t has_left = std::uint32_t{1} << 31;

// ---- Pages and regions ----

// What has become of a page. Only its producer changes the kind, once; consumers add `waiters`.
namespace page {
inline constexpr std::uint32_t untouched = 0;
inline constexpr std::uint32_t touched = 1; // written to, where protection is enforced
inline constexpr std::uint32_t fixed = 2;
inline constexpr std::uint32_t extended = 3;
inline constexpr std::uint32_t kind = 3;
inline constexpr std::uint32_t waiters = 4; // somebody sleeps on the word
} // namespace page

// One page of a table.
struct entry {
    std::atomic<std::uint32_t> state; // a kind, and perhaps `waiters`; consumers sleep on it
    // Of an extended page the table of what it was expanded to, tagged. Before, the producer's slot
    // if a part of the region was transferred, or `nobody` if a part was given up; 0: the table's
    // owner.
    std::atomic<std::uint32_t> other;
};

// In `entry::other`: it is a table's place and no slot. No place is so large.
inline constexpr std::uint32_t is_table = std::uint32_t{1} << 31;
inline constexpr std::uint32_t nobody = is_table;

// The pages of a region, or of what one of its pages was expanded to: the shadow page table. Its
// entries lie in the control area, the pages themselves behind it, both without memory until they
// are touched. Recycled with both when nobody refers to it.
struct alignas(unit_bytes) table {
    std::uint64_t pages;
    std::uint64_t data;  // where the pages are in the job's file, in bytes
    place entries;       // an array of `entry`
    std::uint32_t order; // there is room for 2^order pages
    std::uint32_t dirty; // so many of the first pages may hold an earlier use's data
    // In the list of those to be used again; before, in that of a channel, which refers to it.
    std::atomic<std::uint32_t> next;
    // Pieces of spaces, grants on their way, the page that was expanded to it, or a channel.
    std::atomic<std::uint32_t> references;
    std::atomic<std::uint32_t> producers; // of these, those that may fix pages
    std::atomic<std::uint32_t> owner;     // the slot of the producer, where no entry says another
};
static_assert(sizeof(table) == unit_bytes);

// ---- Spaces ----

namespace life {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t begins = 1; // it has a slot, and no process so far
inline constexpr std::uint32_t lives = 2;
inline constexpr std::uint32_t ended = 3;
} // namespace life

// What a space may wait for.
enum class wait_kind : std::uint32_t {
    nothing,
    page,          // that its producer fixes or extends it
    grant,         // that somebody gives it pages at an address
    begin,         // that somebody begins a space of that name
    end,           // that a space ends
    message,       // that a peer puts something into a channel, or makes room in it
    first_message, // that a member of a team makes its channel to this one
};

// Pages that one space gives another, until that one maps them.
struct alignas(unit_bytes) grant {
    std::uint64_t to;    // the address in the space that gets them
    std::uint64_t pages; // how many, from
    std::uint64_t first; // this page of the table on
    place of;            // the table
    slot from;
    std::uint32_t produces; // 1: as the producer
    std::atomic<std::uint32_t> next;
};
static_assert(sizeof(grant) == unit_bytes);

// What a thread of a space sleeps for, once it has slept for long: deadlocks.hpp.
struct alignas(unit_bytes) wait_record {
    std::atomic<std::uint32_t> is_taken; // by a thread
    place next;                          // of this space
    std::atomic<std::uint32_t> version;  // odd while the rest changes
    std::atomic<wait_kind> kind;
    std::atomic<std::uint32_t> value; // it sleeps while the word holds this,
    std::atomic<std::uint32_t> on;    // for this space; 0: for any, or a page's producer
    std::atomic<std::uint64_t> word;  // which is so many bytes behind the control area's begin
    std::atomic<std::uint64_t> page;  // for this page
    std::atomic<std::uint32_t> of;    // of this table
    std::atomic<std::uint32_t>
        threads; // of the space, counted after the wait had begun; 0: not yet
};
static_assert(sizeof(wait_record) == unit_bytes);

// A space.
struct alignas(256) space {
    std::uint64_t index; // what programs call it
    slot parent;
    std::uint32_t number; // among its parent's children, from 1
    std::uintptr_t fresh; // where its first region without a wish begins, as its parent had it
    std::atomic<std::uint32_t> pid; // its parent's child, which lives as long as the space
    std::atomic<std::uint32_t>
        taker; // that process or a descendant: whose program it is; 0: not yet
    std::atomic<std::int32_t> pidfd;   // in its parent, while that watches it; 0: none
    std::atomic<std::uint32_t> may_go; // 1: the parent has that, and the child may begin
    std::atomic<std::uint32_t> state;  // a life; who waits for its end sleeps here
    // How it ended, as waitpid tells, and whether it was for a rule that it broke.
    std::atomic<std::int32_t> status;
    std::atomic<std::uint32_t> broke_a_rule;
    // What it says itself of its status when it ends: statuses.cpp.
    std::atomic<std::uint32_t> left;
    std::atomic<std::uint32_t> is_awaited; // some space has waited for its end

    // Grants that it has not mapped yet, the newest first, and how many there ever were: it sleeps
    // on this number.
    std::atomic<std::uint32_t> grants;
    std::atomic<std::uint32_t> grants_made;

    // The processor where it was last seen: waiting.hpp.
    std::atomic<std::uint32_t> processor;

    // What its threads sleep for: a list of `wait_record`, that only grows.
    std::atomic<std::uint32_t> waits;
    // 1: it is about to end, for a reason that it says or because its parent has ended it; it waits
    // for nothing any more.
    std::atomic<std::uint32_t> is_about_to_end;

    std::atomic<place> trace; // what it notes for SAGUARO_TRACE: trace/layout.hpp; 0: nothing

    // What floors above give back when it has ended, from its parent: a list of `holdings`.
    std::atomic<place> holds;
    std::atomic<std::uint32_t> has_children;   // 1: it has begun some
    std::atomic<std::uint32_t> has_ended_well; // 1: and they have ended before it

    std::atomic<slot> next_of_name; // the next one in the list of those with such an index
};
static_assert(sizeof(space) == 256);

// What a space has of channels: each item is a place, and above it what it has there; 0: nothing.
inline constexpr std::size_t holdings_in_unit = 7;
struct alignas(unit_bytes) holdings {
    std::atomic<std::uint64_t> items[holdings_in_unit];
    std::atomic<std::uint32_t> next;
};
static_assert(sizeof(holdings) == unit_bytes);

// ---- The job ----

inline constexpr std::uint32_t most_orders = 40; // a table of 2^39 pages is 2 PB
inline constexpr std::uint32_t most_processors = 4096;
inline constexpr std::uint32_t name_lists = 1U << 14;     // spaces by their index
inline constexpr std::uint32_t most_consumer_orders = 13; // a channel for 2^12 consumers

struct job_header {
    std::uint32_t magic;
    std::uint32_t version;
    std::uint64_t control_bytes;             // of the area; the pages follow it in the file
    std::atomic<std::uint32_t> slots;        // given to spaces, the root's included
    std::atomic<std::uint32_t> begun;        // spaces; who waits for one sleeps here
    std::atomic<std::uint64_t> control_used; // units
    std::atomic<std::uint64_t> data_used;    // bytes of the file, behind the control area
    std::atomic<std::uint64_t> free_grants;  // each list: README.md, "Lists without locks"
    std::atomic<std::uint64_t> free_tables[most_orders];
    std::atomic<std::uint64_t> free_holdings;
    std::atomic<std::uint64_t> free_channels[most_consumer_orders];
    std::atomic<slot> with_index[name_lists]; // the newest space of each list
    // The slot that was last seen on each processor.
    std::atomic<std::uint32_t> seen_on[most_processors];
    // Until then nobody offers its processor to others, and how long that pause is: waiting.cpp. In
    // ns, as now_ns() counts.
    std::atomic<std::int64_t> no_offers_until;
    std::atomic<std::int64_t> pause_of_offers;
};

inline constexpr std::uint32_t job_magic = 0x53504d43; // "SPMC"
inline constexpr std::uint32_t job_version = 3;

} // namespace saguaro::spmc
