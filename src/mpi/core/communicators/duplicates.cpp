// SPDX-License-Identifier: MIT
// Duplicates that are made while the rank goes on, and hints.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

namespace saguaro::mpi::core {

namespace {

// The hints that the library knows of: what the program promises not to do. Others are ignored, and
// MPI_Comm_get_info does not return them.
int read_hints(info from, info_list &out) {
    info_list all;
    if (const int error = read_info(from, all))
        return error;
    for (const auto &[key, value] : all)
        if (key.starts_with("mpi_assert_"))
            set_value(out, key, value);
    return abi::success;
}

// The context comes from the leader, into the new communicator. `out` is a request that is complete
// when it is there.
void begin_context(comm_object &from, comm_object &made, std::uint32_t leader,
                   request_object &out) {
    rank &me = *rank::mine;
    const int tag = tag_of_duplicate(from.duplicates++);
    const group_pointer all = united_group(from);
    me.tick();
    out.on = &from;
    out.context = from.context + 1;
    out.posted = out.completed = me.clock();
    if (leader == me.number()) {
        std::vector<std::uint32_t> others(all->members.begin() + 1, all->members.end());
        made.context = take_context();
        me.send_to_all(others, out.context, tag, bytes_at(&made.context, sizeof(made.context)),
                       me.clock());
        out.what = action::send;
        out.is_complete = true;
        return;
    }
    out.what = action::receive;
    out.peer = leader;
    out.tag = tag;
    out.buffer = bytes_at(&made.context, sizeof(made.context));
    me.post(out);
}

} // namespace

int comm_idup_with_info(comm from, info hints, comm *out, request *done) {
    comm_object *const c = find(from);
    if (c == nullptr)
        return abi::err_comm;
    info_list read;
    if (const int error = read_hints(hints, read))
        return error;
    comm_object *made = nullptr;
    *out = comm::null;
    if (const int error = make_duplicate(*c, 0, made))
        return error;
    made->hints = std::move(read);
    *done = process::mine->requests.add();
    ++c->users;
    begin_context(*c, *made, united_group(*c)->members.front(),
                  *process::mine->requests.find(*done));
    rank::mine->publish();
    *out = made->handle;
    return abi::success;
}

int comm_idup(comm from, comm *out, request *done) {
    return comm_idup_with_info(from, info::null, out, done);
}

int comm_dup_with_info(comm from, info hints, comm *out) {
    info_list read;
    int error = read_hints(hints, read);
    if (error == 0)
        error = comm_dup(from, out);
    if (error == 0)
        find(*out)->hints = std::move(read);
    return error;
}

int comm_set_info(comm which, info hints) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return abi::err_comm;
    return read_hints(hints, c->hints);
}

int comm_get_info(comm which, info *out) {
    const comm_object *const c = find(which);
    if (c == nullptr)
        return abi::err_comm;
    *out = make_info(c->hints);
    return abi::success;
}

int comm_create_from_group(group members, const char *tag, info hints, errhandler handler,
                           comm *out) {
    const group_pointer *const g = find(members);
    if (g == nullptr || (*g)->size() == 0 || !is_member(**g))
        return abi::err_group;
    info_list read;
    if (const int error = read_hints(hints, read))
        return error;
    comm_object &made = make_among(*g, own_context, tag_among_members(number_of_text(tag)),
                                   "MPI_Comm_create_from_group");
    made.hints = std::move(read);
    return give_with_handler(made, handler, out);
}

} // namespace saguaro::mpi::core
