// SPDX-License-Identifier: MIT
// From the moments at which something begins and ends to the file: how long each strand has worked,
// and what is so short that it becomes one strand. README.md says how.
#pragma once

#include "record/file.hpp"
#include "record/pile.hpp"
#include "record/spans.hpp"
#include "record/tick_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

namespace saguaro::record {

// What the recorder notes, each with its tick.
enum class step : unsigned char {
    stop,  // from here on the time is the recorder's own
    go_on, // the strand's again
    spawn,
    ret,
    sync,
    call,
    leave,
};

struct moment {
    step what;
    std::int64_t tick;
};

class strands {
public:
    // A tick has 2^shift parts: what is the recorder's own between two moments is a few ticks.
    static constexpr unsigned shift = 8;

    // Children and frames with less than `grain` ns of work are strands. Without a name there is no
    // file, but the span is measured, and nothing is left out. Throws std::system_error if the file
    // cannot be made.
    strands(const std::string &name, std::int64_t grain, const tick_clock &clock)
        : clock_(clock), grain_(clock.ticks_in(grain) << shift) {
        if (!name.empty())
            out_.emplace(name);
    }

    // So many parts of ticks from one moment to the next are the recorder's own.
    void take_off(std::int64_t own) { own_ = own; }

    // Moments in their order.
    void hear(const moment *begin, const moment *end);

    // ns of all strands so far.
    std::int64_t work() const { return clock_.ns(work_, shift); }
    // ns of the longest path to here. Only where there is no file.
    std::int64_t span() const { return clock_.ns(spans_.path(), shift); }

    // A footprint of the strand that runs.
    void touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes) {
        keep(in_cache ? event::reuse : event::touch, {id, offset, bytes});
    }
    std::uint64_t add_object(std::uint64_t bytes, layout how, std::uint64_t node);
    void free_object(std::uint64_t id) { keep(event::free, {id}); }

    // All that has begun has ended. The errno of what could not be written; 0: all was.
    int finish();

private:
    struct part {
        std::uint64_t event; // the position of the one it begins with
        std::int64_t work;   // of the whole recording before it
    };

    // What is going to be written is a row of words. Each event is one, with the work before it in
    // the upper bits; an event of memory has its numbers behind it.
    static constexpr unsigned event_bits = 4;
    static constexpr std::size_t capacity = std::size_t{1} << 17;
    static constexpr std::size_t longest_event = 8;

    void count_to(std::int64_t tick);
    void begin(event e);
    void end(event e);
    void keep(event e);
    void keep(event e, std::initializer_list<std::uint64_t> numbers);
    void write();

    std::optional<file> out_;
    spans spans_;
    const tick_clock clock_;
    const std::int64_t grain_;
    std::int64_t own_ = 0;
    bool runs_ = false;
    std::int64_t since_ = 0; // the tick up to which it is counted, while a strand runs
    std::int64_t work_ = 0;
    std::int64_t kept_work_ = 0; // of it: before the last event that is kept
    const std::unique_ptr<std::uint64_t[]> kept_{new std::uint64_t[capacity]};
    std::size_t used_ = 0;
    std::uint64_t written_ = 0;    // words before these
    std::uint64_t footprints_ = 0; // the position behind the last event of memory
    std::uint64_t objects_ = 0;
    pile<part> open_;
};

} // namespace saguaro::record
