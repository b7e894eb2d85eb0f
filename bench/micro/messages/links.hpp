// SPDX-License-Identifier: MIT
//
// Links: ways for messages from one process to another and back. A bench of messages is written
// once, for any of them:
//
//     struct some_link {
//         // Runs second() in the other process while the caller runs first().
//         static void run(cores where, auto first, auto second);
//         void send_there(const void *data, std::size_t bytes) const;  // in the first process
//         void receive_there(void *data, std::size_t bytes) const;     // in the second one
//         void send_back(const void *data, std::size_t bytes) const;   // in the second one
//         void receive_back(void *data, std::size_t bytes) const;      // in the first process
//     };
//
// boost_queues.hpp has one more.
#pragma once

#include "driver/measure.hpp"
#include "micro/messages/two_processes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <saguaro/channel.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace saguaro::bench {

// ---- What the kernel offers ----

[[noreturn]] inline void stream_failed(const char *what) {
    std::perror(what);
    std::exit(1);
}

/// Streams of bytes: two pipes, or one socket of the Unix domain.
class byte_streams {
public:
    enum kind { pipes, socket };

    explicit byte_streams(kind of) {
        if (of == socket) {
            int both[2];
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0)
                stream_failed("socketpair");
            there_[0] = back_[1] = both[1];
            there_[1] = back_[0] = both[0];
        } else if (pipe(there_) != 0 || pipe(back_) != 0) {
            stream_failed("pipe");
        }
    }
    byte_streams(const byte_streams &) = delete;
    byte_streams &operator=(const byte_streams &) = delete;

    static void run(cores where, auto first, auto second) { with_child(where, first, second); }
    void send_there(const void *data, std::size_t bytes) const { send(there_[1], data, bytes); }
    void receive_there(void *data, std::size_t bytes) const { receive(there_[0], data, bytes); }
    void send_back(const void *data, std::size_t bytes) const { send(back_[1], data, bytes); }
    void receive_back(void *data, std::size_t bytes) const { receive(back_[0], data, bytes); }

private:
    static void send(int to, const void *data, std::size_t bytes) {
        for (const char *at = static_cast<const char *>(data); bytes > 0;) {
            const ssize_t done = write(to, at, bytes);
            if (done < 0)
                stream_failed("write");
            at += done;
            bytes -= static_cast<std::size_t>(done);
        }
    }
    static void receive(int from, void *data, std::size_t bytes) {
        for (char *at = static_cast<char *>(data); bytes > 0;) {
            const ssize_t done = read(from, at, bytes);
            if (done <= 0)
                stream_failed("read");
            at += done;
            bytes -= static_cast<std::size_t>(done);
        }
    }

    int there_[2];
    int back_[2];
};

// ---- Channels ----

/// How many bytes of messages of this size may be under way in a channel.
inline std::size_t channel_capacity(long bytes) {
    constexpr std::size_t usual = std::size_t{1} << 20;
    return std::max(usual, 8 * static_cast<std::size_t>(bytes));
}

/// Two channels. Both ends copy.
class channels {
public:
    explicit channels(long bytes)
        : there_(sg_channel_create(1, channel_capacity(bytes))),
          back_(sg_channel_create(1, channel_capacity(bytes))) {}

    static void run(cores where, auto first, auto second) { with_space(where, first, second); }
    void send_there(const void *data, std::size_t bytes) const {
        sg_channel_send(there_, data, bytes);
    }
    void receive_there(void *data, std::size_t bytes) const { receive(there_, data, bytes); }
    void send_back(const void *data, std::size_t bytes) const {
        sg_channel_send(back_, data, bytes);
    }
    void receive_back(void *data, std::size_t bytes) const { receive(back_, data, bytes); }

private:
    static void receive(sg_channel from, void *data, std::size_t bytes) {
        sg_channel_receive(from, 0, data, bytes);
    }

    const sg_channel there_;
    const sg_channel back_;
};

// ---- What a message holds ----

/// Every message is a number, so that its receiver knows it, and its last bytes are that number, so
/// that all of it has come.
inline void stamp(char *message, long bytes, long number) {
    std::memcpy(message + bytes - sizeof(number), &number, sizeof(number));
}
inline void expect_stamp(const char *message, long bytes, long number) {
    long found = 0;
    std::memcpy(&found, message + bytes - sizeof(found), sizeof(found));
    expect_equal(number, found);
}

/// The least message.
inline constexpr long least_bytes = sizeof(long);

/// So many messages of this size come before those that are measured: they fill a channel's
/// capacity more than once, so that the others find memory that was touched before.
inline long first_messages(long bytes) {
    return std::clamp((2L << 20) / bytes, 20L, 20'000L);
}

/// The sizes of messages, in bytes.
inline const std::vector<long> message_sizes = {8, 64, 1024, 64 * 1024, 1024 * 1024};

} // namespace saguaro::bench
