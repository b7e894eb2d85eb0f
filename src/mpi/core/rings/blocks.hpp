// SPDX-License-Identifier: MIT
// The data of long messages, which lie in blocks. A receiver may copy the begin of a message while
// its sender still copies the rest: ../../README.md, "A ring".
#pragma once

#include "mpi/core/rings/message.hpp"
#include "mpi/core/world/layout.hpp"

#include <cstddef>

namespace saguaro::mpi {

// Shorter messages are there as a whole before anybody learns of them.
inline constexpr std::size_t least_in_pieces = 128 * 1024;

// The sender's copy, when the receivers know of the block already. `begin_pieces` comes before they
// do.
void begin_pieces(block &of);
void write_pieces(block &to, const typed_buffer &from, std::size_t size);

// Waits until so many bytes are there.
void await_data(const block &in, std::size_t size);
// Copies the first `size` bytes of the message to where the receiver wants them.
void read_block(const block &from, const typed_buffer &to, std::size_t size);

} // namespace saguaro::mpi
