// SPDX-License-Identifier: MIT
#include "detmpi/core/communicators.hpp"

#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/collectives/values.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::detmpi {

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
    process::mine->comms.remove(which->handle);
}

comm_object &make_comm(std::uint32_t context, group_pointer local, group_pointer remote) {
    auto made = std::make_unique<comm_object>();
    comm_object &c = *made;
    c.context = context;
    c.local = std::move(local);
    c.remote = std::move(remote);
    c.rank = c.local->place_of(rank::mine->number());
    c.handle = process::mine->comms.add(std::move(made));
    return c;
}

namespace {

// What a rank brings to the making of a communicator.
struct offer {
    std::int32_t color;
    std::int32_t key;
    std::uint32_t next_context;
};

// A context that no rank of those that offer has had: 2 of them, one for collectives.
std::uint32_t take_context(const std::vector<offer> &offers) {
    std::uint32_t context = 0;
    for (const offer &o : offers)
        context = std::max(context, o.next_context);
    process::mine->next_context = context + 2;
    return context;
}

offer offer_of(int color, int key) {
    return {color, key, process::mine->next_context};
}

// The error handler and the name of what it was made from: the handler is handed on.
void inherit(comm_object &to, const comm_object &from) {
    to.handler = from.handler;
    if (handler_object *const h = process::mine->handlers.find(to.handler))
        ++h->users;
}

// A communicator goes, but not before its attributes, whose functions may refuse that.
int discard(comm_object &which) {
    if (const int error = delete_attributes(which))
        return error;
    errhandler handler = which.handler;
    if (process::mine->handlers.find(handler) != nullptr)
        core::errhandler_free(&handler);
    leave(&which);
    return mpi::success;
}

bool is_member(const group_object &of) {
    return of.place_of(rank::mine->number()) != mpi::undefined;
}

} // namespace

namespace core {

std::int64_t peers(comm of) {
    const comm_object *const c = find(of);
    return c != nullptr ? c->peers().size() : 0;
}

std::int64_t local_size(comm of) {
    const comm_object *const c = find(of);
    return c != nullptr ? c->size() : 0;
}

bool is_root(comm of, int root) {
    const comm_object *const c = find(of);
    return c != nullptr && (root == mpi::root || (!c->is_inter() && root == c->rank));
}

int comm_rank(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return mpi::err_comm;
    *out = c->rank;
    return mpi::success;
}

int comm_size(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return mpi::err_comm;
    *out = c->size();
    return mpi::success;
}

int comm_remote_size(comm of, int *out) {
    const comm_object *const c = find(of);
    if (c == nullptr || !c->is_inter())
        return mpi::err_comm;
    *out = c->remote->size();
    return mpi::success;
}

int comm_group(comm of, group *out) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return mpi::err_comm;
    *out = process::mine->groups.add(c->local);
    return mpi::success;
}

int comm_remote_group(comm of, group *out) {
    const comm_object *const c = find(of);
    if (c == nullptr || !c->is_inter())
        return mpi::err_comm;
    *out = process::mine->groups.add(c->remote);
    return mpi::success;
}

int comm_test_inter(comm of, int *flag) {
    const comm_object *const c = find(of);
    if (c == nullptr)
        return mpi::err_comm;
    *flag = c->is_inter() ? 1 : 0;
    return mpi::success;
}

int comm_compare(comm a, comm b, int *result) {
    const comm_object *const x = find(a);
    const comm_object *const y = find(b);
    if (x == nullptr || y == nullptr)
        return mpi::err_comm;
    if (x == y) {
        *result = mpi::ident;
        return mpi::success;
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
    *result = both == 2 ? mpi::congruent : both == 1 ? mpi::similar : mpi::unequal;
    return mpi::success;
}

int comm_dup(comm from, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr)
        return mpi::err_comm;
    std::vector<offer> offers;
    {
        collective all(*c, "MPI_Comm_dup");
        offers = everybodys(all, offer_of(0, 0));
    }
    comm_object &made = make_comm(take_context(offers), c->local, c->remote);
    inherit(made, *c);
    if (const int error = copy_attributes(*c, made)) {
        // If a function refuses that a copy goes, the communicator stays, without a handle.
        static_cast<void>(discard(made));
        *out = comm::null;
        return error;
    }
    made.topology = c->topology;
    *out = made.handle;
    return mpi::success;
}

int comm_create(comm from, group members, comm *out) {
    comm_object *const c = find(from);
    const group_pointer *const g = find(members);
    if (c == nullptr || c->is_inter())
        return mpi::err_comm;
    if (g == nullptr)
        return mpi::err_group;
    for (const std::uint32_t m : (*g)->members)
        if (c->local->place_of(m) == mpi::undefined)
            return mpi::err_group;
    collective all(*c, "MPI_Comm_create");
    const std::uint32_t context = take_context(everybodys(all, offer_of(0, 0)));
    *out = comm::null;
    if (is_member(**g)) {
        comm_object &made = make_comm(context, *g, nullptr);
        inherit(made, *c);
        *out = made.handle;
    }
    return mpi::success;
}

int comm_create_group(comm from, group members, int tag, comm *out) {
    comm_object *const c = find(from);
    const group_pointer *const g = find(members);
    if (c == nullptr || c->is_inter())
        return mpi::err_comm;
    if (g == nullptr)
        return mpi::err_group;
    if (tag < 0)
        return mpi::err_tag;
    *out = comm::null;
    if (!is_member(**g))
        return mpi::success;
    // Among the members alone, in the context of the communicator's collectives.
    comm_object among;
    among.context = c->context;
    among.local = *g;
    among.rank = (*g)->place_of(rank::mine->number());
    collective all(among, "MPI_Comm_create_group", collective::first_free_tag + tag % 1024);
    comm_object &made = make_comm(take_context(everybodys(all, offer_of(0, 0))), *g, nullptr);
    inherit(made, *c);
    *out = made.handle;
    return mpi::success;
}

int comm_split(comm from, int color, int key, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr || c->is_inter())
        return mpi::err_comm;
    if (color < 0 && color != mpi::undefined)
        return mpi::err_arg;
    collective all(*c, "MPI_Comm_split");
    const std::vector<offer> offers = everybodys(all, offer_of(color, key));
    const std::uint32_t context = take_context(offers);
    *out = comm::null;
    if (color == mpi::undefined)
        return mpi::success;
    std::vector<std::size_t> chosen;
    for (std::size_t r = 0; r < offers.size(); ++r)
        if (offers[r].color == color)
            chosen.push_back(r);
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::size_t a, std::size_t b) { return offers[a].key < offers[b].key; });
    std::vector<std::uint32_t> members;
    for (const std::size_t r : chosen)
        members.push_back(c->local->members[r]);
    // Groups of several colors have no member in common, so all may have the same context.
    comm_object &made =
        make_comm(context, std::make_shared<group_object>(std::move(members)), nullptr);
    inherit(made, *c);
    *out = made.handle;
    return mpi::success;
}

int comm_split_type(comm from, int split_type, int key, info, comm *out) {
    // All ranks share one machine, and of its parts nothing is told.
    const bool is_one = split_type == mpi::comm_type_shared;
    if (!is_one && split_type != mpi::undefined && split_type != mpi::comm_type_hw_guided &&
        split_type != mpi::comm_type_hw_unguided && split_type != mpi::comm_type_resource_guided)
        return mpi::err_arg;
    return comm_split(from, is_one ? 0 : mpi::undefined, key, out);
}

int comm_free(comm *which) {
    comm_object *const c = find(*which);
    if (c == nullptr || is_predefined(*which))
        return mpi::err_comm;
    if (const int error = discard(*c))
        return error;
    *which = comm::null;
    return mpi::success;
}

int comm_set_name(comm which, const char *name) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return mpi::err_comm;
    c->name.assign(name, strnlen(name, mpi::max_object_name - 1));
    return mpi::success;
}

int comm_get_name(comm which, char *name, int *length) {
    const comm_object *const c = find(which);
    if (c == nullptr)
        return mpi::err_comm;
    std::memcpy(name, c->name.c_str(), c->name.size() + 1);
    *length = static_cast<int>(c->name.size());
    return mpi::success;
}

} // namespace core

} // namespace saguaro::detmpi
