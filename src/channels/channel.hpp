// SPDX-License-Identifier: MIT
// The two ends of a channel, as one space has them.
#pragma once

#include "channels/generations.hpp"
#include "channels/layout.hpp"
#include "channels/life.hpp"
#include "spmc/job.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::channels {

using spmc::job;

// The producer's end. One thread uses it.
class sender {
public:
    // The calling thread becomes the producer. Ends this space with a line if another is.
    sender(job &all, channel_head &head);

    // Room for a message; `publish` makes it one.
    char *reserve(std::size_t bytes);
    void publish();

    // The same; null if it would have to wait for room, and no consumer is left that makes some.
    char *reserve_or_gone(std::size_t bytes);

    // No message will follow.
    void close();

    // The end is given up: the last thing that is done with it.
    void leave();

    // Ends this space with a line if the caller is not the thread that began.
    void check_caller() const;
    std::uint64_t thread() const { return thread_; }

private:
    // What makes `reserve` return null instead of a line: nothing; that all consumers have closed
    // their ends; that, or that one is gone.
    enum class asks : unsigned char { nothing, closed, gone };

    char *reserve_asking(asks what, std::size_t bytes);
    bool make_room();
    void publish_cell();
    void publish_watched(); // with SAGUARO_TRACE, or full protection
    void note(const cell &c) const;
    bool wait_until_received(std::uint64_t messages);
    bool lacks_consumers();
    std::uint64_t least_received();
    void see_received();
    cell &next_cell() const { return cells_[sent_ % cells_in_channel]; }

    job &all_;
    channel_head &head_;
    cell *const cells_;
    consumer_line *const lines_;
    out_generations data_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;                  // by all, as was seen last
    std::uint64_t room_until_ = cells_in_channel; // so many messages have cells; 0: it is closed
    bool is_reserved_ = false;
    asks asks_ = asks::nothing;
    bool are_gone_ = false; // as was told
    const bool is_watched_;
    const std::size_t most_inline_; // bytes of a message in a cell
    const std::uint64_t thread_;
    holding &noted_;
};

// A consumer's end. One thread uses it.
class receiver {
public:
    // The calling thread becomes that consumer. Ends this space with a line if another is.
    receiver(job &all, channel_head &head, std::uint32_t number);

    // The next message, and how many bytes it has; it stays until `done` or the next one. Waits.
    // Null, now and from then on, if the producer has closed the channel.
    const char *next(std::size_t &bytes);
    void done();

    // The same, with `is_gone` if the producer has ended or given its end up before the next
    // message: null then.
    const char *next_or_gone(std::size_t &bytes, bool &is_gone);

    // Receives nothing from now on: the producer does not wait for this consumer any more.
    void close();

    // The end is given up: the last thing that is done with it.
    void leave();

    void check_caller() const;

    // Before the thread sleeps: the producer may wait for messages that it has left.
    void tell_if_late() {
        if (told_ != received_)
            tell();
    }
    bool is_of(std::uint64_t thread) const { return thread_ == thread; }
    std::uint64_t thread() const { return thread_; }

private:
    void tell();
    void note(const cell &c) const; // for SAGUARO_TRACE
    void must_be_open() const;
    template <class Wait>
    const char *next_by(Wait wait, std::size_t &bytes);
    const char *next_elsewhere(const cell &c, std::size_t &bytes);

    job &all_;
    channel_head &head_;
    const cell *const cells_;
    consumer_line &line_;
    in_generations data_;
    std::uint64_t received_ = 0;
    std::uint64_t told_ = 0;
    bool is_viewing_ = false;
    bool was_elsewhere_ = false;
    bool is_closed_ = false;
    const std::uint64_t thread_;
    holding &noted_;
};

// The ends that this space has, made when they are used first.
sender &sender_of(spmc::place channel);
receiver &receiver_of(spmc::place channel, std::uint32_t consumer);

// This space is done with the channel: gives up the ends that it has of it, and the handle if it
// has made the channel. Nothing if it has none of them.
void free_channel(spmc::place channel);

} // namespace saguaro::channels
