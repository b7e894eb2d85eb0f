// SPDX-License-Identifier: MIT
// Groups and communicators as objects.
#pragma once

#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/messages/buffering.hpp"
#include "mpi/core/objects/attributes.hpp"
#include "mpi/core/world/layout.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace saguaro::mpi {

// Ranks of the world in the order of a group. It never changes, so communicators share it.
struct group_object {
    explicit group_object(std::vector<std::uint32_t> of_world);

    std::vector<std::uint32_t> members;

    int size() const { return static_cast<int>(members.size()); }
    // The place of a rank of the world in the group; abi::undefined if it is no member.
    int place_of(std::uint32_t world_rank) const;

private:
    std::vector<std::int32_t> places_; // by rank of the world; empty if the two are equal
};

using group_pointer = std::shared_ptr<const group_object>;

struct topology_object;

struct comm_object {
    comm handle = comm::null;
    context_value context = 0; // even; the next one is its collectives'
    group_pointer local;
    group_pointer remote;                  // of an intercommunicator, else null
    int rank = 0;                          // of this process in the local group
    errhandler handler = errhandler::null; // the program has set none: MPI_COMM_WORLD's serves
    std::string name;
    attribute_list attributes;
    std::shared_ptr<const topology_object> topology;
    info_list hints; // that the program gave
    attached_buffer buffer;
    std::uint32_t duplicates = 0; // that were begun by MPI_Comm_idup
    std::uint32_t users = 1;      // the handle, and requests under way
    std::int32_t collectives = 0; // that do not block, so far: the next one's tag
    std::uint16_t blocking = 0;   // collectives that block, so far
    // Of pairs of a send and a receive in partitions, by whether it receives, the peer and the tag.
    std::map<std::tuple<bool, std::uint32_t, int>, std::uint32_t> pairs;

    bool is_inter() const { return remote != nullptr; }
    // The group to which it sends, and from which it receives.
    const group_object &peers() const { return remote ? *remote : *local; }
    int size() const { return local->size(); }
    std::uint32_t world_rank(int of_peer) const {
        return peers().members[static_cast<std::size_t>(of_peer)];
    }
};

// Whether the ranks of the communicator are on several machines, where this function is refused:
// then it says so in a line.
bool refuses_machines(const comm_object &of, const char *call);

inline constexpr bool is_collective(context_value context) {
    return (context & 1) != 0;
}

// Those of communicators are below. The bits above tell apart what one communicator does besides.
inline constexpr context_value contexts_end = context_value{1} << 56;

// The object of a handle; null if there is none.
comm_object *find(comm which);
const group_pointer *find(group which);

// One user of the communicator less; it goes with the last.
void leave(comm_object *which);

// A new communicator with nothing but these.
comm_object &make_comm(context_value context, group_pointer local, group_pointer remote);

} // namespace saguaro::mpi
