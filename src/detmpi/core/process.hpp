// SPDX-License-Identifier: MIT
// What this process has of MPI: its rank, and its objects by their handles.
#pragma once

#include "detmpi/core/communicators.hpp"
#include "detmpi/core/objects.hpp"
#include "detmpi/core/operators.hpp"
#include "detmpi/core/rank.hpp"
#include "detmpi/core/requests.hpp"
#include "detmpi/datatypes/table.hpp"

#include <memory>

namespace saguaro::detmpi {

// A message that a matched probe has taken.
struct taken_message {
    parked_message *what;
    comm_object *on;
};

struct handler_object {
    error_function<comm> function;
    std::uint32_t users = 1; // the handle, and communicators
};

struct keyval_object {
    attribute_copy<comm> copy;
    attribute_delete<comm> forget;
    void *extra_state;
    std::uint32_t users = 1; // the key until it is freed, attributes, and their functions' calls
    bool is_freed = false;
};

enum class keyval : std::uint32_t {};

struct process {
    explicit process(world of, std::uint32_t me) : self(of, me) {}

    rank self;
    object_table<request, request_object> requests;
    object_table<message, taken_message> messages;
    object_table<group, group_pointer> groups;
    object_table<comm, std::unique_ptr<comm_object>> comms;
    object_table<errhandler, handler_object> handlers;
    object_table<keyval, keyval_object> keyvals;
    object_table<op, op_object> ops;
    datatype_table types;
    std::unique_ptr<comm_object> world_comm;
    std::unique_ptr<comm_object> self_comm;
    std::uint32_t next_context = 4; // that no communicator of this rank has had
    int thread_level = 0;
    std::size_t main_thread = 0;

    // Null before MPI_Init. Stays after MPI_Finalize.
    static process *mine;
};

// Makes the process the rank of a world. The launcher's environment names both; without it the
// process is the only rank of a world of its own.
void begin_process();
void begin_process(spmc::job &all, place where, std::uint32_t me);

// In the environment of a rank that a launcher begins: "PLACE,RANK".
inline constexpr const char *rank_variable = "SAGUARO_MPI_RANK";

} // namespace saguaro::detmpi
