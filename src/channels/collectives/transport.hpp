// SPDX-License-Identifier: MIT
// The transport that collectives are written for: messages between the members of one team. The
// channels of a team are such a transport (member.hpp); an MPI's communicator can be another.
//
// A message travels in pieces, because a transport has room for so many bytes only. Both sides cut
// it in the same way. Messages from one member to another keep their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace saguaro::channels {

using const_bytes = std::span<const std::byte>;
using bytes = std::span<std::byte>;

// Calls use(offset, size) for each piece of a message. A message of no bytes is one piece of none.
// No piece ends within `unit` bytes that belong together.
template <class Use>
void for_each_piece(std::size_t size, std::size_t most, std::size_t unit, Use use) {
    const std::size_t step = most < unit ? unit : most / unit * unit;
    std::size_t at = 0;
    do {
        const std::size_t piece = std::min(step, size - at);
        use(at, piece);
        at += piece;
    } while (at < size);
}

inline void copy_bytes(std::byte *to, const std::byte *from, std::size_t size) {
    if (size != 0 && to != from)
        std::memcpy(to, from, size);
}

// What stores the pieces of a message.
inline auto copy_to(bytes into) {
    return [into](std::size_t at, const std::byte *data, std::size_t size) {
        copy_bytes(into.data() + at, data, size);
    };
}

class transport {
public:
    transport(const transport &) = delete;
    transport &operator=(const transport &) = delete;

    unsigned members() const { return members_; }
    unsigned self() const { return self_; }

    // ---- What a transport supplies ----

    // Sends a piece to one other member. Returns when `data` may change. It may wait until that
    // member has received the pieces before, but not this one: there is always room for one.
    virtual void send_piece(unsigned to, const_bytes data) = 0;
    // Waits for the next piece from a member, and returns where it is, aligned as its type needs:
    // until `done_with` or the next piece from there. Ends the caller with a line if it does not
    // have so many bytes.
    virtual const std::byte *receive_piece(unsigned from, std::size_t size) = 0;
    virtual void done_with(unsigned from) = 0;

    // The same to all other members at once, of whom there may be none. What a member publishes and
    // what it sends to one are two sequences.
    virtual void publish_piece(const_bytes data) = 0;
    virtual const std::byte *read_piece(unsigned from, std::size_t size) = 0;
    virtual void done_reading(unsigned from) = 0;

    std::size_t most_sent() const { return most_sent_; }
    std::size_t most_published() const { return most_published_; }

    // ---- Whole messages ----

    void send(unsigned to, const_bytes data, std::size_t unit = 1) {
        for_each_piece(data.size(), most_sent_, unit, [&](std::size_t at, std::size_t size) {
            send_piece(to, data.subspan(at, size));
        });
    }

    // Calls use(offset, data, size) for each piece, where it lies.
    template <class Use>
    void receive(unsigned from, std::size_t size, std::size_t unit, Use use) {
        for_each_piece(size, most_sent_, unit, [&](std::size_t at, std::size_t piece) {
            use(at, receive_piece(from, piece), piece);
            done_with(from);
        });
    }

    void receive(unsigned from, bytes into, std::size_t unit = 1) {
        receive(from, into.size(), unit, copy_to(into));
    }

    // Sends one message and receives another, a piece of each in turn: so a circle of members that
    // do this at once goes on, however large the messages are. `use` may write over what was sent
    // up to the piece that it is called for.
    template <class Use>
    void exchange(unsigned to, const_bytes data, unsigned from, std::size_t size, std::size_t unit,
                  Use use) {
        const std::size_t longer = std::max(data.size(), size);
        bool is_first = true;
        for_each_piece(longer, most_sent_, unit, [&](std::size_t at, std::size_t piece) {
            if (at < data.size() || is_first)
                send_piece(to, data.subspan(at, std::min(piece, data.size() - at)));
            if (at < size || is_first) {
                const std::size_t now = std::min(piece, size - at);
                use(at, receive_piece(from, now), now);
                done_with(from);
            }
            is_first = false;
        });
    }

    void exchange(unsigned to, const_bytes data, unsigned from, bytes into, std::size_t unit = 1) {
        exchange(to, data, from, into.size(), unit, copy_to(into));
    }

    void publish(const_bytes data, std::size_t unit = 1) {
        for_each_piece(data.size(), most_published_, unit, [&](std::size_t at, std::size_t size) {
            publish_piece(data.subspan(at, size));
        });
    }

    void read(unsigned from, bytes into, std::size_t unit = 1) {
        for_each_piece(into.size(), most_published_, unit, [&](std::size_t at, std::size_t size) {
            copy_bytes(into.data() + at, read_piece(from, size), size);
            done_reading(from);
        });
    }

protected:
    transport(unsigned members, unsigned self, std::size_t most_sent, std::size_t most_published)
        : members_(members), self_(self), most_sent_(most_sent), most_published_(most_published) {}
    ~transport() = default;

private:
    const unsigned members_;
    const unsigned self_;
    const std::size_t most_sent_; // bytes of a piece
    const std::size_t most_published_;
};

} // namespace saguaro::channels
