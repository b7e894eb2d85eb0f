// SPDX-License-Identifier: MIT
// An operation that is under way, and what it sends or receives.
#pragma once

#include "detmpi/core/handles.hpp"
#include "detmpi/core/layout.hpp"
#include "detmpi/core/status.hpp"
#include "detmpi/datatypes/datatype.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace saguaro::detmpi {

struct comm_object;

// Elements in the program's memory, as the stream of bytes that a message carries.
struct typed_buffer {
    void *base = nullptr;
    std::int64_t count = 0;
    const datatype_object *type = nullptr; // null: `count` bytes
    std::int64_t bytes = 0;

    bool is_contiguous() const { return type == nullptr || type->contiguous(); }
    char *first() const {
        return static_cast<char *>(base) + (type == nullptr ? 0 : type->true_lower_bound());
    }

    // Copies the first `size` bytes of the stream out of the elements, or into them.
    void read(void *to, std::size_t size) const {
        if (size == 0)
            return;
        if (is_contiguous())
            std::memcpy(to, first(), size);
        else
            pack(*type, base, count, 0, to, static_cast<std::int64_t>(size));
    }
    void write(const void *from, std::size_t size) const {
        if (size == 0)
            return;
        if (is_contiguous())
            std::memcpy(first(), from, size);
        else
            unpack(*type, base, count, 0, from, static_cast<std::int64_t>(size));
    }
};

// What identifies a message.
struct envelope {
    clock_value stamp;
    std::uint32_t source; // in the world
    std::uint32_t context;
    std::int32_t tag;
    std::uint32_t number; // of a synchronous send, from 1
    std::uint64_t bytes;
};

// A message that has come and that no receive has taken.
struct parked_message {
    parked_message *next = nullptr;
    envelope head{};
    block *data = nullptr;   // or null: its bytes follow this
    std::uint64_t order = 0; // in which it came: for matched probes alone

    const char *bytes() const {
        return data != nullptr ? reinterpret_cast<const char *>(data + 1)
                               : reinterpret_cast<const char *>(this + 1);
    }
};

inline constexpr std::uint32_t any_rank = UINT32_MAX;

enum class action : std::uint8_t {
    nothing, // to nobody, from nobody
    receive,
    send,             // complete when it begins
    synchronous_send, // complete when it is matched
};

struct request_object {
    action what = action::nothing;
    bool is_complete = false;
    bool is_persistent = false;
    bool is_active = true; // a persistent one: between start and completion
    int error = 0;         // an error class

    clock_value posted = 0;    // the clock of the call that began it
    clock_value completed = 0; // its time in the rule, if it is complete

    // What it is for: ranks in the world.
    comm_object *on = nullptr;
    std::uint32_t context = 0;
    std::uint32_t peer = any_rank; // the source or destination
    std::int32_t tag = 0;
    std::uint32_t number = 0; // of a synchronous send
    typed_buffer buffer;
    type_pointer type; // keeps a derived type alive

    // What was received.
    std::uint32_t source = any_rank;
    std::int32_t got_tag = 0;
    std::uint64_t got_bytes = 0;

    request_object *next = nullptr; // among the posted receives, or the synchronous sends

    bool is_wild() const { return peer == any_rank; }
    bool fits(const envelope &e) const {
        return context == e.context && (peer == e.source || is_wild()) &&
               (tag == e.tag || tag == mpi::any_tag);
    }
};

} // namespace saguaro::detmpi
