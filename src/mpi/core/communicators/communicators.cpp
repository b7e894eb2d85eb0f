// SPDX-License-Identifier: MIT
// The functions that compare, duplicate, split and free communicators.
#include "mpi/core/communicators/communicators.hpp"

#include "mpi/core/communicators/making.hpp"
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::mpi {

comm_object *find(comm which) {
    if (which == comm::world) [[likely]]
        return process::mine->world_comm.get();
    if (which == comm::self)
        return process::mine->self_comm.get();
    std::unique_ptr<comm_object> *const found = process::mine->comms.find(which);
    return found != nullptr ? found->get() : nullptr;
}

void leave(comm_object *which) {
    if (--which->users != 0 || is_predefined(which->handle))
        return;
    leave_handler(which->handler);
    process::mine->comms.remove(which->handle);
}

comm_object &make_comm(context_value context, group_pointer local, group_pointer remote) {
    auto made = std::make_unique<comm_object>();
    comm_object &c = *made;
    c.context = context;
    c.local = std::move(local);
    c.remote = std::move(remote);
    c.rank = c.local->place_of(rank::mine->number());
    c.handle = process::mine->comms.add(std::move(made));
    return c;
}

bool refuses_machines(const comm_object &of, const char *call) {
    const rank &me = *rank::mine;
    for (const std::uint32_t each : united_group(of)->members)
        if (me.host_of(each) != me.host_of(me.number())) {
            if (is_first_of(*of.local))
                say("%s: the ranks of this communicator share no memory, for they are on several "
                    "machines; MPI_Comm_split_type finds those of one",
                    call);
            return true;
        }
    return false;
}

namespace core {

namespace {

// Of ranks from `first` to before `end` in a united group: those with the color, by their keys.
std::vector<std::size_t> places_of(const std::vector<offer> &offers, std::size_t first,
                                   std::size_t end, int color) {
    std::vector<std::size_t> chosen;
    for (std::size_t r = first; r < end; ++r)
        if (offers[r].color == color)
            chosen.push_back(r);
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::size_t a, std::size_t b) { return offers[a].key < offers[b].key; });
    return chosen;
}

group_pointer group_at(const group_object &of, const std::vector<std::size_t> &places) {
    std::vector<std::uint32_t> members;
    for (const std::size_t p : places)
        members.push_back(of.members[p]);
    return std::make_shared<group_object>(std::move(members));
}

// A communicator for each color; an intercommunicator of those with the color in both groups.
int split(comm_object &from, const char *call, int color, int key, comm *out) {
    const bool wants = color != abi::undefined;
    const context_value own = wants ? take_context() : 0;
    const std::vector<offer> offers = exchange_offers(from, call, {color, key, own});
    *out = comm::null;
    if (!wants)
        return abi::success;
    const group_pointer united = united_group(from);
    const bool is_local_first = united->members.front() == from.local->members.front();
    const auto local_size = static_cast<std::size_t>(from.size());
    const std::size_t local_begin = is_local_first ? 0 : offers.size() - local_size;
    const auto local = places_of(offers, local_begin, local_begin + local_size, color);
    std::size_t leader = local.front();
    group_pointer remote;
    if (from.is_inter()) {
        const std::size_t begin = is_local_first ? local_size : 0;
        const auto others = places_of(offers, begin, begin + offers.size() - local_size, color);
        if (!others.empty()) {
            leader = std::min(leader, others.front());
            remote = group_at(*united, others);
        }
    }
    if (offers[leader].context != own)
        give_context_back(own);
    if (from.is_inter() && remote == nullptr)
        return abi::success;
    comm_object &made = make_comm(offers[leader].context, group_at(*united, local), remote);
    inherit(made, from);
    *out = made.handle;
    return abi::success;
}

} // namespace

std::int64_t peers(comm of) {
    const inside here;
    const comm_object *const c = find(of);
    return c != nullptr ? c->peers().size() : 0;
}

std::int64_t local_size(comm of) {
    const inside here;
    const comm_object *const c = find(of);
    return c != nullptr ? c->size() : 0;
}

bool is_root(comm of, int root) {
    const inside here;
    const comm_object *const c = find(of);
    return c != nullptr && (root == abi::root || (!c->is_inter() && root == c->rank));
}

int comm_rank(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    *out = c->rank;
    return abi::success;
}

int comm_size(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    *out = c->size();
    return abi::success;
}

int comm_remote_size(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr || !c->is_inter())
        return abi::err_comm;
    *out = c->remote->size();
    return abi::success;
}

int comm_group(comm of, group *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    *out = process::mine->groups.add(c->local);
    return abi::success;
}

int comm_remote_group(comm of, group *out) {
    const comm_object *const c = find(of);
    if (c == nullptr || !c->is_inter())
        return abi::err_comm;
    *out = process::mine->groups.add(c->remote);
    return abi::success;
}

int comm_test_inter(comm of, int *flag) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return abi::err_comm;
    *flag = c->is_inter() ? 1 : 0;
    return abi::success;
}

int comm_compare(comm a, comm b, int *result) {
    const comm_object *const x = find(a);
    const comm_object *const y = find(b);
    if (x == nullptr || y == nullptr)
        return abi::err_comm;
    if (x == y) {
        *result = abi::ident;
        return abi::success;
    }
    const auto same = [](const group_pointer &g, const group_pointer &h) {
        if (g == nullptr || h == nullptr)
            return g == h ? 2 : 0;
        if (g->members == h->members)
            return 2;
        return std::is_permutation(g->members.begin(), g->members.end(), h->members.begin(),
                                   h->members.end())
                   ? 1
                   : 0;
    };
    const int both = std::min(same(x->local, y->local), same(x->remote, y->remote));
    *result = both == 2 ? abi::congruent : both == 1 ? abi::similar : abi::unequal;
    return abi::success;
}

int comm_dup(comm from, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr)
        return abi::err_comm;
    const context_value context = is_first_of(*united_group(*c)) ? take_context() : 0;
    const std::vector<offer> offers = exchange_offers(*c, "MPI_Comm_dup", {0, 0, context});
    *out = comm::null;
    comm_object *made = nullptr;
    if (const int error = make_duplicate(*c, offers.front().context, made))
        return error;
    *out = made->handle;
    return abi::success;
}

int comm_create(comm from, group members, comm *out) {
    comm_object *const c = find(from);
    const group_pointer *const g = find(members);
    if (c == nullptr)
        return abi::err_comm;
    if (g == nullptr)
        return abi::err_group;
    for (const std::uint32_t m : (*g)->members)
        if (c->local->place_of(m) == abi::undefined)
            return abi::err_group;
    // The members of the other group come to be known by their places in their group.
    if (c->is_inter())
        return split(*c, "MPI_Comm_create", is_member(**g) ? 0 : abi::undefined,
                     (*g)->place_of(rank::mine->number()), out);
    const context_value context = is_first_of(**g) ? take_context() : 0;
    const std::vector<offer> offers = exchange_offers(*c, "MPI_Comm_create", {0, 0, context});
    *out = comm::null;
    if (is_member(**g)) {
        const int leader = c->local->place_of((*g)->members.front());
        comm_object &made =
            make_comm(offers[static_cast<std::size_t>(leader)].context, *g, nullptr);
        inherit(made, *c);
        *out = made.handle;
    }
    return abi::success;
}

int comm_create_group(comm from, group members, int tag, comm *out) {
    comm_object *const c = find(from);
    const group_pointer *const g = find(members);
    if (c == nullptr || c->is_inter())
        return abi::err_comm;
    if (g == nullptr)
        return abi::err_group;
    if (tag < 0)
        return abi::err_tag;
    *out = comm::null;
    if (!is_member(**g))
        return abi::success;
    // Among the members alone, in the context of the communicator's collectives.
    comm_object &made = make_among(*g, c->context, tag_among_members(tag), "MPI_Comm_create_group");
    inherit(made, *c);
    *out = made.handle;
    return abi::success;
}

int comm_split(comm from, int color, int key, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr)
        return abi::err_comm;
    if (color < 0 && color != abi::undefined)
        return abi::err_arg;
    return split(*c, "MPI_Comm_split", color, key, out);
}

// Of the parts of a machine nothing is told.
int comm_split_type(comm from, int split_type, int key, info hints, comm *out) {
    info_list read;
    if (const int error = read_info(hints, read))
        return error;
    const std::string *const resource = find_value(read, "mpi_hw_resource_type");
    const std::string *const set = find_value(read, "mpi_pset_name");
    const bool is_guided =
        split_type == abi::comm_type_hw_guided || split_type == abi::comm_type_resource_guided;
    const bool is_machine = split_type == abi::comm_type_shared ||
                            (is_guided && resource != nullptr && *resource == "mpi_shared_memory");
    const bool is_one = is_machine || (split_type == abi::comm_type_resource_guided &&
                                       set != nullptr && *set == "mpi://WORLD");
    if (!is_one && split_type != abi::undefined && split_type != abi::comm_type_hw_guided &&
        split_type != abi::comm_type_hw_unguided && split_type != abi::comm_type_resource_guided)
        return abi::err_arg;
    const auto host = static_cast<int>(rank::mine->host_of(rank::mine->number()));
    return comm_split(from, is_machine ? host : is_one ? 0 : abi::undefined, key, out);
}

int comm_free(comm *which) {
    comm_object *const c = find(*which);
    if (c == nullptr || is_predefined(*which))
        return abi::err_comm;
    if (const int error = discard(*c))
        return error;
    *which = comm::null;
    return abi::success;
}

// All that was sent has left, so nothing has to be waited for.
int comm_disconnect(comm *which) {
    return comm_free(which);
}

int comm_set_name(comm which, const char *name) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return abi::err_comm;
    c->name.assign(name, strnlen(name, abi::max_object_name - 1));
    return abi::success;
}

int comm_get_name(comm which, char *name, int *length) {
    if (which == comm::null)
        return give_name("MPI_COMM_NULL", name, length);
    const comm_object *const c = find(which);
    return c != nullptr ? give_name(c->name, name, length) : abi::err_comm;
}

} // namespace core

} // namespace saguaro::mpi
