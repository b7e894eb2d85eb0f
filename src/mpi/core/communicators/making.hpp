// SPDX-License-Identifier: MIT
// How ranks agree on a new communicator: README.md, "Contexts".
#pragma once

#include "mpi/core/collectives/collective.hpp"
#include "mpi/core/collectives/values.hpp"
#include "mpi/core/communicators/communicators.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace saguaro::mpi {

// ---- Contexts ----

// A context that no rank has had, and the next one for collectives: this rank leads the
// communicator that gets it. Ends the job with a line when there are none left.
context_value take_context();

// The context was taken for a communicator that this rank does not lead: the next one gets it.
void give_context_back(context_value context);

// What only the library itself says to ranks that share no communicator.
inline constexpr context_value own_context = 4;
// Of the communicators that programs make: those below are predefined.
inline constexpr context_value first_context = 6;

// Tags of the context of collectives that no collective has: below all of theirs. A tag of the
// program's, or what stands for a text of its, tells calls apart that not all ranks make.
inline constexpr int tag_among_members(int tag) {
    return INT32_MIN + (tag & 0x1fffffff);
}
inline constexpr int tag_of_leaders(int tag) {
    return INT32_MIN + 0x20000000 + (tag & 0x1fffffff);
}
inline constexpr int tag_of_duplicate(std::uint32_t number) {
    return INT32_MIN + 0x40000000 + static_cast<int>(number & 0x1fffffff);
}
int number_of_text(std::string_view text);

// ---- Agreement ----

// What a rank brings to the making of a communicator.
struct offer {
    std::int32_t color;
    std::int32_t key;
    context_value context; // if it leads; 0: it will not
};

// Both groups of an intercommunicator in one order, which all of its ranks see; or the group.
group_pointer united_group(const comm_object &of);

// The offers of all ranks of the communicator, in the order of its united group.
std::vector<offer> exchange_offers(comm_object &on, const char *call, const offer &mine);

// A communicator that messages of the library go by, and which no handle names.
comm_object unnamed_comm(context_value context, group_pointer local, group_pointer remote);

// ---- Objects ----

bool is_member(const group_object &of);
// Whether this rank comes first in it, and so leads a communicator with it.
bool is_first_of(const group_object &of);

// The error handler of what it was made from is handed on.
void inherit(comm_object &to, const comm_object &from);

// A new communicator gets the error handler that the program names, and the program its handle; or
// there is none, if that is no handler.
int give_with_handler(comm_object &made, errhandler which, comm *out);

// A communicator goes, but not before its attributes, whose functions may refuse that.
int discard(comm_object &which);

// A communicator of the group, whose members agree by messages of that context and tag.
comm_object &make_among(const group_pointer &members, context_value meeting_context, int tag,
                        const char *call);

// A copy with a context of its own, which may still be unknown: attributes, topology, error
// handler. An error class of an attribute's function, and then there is no copy.
int make_duplicate(comm_object &from, context_value context, comm_object *&out);

} // namespace saguaro::mpi
