// SPDX-License-Identifier: MIT
// How the carriers of a job talk: an ordered stream of bytes from each host to each other one.
#pragma once

#include "mpi/transport/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace saguaro::mpi::transport {

// Another host cannot be reached any more: its process has ended, or the network fails.
class broken_link : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One thread at a time. All functions may throw `broken_link`.
class link {
public:
    virtual ~link() = default;

    virtual std::uint32_t hosts() const = 0;
    virtual std::uint32_t me() const = 0;

    // Sends these bytes behind all others to that host, some time. Never waits.
    virtual void send(std::uint32_t to, byte_row bytes) = 0;
    // What has not been taken so far. Goes on with it.
    virtual std::size_t unsent(std::uint32_t to) = 0;
    // Appends what has come from that host. False: nothing.
    virtual bool receive(std::uint32_t from, byte_row &to) = 0;

    // All have sent and received everything, and nobody will call anything more.
    virtual void close() = 0;
};

} // namespace saguaro::mpi::transport
