// SPDX-License-Identifier: MIT
// A spawn tree in memory: the events of a recording in serial order, one byte and a few varints
// each. A SPAWN also has the length of its child, so that a thief finds the continuation.
#pragma once

#include "bad_input.hpp"
#include "costs.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::sim {

// Kinds of events, with the numbers of the recording's format (docs/recording.md).
enum class kind : std::uint8_t {
    end = 0,
    work = 1,
    spawn = 2,
    child_ends = 3, // RETURN
    sync = 4,
    call = 5,
    leave = 6,
    object = 7,
    touch = 8,
    reuse = 9,
    free = 10,
    loop = 11 // reserved
};

// Where the pages of an object are, as the recording has it.
enum class layout : std::uint8_t { first_touch = 0, on_node = 1, round_robin = 2, blocked = 3 };

struct object_event {
    std::uint64_t id;
    std::uint64_t bytes;
    layout where;
    std::uint64_t node; // of on_node
};

struct range_event {
    std::uint64_t id;
    std::uint64_t offset;
    std::uint64_t bytes;
};

// A place between two events.
using position = std::uint64_t;

// What one object has at most, and what all that live at the same time have: what is addressed in a
// process of 64 bits.
inline constexpr std::uint64_t most_object_bytes = std::uint64_t{1} << 47;

// Objects are cut up in pieces of so many bytes, 128 MB: if one byte of a piece is touched, memory
// has a table of the pages of that piece.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 27;

// The pieces that are touched of the objects that live at the same time have so many bytes at most:
// 1 TiB. Their tables take 512 MB.
inline constexpr std::uint64_t most_touched_bytes = std::uint64_t{1} << 40;

// The work of all events together: 46 days. Times are picoseconds in 63 bits, and what spawns and
// steals cost comes on top of it.
inline constexpr std::uint64_t most_work_ns = 4'000'000'000'000'000;

// What all events of a program add up to.
struct totals {
    std::uint64_t events = 0; // of the recording
    std::uint64_t work_ns = 0;
    std::uint64_t spawns = 0;
    std::uint64_t syncs = 0;
    std::uint64_t objects = 0;
    std::uint64_t touched_bytes = 0;
    std::uint64_t reused_bytes = 0;
};

class program {
public:
    const totals &all() const { return all_; }
    std::size_t bytes() const { return code_.size(); }

private:
    friend class program_builder;
    friend class cursor;

    std::vector<std::uint8_t> code_;
    totals all_;
};

// Reads events from a position on. The events are what a program_builder has written: nothing is
// checked. After next() come the event's operands, by the function of its kind.
class cursor {
public:
    explicit cursor(const program &of, position at = 0) : code_(of.code_.data()), at_(at) {}

    position at() const { return at_; }
    void move(position to) { at_ = to; }

    kind peek() const { return static_cast<kind>(code_[at_]); }
    kind next() { return static_cast<kind>(code_[at_++]); }

    std::uint64_t number() {
        std::uint64_t value = code_[at_++];
        if (value < 0x80) [[likely]]
            return value;
        value &= 0x7f;
        for (unsigned shift = 7;; shift += 7) {
            const std::uint64_t byte = code_[at_++];
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
    }

    // Of a SPAWN: where its continuation is. The child begins behind it.
    position continuation() {
        std::uint64_t length = 0;
        for (unsigned at = 0; at < length_bytes; ++at)
            length |= std::uint64_t{code_[at_++]} << (8 * at);
        return at_ + length;
    }

    object_event object() {
        object_event o{number(), number(), static_cast<layout>(number()), 0};
        if (o.where == layout::on_node)
            o.node = number();
        return o;
    }
    range_event range() { return {number(), number(), number()}; }

    // Of a child: 2^40 bytes are more than any memory of this format.
    static constexpr unsigned length_bytes = 5;

private:
    const std::uint8_t *code_;
    position at_;
};

// Writes a program, event by event. Each throws bad_input if the event cannot stand there; what()
// then begins with the event's number.
class program_builder {
public:
    explicit program_builder(std::uint64_t most_events = UINT64_MAX) : most_events_(most_events) {}

    void work(std::uint64_t ns);
    void spawn();
    void child_ends();
    void sync();
    void call();
    void leave();
    void object(const object_event &o);
    // The id of a new object of so many bytes.
    std::uint64_t object(std::uint64_t bytes, layout where = layout::first_touch);
    void touch(const range_event &r);
    void reuse(const range_event &r);
    void free(std::uint64_t id);

    // The end. The builder is empty again.
    program finish();

private:
    struct known_object {
        std::uint64_t bytes;              // gone: it was freed
        std::uint64_t touched = 0;        // bytes of the pieces that are
        std::vector<bool> touched_pieces; // empty: none
    };
    struct scope {
        bool is_child;
        std::size_t length_at; // of a child: where its length will stand
    };

    void event(kind what);
    void count();
    void number(std::uint64_t value);
    void range(const range_event &r);
    void flush_work();
    void close(bool is_child, const char *name, const char *opener);
    void check(const range_event &r);
    void add_touched(const range_event &r);
    void add_bytes(std::uint64_t &sum, std::uint64_t bytes);
    [[noreturn]] void refuse(const std::string &why) const;

    const std::uint64_t most_events_;
    program made_;
    std::vector<scope> open_;
    std::vector<known_object> objects_;
    std::uint64_t living_bytes_ = 0; // of those that are not freed
    std::uint64_t touched_bytes_ = 0;
    std::uint64_t pending_work_ = 0;
};

} // namespace saguaro::sim
