// SPDX-License-Identifier: MIT
// Intercommunicators: two groups of which each sends to the other.
#include "mpi/core/communicators/meeting.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::mpi {

namespace {

// What a leader says of its group before it lists the members.
struct introduction {
    context_value context;
    std::uint64_t size;
};

typed_buffer words_of(const std::vector<std::uint32_t> &words) {
    return bytes_at(words.data(), words.size() * sizeof(std::uint32_t));
}

group_pointer group_of_one(std::uint32_t member) {
    return std::make_shared<group_object>(std::vector<std::uint32_t>{member});
}

void tell_all(collective &all, int from, const typed_buffer &what) {
    if (all.me() == from)
        all.send_to_all(what);
    else
        all.receive(from, what);
}

// The leaders exchange their groups, and choose one of the contexts that both offer.
introduction meet_leader(const comm_object &local, const meeting_place &where, const char *call,
                         std::vector<std::uint32_t> &others) {
    comm_object leaders =
        unnamed_comm(where.context, group_of_one(rank::mine->number()), group_of_one(where.other));
    const introduction own{take_context(), static_cast<std::uint64_t>(local.size())};
    introduction other{};
    collective all(leaders, call, where.tag);
    all.exchange(0, bytes_at(&own, sizeof(own)), 0, bytes_at(&other, sizeof(other)));
    others.resize(other.size);
    all.exchange(0, words_of(local.local->members), 0, words_of(others));
    if (other.context < own.context)
        give_context_back(own.context);
    other.context = std::min(own.context, other.context);
    return other;
}

bool have_common_members(const group_object &a, const group_object &b) {
    return std::any_of(a.members.begin(), a.members.end(),
                       [&](std::uint32_t m) { return b.place_of(m) != abi::undefined; });
}

} // namespace

int meet(comm_object &local, int leader, const meeting_place &where, const char *call,
         comm_object *&out) {
    // Whoever comes late to its own group holds up both. So the leader's clock, which goes over to
    // the others, is above those of its group.
    {
        collective here(local, call);
        const std::vector<int> errors = everybodys(here, where.error);
        if (const int error = errors[static_cast<std::size_t>(leader)])
            return error;
    }
    introduction other{};
    std::vector<std::uint32_t> others;
    if (local.rank == leader)
        other = meet_leader(local, where, call, others);
    {
        collective here(local, call);
        tell_all(here, leader, bytes_at(&other, sizeof(other)));
        others.resize(other.size);
        tell_all(here, leader, words_of(others));
    }
    auto remote = std::make_shared<group_object>(std::move(others));
    if (have_common_members(*local.local, *remote))
        return abi::err_comm;
    out = &make_comm(other.context, local.local, std::move(remote));
    return abi::success;
}

int meet(comm_object &local, int leader, const meeting_place &where, const char *call, comm *out) {
    comm_object *made = nullptr;
    if (const int error = meet(local, leader, where, call, made))
        return error;
    inherit(*made, local);
    *out = made->handle;
    return abi::success;
}

namespace core {

namespace {

// Where the leaders meet in a communicator that both are in.
meeting_place place_in(comm peers, int remote_leader, int tag) {
    meeting_place where;
    const comm_object *const c = find(peers);
    if (c == nullptr)
        where.error = abi::err_comm;
    else if (remote_leader < 0 || remote_leader >= c->peers().size())
        where.error = abi::err_rank;
    if (where.error != 0)
        return where;
    where.context = c->context;
    where.other = c->world_rank(remote_leader);
    where.tag = tag_of_leaders(tag);
    return where;
}

} // namespace

int intercomm_create(comm local, int local_leader, comm peers, int remote_leader, int tag,
                     comm *out) {
    comm_object *const c = find(local);
    if (c == nullptr || c->is_inter())
        return abi::err_comm;
    if (local_leader < 0 || local_leader >= c->size())
        return abi::err_rank;
    if (tag < 0)
        return abi::err_tag;
    meeting_place where;
    if (c->rank == local_leader)
        where = place_in(peers, remote_leader, tag);
    return meet(*c, local_leader, where, "MPI_Intercomm_create", out);
}

int intercomm_create_from_groups(group local, int local_leader, group remote, int remote_leader,
                                 const char *tag, info, errhandler handler, comm *out) {
    const group_pointer *const mine = find(local);
    const group_pointer *const others = find(remote);
    if (mine == nullptr || (*mine)->size() == 0 || !is_member(**mine))
        return abi::err_group;
    if (local_leader < 0 || local_leader >= (*mine)->size())
        return abi::err_rank;
    comm_object among = unnamed_comm(own_context, *mine, nullptr);
    meeting_place where;
    if (among.rank == local_leader) {
        // Only the leaders have to know the other group.
        if (others == nullptr)
            where.error = abi::err_group;
        else if (remote_leader < 0 || remote_leader >= (*others)->size())
            where.error = abi::err_rank;
        else
            where = {own_context, (*others)->members[static_cast<std::size_t>(remote_leader)],
                     tag_of_leaders(number_of_text(tag)), 0};
    }
    comm_object *made = nullptr;
    if (const int error =
            meet(among, local_leader, where, "MPI_Intercomm_create_from_groups", made))
        return error;
    return give_with_handler(*made, handler, out);
}

int intercomm_merge(comm from, int high, comm *out) {
    comm_object *const c = find(from);
    if (c == nullptr || !c->is_inter())
        return abi::err_comm;
    const group_pointer united = united_group(*c);
    const context_value context = is_first_of(*united) ? take_context() : 0;
    const std::vector<offer> offers =
        exchange_offers(*c, "MPI_Intercomm_merge", {0, high != 0 ? 1 : 0, context});
    const bool is_local_first = united->members.front() == c->local->members.front();
    const auto middle = offers.begin() + (is_local_first ? c->local->size() : c->remote->size());
    const int first_key = offers.front().key;
    const int second_key = middle->key;
    const auto differs_from = [](int key) {
        return [key](const offer &each) { return each.key != key; };
    };
    if (std::any_of(offers.begin(), middle, differs_from(first_key)) ||
        std::any_of(middle, offers.end(), differs_from(second_key)))
        return abi::err_arg;
    std::vector<std::uint32_t> members = united->members;
    if (first_key > second_key)
        std::rotate(members.begin(), members.begin() + (middle - offers.begin()), members.end());
    comm_object &made = make_comm(offers.front().context,
                                  std::make_shared<group_object>(std::move(members)), nullptr);
    inherit(made, *c);
    *out = made.handle;
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
