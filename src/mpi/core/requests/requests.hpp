// SPDX-License-Identifier: MIT
// An operation that is under way, and what it sends or receives.
#pragma once

#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/core/rings/message.hpp"
#include "mpi/core/world/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::mpi {

struct comm_object;

inline constexpr std::uint32_t any_rank = UINT32_MAX;

enum class action : std::uint8_t {
    nothing, // to nobody, from nobody
    receive,
    send,             // complete when it begins
    synchronous_send, // complete when it is matched
    joint,            // several receives: complete when all of them are
    generalized,      // of the program's own
    send_partitions,  // complete when the last one is ready
};

// Of a partitioned message.
struct partition_state {
    std::vector<bool> is_ready;
    std::size_t ready = 0;
};

// What the program does of a generalized request itself.
struct program_operation {
    grequest_query query;
    grequest_free free;
    grequest_cancel cancel;
    void *extra_state;
    bool is_freed = false; // by MPI_Request_free, before its end
};

class joint_operation;

struct request_object {
    action what = action::nothing;
    bool is_complete = false;
    bool is_persistent = false;
    bool is_active = true; // a persistent one: between start and completion
    bool is_cancelled = false;
    bool sends_partitions = false;
    bool can_be_cancelled = false;  // a receive of the program's
    bool can_be_taken_back = false; // what it got: by the rule that came later than the clock
    int error = 0;                  // an error class

    clock_value posted = 0;    // the clock of the call that began it
    clock_value completed = 0; // its time in the rule, if it is complete

    // What it is for: ranks in the world.
    comm_object *on = nullptr;
    context_value context = 0;
    std::uint32_t peer = any_rank; // the source or destination
    std::int32_t tag = 0;
    std::uint32_t number = 0;   // of a synchronous send; what a collective's message must have
    std::uint64_t wildcard = 0; // of a receive from any source: its number among those, from 1
    typed_buffer buffer;
    type_pointer type; // keeps a derived type alive

    // What was received. The bytes also of an access to a file, which is a send besides.
    std::uint32_t source = any_rank;
    std::int32_t got_tag = 0;
    std::uint64_t got_bytes = 0;
    clock_value got_stamp = 0;
    std::uint32_t got_number = 0; // the message's
    parked_vector<char> uncut;    // a message that was too long, while it can be taken back

    std::unique_ptr<partition_state> partitions; // null: a message as usual

    std::unique_ptr<program_operation> program; // of a generalized one

    request_object *next = nullptr; // among the posted receives, or the synchronous sends

    std::shared_ptr<joint_operation> joint; // of a joint request
    request_object *whole = nullptr;        // of a receive that is a part of a joint request

    bool is_wild() const { return peer == any_rank; }
    bool fits(const envelope &e) const {
        return context == e.context && (peer == e.source || is_wild()) &&
               (tag == e.tag || tag == abi::any_tag);
    }

    // A part of this joint request is complete.
    void lose_part(const request_object &part);
};

// A request that is complete when all of its receives are: a collective that does not block. All
// receives name their source, so nothing contests them, and each is decided by itself.
class joint_operation {
public:
    virtual ~joint_operation() = default;

    // Begins, once or again and again: sends, then posts the receives. `whole` is the request.
    void begin(request_object &whole);

    // What follows when all is there. When the program learns of it: in MPI_Wait, MPI_Test and
    // their like, for an operator of the program's own may run here.
    void settle(request_object &whole) {
        if (is_settled_)
            return;
        is_settled_ = true;
        const int error = finish();
        if (whole.error == 0)
            whole.error = error;
    }

    std::vector<request_object> receives;

protected:
    virtual void send(clock_value now) = 0;
    // An error class.
    virtual int finish() = 0;

private:
    friend struct request_object;
    std::size_t open_ = 0; // receives that are not complete
    bool is_settled_ = false;
};

inline void request_object::lose_part(const request_object &part) {
    completed = std::max(completed, part.completed);
    if (error == 0)
        error = part.error;
    is_complete = --joint->open_ == 0;
}

} // namespace saguaro::mpi
