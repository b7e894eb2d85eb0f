// SPDX-License-Identifier: MIT
// This process as MPI sees it: its rank, and its objects by their handles.
#pragma once

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/files/file_object.hpp"
#include "mpi/core/objects/attributes.hpp"
#include "mpi/core/objects/objects.hpp"
#include "mpi/core/operators/operators.hpp"
#include "mpi/core/rank.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/core/sessions/sessions.hpp"
#include "mpi/core/windows/window.hpp"
#include "mpi/datatypes/table.hpp"

#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace saguaro::mpi {

// A message that a matched probe has taken.
struct taken_message {
    parked_message *what;
    comm_object *on;
};

struct process {
    explicit process(world of, std::uint32_t me) : self(of, me) {}

    rank self;
    object_table<request, request_object> requests;
    // That may have been under way when the program freed them, and when there are so many, who of
    // them is complete.
    std::vector<request> freed_requests;
    std::size_t most_freed_requests = least_freed_requests;
    static constexpr std::size_t least_freed_requests = 32;
    object_table<message, taken_message> messages;
    object_table<group, group_pointer> groups;
    object_table<comm, std::unique_ptr<comm_object>> comms;
    object_table<keyval, keyval_object> keyvals;
    object_table<op, op_object> ops;
    object_table<session, session_object> sessions;
    object_table<win, std::unique_ptr<win_object>> windows;
    datatype_table types;
    std::unordered_map<datatype, attribute_list> type_attributes;
    datatype last_predefined_handle = datatype::null; // that a message had: the next has it often
    const datatype_object *last_predefined = nullptr; // null: no message has been
    object_table<file, std::unique_ptr<file_object>> files;
    representation_table representations;
    std::unique_ptr<comm_object> world_comm;
    std::unique_ptr<comm_object> self_comm;
    std::vector<context_value> spare_contexts; // that no communicator has had
    comm parent = comm::null; // the intercommunicator to who has spawned this process
    std::set<int> open_ports;
    int next_port = 0;
    int launcher = -1;    // the descriptor that rings it; negative: there is none
    int thread_level = 0; // the highest so far
    // Sessions of several threads, and MPI_Init_thread: each may have a thread of its own.
    unsigned permissions = 0;
    std::size_t main_thread = 0;

    // Null before MPI_Init. Stays after MPI_Finalize.
    static process *mine;
};

// Makes the process the rank of a world. The launcher's environment names both; without it the
// process is the only rank of a world of its own.
void begin_process();

// A session needs the process to be a rank: an error class if it has been one and left for good. A
// session has gone: with the last one the rank leaves, unless MPI_Finalize is still to come.
int begin_session();
void end_session();

// MPI_Init_thread or a session asks for a level, and gets it. What the process may do by it stays
// when the session is gone.
void allow_threads(int level);
// Whoever was given the level is gone: another may come, of the same thread.
void forget_threads(int level);

void begin_process(spmc::job &all, place where, std::uint32_t me);

} // namespace saguaro::mpi
