// SPDX-License-Identifier: MIT
// Groups and communicators as objects.
#pragma once

#include "detmpi/core/callbacks.hpp"
#include "detmpi/core/handles.hpp"
#include "detmpi/core/layout.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::detmpi {

// Ranks of the world in the order of a group. It never changes, so communicators share it.
struct group_object {
    explicit group_object(std::vector<std::uint32_t> of_world);

    std::vector<std::uint32_t> members;

    int size() const { return static_cast<int>(members.size()); }
    // The place of a rank of the world in the group; mpi::undefined if it is no member.
    int place_of(std::uint32_t world_rank) const;

private:
    std::vector<std::int32_t> places_; // by rank of the world; empty if the two are equal
};

using group_pointer = std::shared_ptr<const group_object>;

struct topology_object;

struct comm_object {
    comm handle = comm::null;
    std::uint32_t context = 0; // even; the next one is its collectives'
    group_pointer local;
    group_pointer remote; // of an intercommunicator, else null
    int rank = 0;         // of this process in the local group
    errhandler handler = errhandler::errors_are_fatal;
    std::string name;
    std::vector<std::pair<int, void *>> attributes; // keys and values, in the order of setting
    std::shared_ptr<const topology_object> topology;
    std::uint32_t users = 1; // the handle, and requests under way

    bool is_inter() const { return remote != nullptr; }
    // The group to which it sends, and from which it receives.
    const group_object &peers() const { return remote ? *remote : *local; }
    int size() const { return local->size(); }
    std::uint32_t world_rank(int of_peer) const {
        return peers().members[static_cast<std::size_t>(of_peer)];
    }
};

inline constexpr bool is_collective(std::uint32_t context) {
    return (context & 1) != 0;
}

// The object of a handle; null if there is none.
comm_object *find(comm which);
const group_pointer *find(group which);

// One user of the communicator less; it goes with the last.
void leave(comm_object *which);

// A new communicator with nothing but these.
comm_object &make_comm(std::uint32_t context, group_pointer local, group_pointer remote);

// The attributes of one go to the other, as their keys want. An error class of a copy function.
int copy_attributes(comm_object &from, comm_object &to);
// They go, the newest first.
int delete_attributes(comm_object &of);

} // namespace saguaro::detmpi
