// SPDX-License-Identifier: MIT
// Taking contexts, and agreeing on them by an exchange of offers.
#include "mpi/core/communicators/making.hpp"

#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <algorithm>

namespace saguaro::mpi {

// ---- Contexts ----

context_value take_context() {
    std::vector<context_value> &spare = process::mine->spare_contexts;
    if (!spare.empty()) {
        const context_value context = spare.back();
        spare.pop_back();
        return context;
    }
    // Relaxed: it only has to be another one each time.
    static_assert(most_contexts == (contexts_end - first_context) / 2);
    world_record &shared = rank::mine->all().head();
    const context_value number = shared.contexts.fetch_add(1, std::memory_order_relaxed);
    if (number >= shared.contexts_limit)
        fail("no more communicators: the ranks have made %llu",
             static_cast<unsigned long long>(number));
    return first_context + number * 2;
}

void give_context_back(context_value context) {
    process::mine->spare_contexts.push_back(context);
}

int number_of_text(std::string_view text) {
    // FNV-1a.
    std::uint32_t number = 2166136261U;
    for (const char each : text)
        number = (number ^ static_cast<unsigned char>(each)) * 16777619U;
    return static_cast<int>(number & INT32_MAX);
}

// ---- Agreement ----

group_pointer united_group(const comm_object &of) {
    if (!of.is_inter())
        return of.local;
    const bool is_local_first =
        comes_before(rank::mine->all(), of.local->members.front(), of.remote->members.front());
    std::vector<std::uint32_t> all = (is_local_first ? of.local : of.remote)->members;
    const auto &rest = (is_local_first ? of.remote : of.local)->members;
    all.insert(all.end(), rest.begin(), rest.end());
    return std::make_shared<group_object>(std::move(all));
}

std::vector<offer> exchange_offers(comm_object &on, const char *call, const offer &mine) {
    if (!on.is_inter()) {
        collective all(on, call);
        return everybodys(all, mine);
    }
    comm_object united = unnamed_comm(on.context, united_group(on), nullptr);
    collective all(united, call);
    return everybodys(all, mine);
}

comm_object unnamed_comm(context_value context, group_pointer local, group_pointer remote) {
    comm_object made;
    made.context = context;
    made.rank = local->place_of(rank::mine->number());
    made.local = std::move(local);
    made.remote = std::move(remote);
    return made;
}

// ---- Objects ----

bool is_member(const group_object &of) {
    return of.place_of(rank::mine->number()) != abi::undefined;
}

bool is_first_of(const group_object &of) {
    return of.place_of(rank::mine->number()) == 0;
}

void inherit(comm_object &to, const comm_object &from) {
    // The new one first: this may be the old one's last user.
    join_handler(from.handler);
    leave_handler(to.handler);
    to.handler = from.handler;
}

int give_with_handler(comm_object &made, errhandler which, comm *out) {
    if (const int error = core::comm_set_errhandler(made.handle, which)) {
        static_cast<void>(discard(made));
        *out = comm::null;
        return error;
    }
    *out = made.handle;
    return abi::success;
}

int discard(comm_object &which) {
    if (const int error = delete_attributes(which.handle))
        return error;
    if (which.handle == process::mine->parent)
        process::mine->parent = comm::null;
    leave(&which);
    return abi::success;
}

comm_object &make_among(const group_pointer &members, context_value meeting_context, int tag,
                        const char *call) {
    comm_object among = unnamed_comm(meeting_context, members, nullptr);
    const offer mine{0, 0, among.rank == 0 ? take_context() : 0};
    std::vector<offer> offers;
    {
        collective all(among, call, tag);
        offers = everybodys(all, mine);
    }
    return make_comm(offers.front().context, members, nullptr);
}

int make_duplicate(comm_object &from, context_value context, comm_object *&out) {
    comm_object &made = make_comm(context, from.local, from.remote);
    inherit(made, from);
    if (const int error = copy_attributes(from.handle, made.handle)) {
        // If a function refuses that a copy goes, the communicator stays, without a handle.
        static_cast<void>(discard(made));
        return error;
    }
    made.topology = from.topology;
    out = &made;
    return abi::success;
}

} // namespace saguaro::mpi
