// SPDX-License-Identifier: MIT
// Where messages are that do not fit into a cell: in the pages of tables, one after the other,
// which the producer maps writable and consumers can only map readable. When the pages of one table
// are used up, the producer goes on in the next; it uses a table again when all consumers have left
// it.
#pragma once

#include "channels/layout.hpp"
#include "channels/protection.hpp"
#include "spmc/job.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::channels {

// A table's pages as this space has mapped them.
struct mapped {
    spmc::table *of = nullptr;
    char *begin = nullptr;
    std::size_t bytes = 0;
};

// Maps a table of a channel, for its producer or a consumer. Ends this space with a line if the
// system refuses. The channel refers to the table as long as an end of it may have it mapped.
mapped map_table(spmc::job &all, spmc::table &of, spmc::place channel, bool produces);
void unmap_table(const mapped &m);

// The producer's: room for messages.
class out_generations {
public:
    // `enforces`: with full protection.
    out_generations(channel_head &head, spmc::place channel, bool enforces);

    // What the caller needs to wait for, before there is room for another message: a number of
    // messages that all consumers have received. 0: it need not wait, because the messages that
    // some consumer has not received have fewer bytes than the capacity.
    std::uint64_t needed() const;

    // Whether such a message has no room in the table that is written to.
    bool needs_another(std::size_t bytes) const;

    // All consumers have received so many messages.
    void received(spmc::job &all, std::uint64_t messages);

    // Room for message `number`. Nothing must be needed for it.
    char *take(spmc::job &all, std::size_t bytes, std::uint64_t number, elsewhere &out);

    // With full protection: the message is about to be published.
    void protect_last() const;

    // When the end is given up. What consumers have not received stays in the channel's tables.
    void unmap_all();

private:
    struct generation {
        mapped pages;
        std::size_t used = 0;
        std::uint64_t last = 0; // how many messages there are up to its last one
    };

    void begin_next(spmc::job &all, std::size_t bytes);
    void give_up(spmc::job &all, const generation &g);
    void open(char *where, std::size_t bytes);
    std::size_t room_for(std::size_t bytes) const;

    channel_head &head_;
    const spmc::place channel_;
    const bool enforces_;
    const std::size_t usual_; // bytes of a generation, unless a message is larger
    const std::size_t capacity_;
    std::vector<generation> under_way_; // the last one is written to
    std::vector<generation> free_;
    // The large messages that not all consumers have received, as far as is known: at most as many
    // as there are cells. The first is at `first_` mod their number.
    struct sent_message {
        std::uint64_t last; // how many messages there are up to this one
        std::size_t bytes;
    };
    std::vector<sent_message> messages_;
    std::uint64_t first_ = 0;
    std::uint64_t end_ = 0;
    std::size_t bytes_under_way_ = 0;
    message_at last_; // with full protection: the one that was taken last
};

// A consumer's: where messages are.
class in_generations {
public:
    in_generations(spmc::place channel, std::size_t capacity);

    // The address of a message. A table stays mapped until `keep` others were needed since.
    const char *find(spmc::job &all, const elsewhere &where);

    // The message that was found last is not read any more. If it has a table for itself, the
    // producer gives that to others, so it must not stay mapped.
    void leave();

    // When the end is given up.
    void unmap_all();

private:
    static constexpr std::size_t keep = 16;

    const spmc::place channel_;
    const std::size_t usual_;   // bytes of a table of several messages, or one
    std::vector<mapped> known_; // the one that was needed last is first
    message_at viewed_;         // with full protection
};

} // namespace saguaro::channels
