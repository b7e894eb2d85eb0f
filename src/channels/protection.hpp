// SPDX-License-Identifier: MIT
// Protection of messages: the lines about accesses that the memory system refuses, and the refusals
// that SAGUARO_SPMC_ENFORCE=1 adds.
//
// A consumer's mapping of messages can never be written. With full protection each message has
// pages of its own, also a small one. The producer can write to the message that it has reserved,
// and read it until it reserves the next; a consumer can read the message that it views; and
// nothing else has any access.
#pragma once

#include "spmc/layout.hpp"

#include <cstddef>

namespace saguaro::channels {

// From now on, a refused access to these addresses ends the space with a line that names the rule,
// the address and the channel.
void watch_messages(const char *begin, std::size_t bytes, spmc::place channel, bool produces);

// No more: they are about to be unmapped.
void forget_messages(const char *begin);

// In a child of a fork, which has none of them.
void forget_all_messages();

// A message, at some addresses.
struct message_at {
    char *begin = nullptr; // null: none
    std::size_t bytes = 0;
};

// Changes what the calling space may do with all pages of a message, as mprotect.
void protect_message(const message_at &what, int protection);

} // namespace saguaro::channels
