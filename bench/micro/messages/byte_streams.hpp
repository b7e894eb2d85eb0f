// SPDX-License-Identifier: MIT
//
// What the kernel offers for messages between two processes: pipes, and sockets of the Unix domain.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

namespace saguaro::bench {

[[noreturn]] inline void stream_failed(const char *what) {
    std::perror(what);
    std::exit(1);
}

/// Two ways, there and back, by two pipes or by one socket.
class byte_stream {
public:
    enum kind { pipes, socket };

    explicit byte_stream(kind of) {
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
    byte_stream(const byte_stream &) = delete;
    byte_stream &operator=(const byte_stream &) = delete;

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

} // namespace saguaro::bench
