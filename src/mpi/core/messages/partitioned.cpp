// SPDX-License-Identifier: MIT
// Partitioned sends and receives.
//
// A message is sent when its last partition is ready, in one piece: so
// the partitions of the two sides need not be the same.
//
// The first MPI_Psend_init to a rank with a tag belongs to the first MPI_Precv_init there, and so
// on, whichever is started first. So each pair has a context of its own, numbered on either side by
// the calls with the same communicator, rank and tag.
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"

#include <limits>
#include <map>
#include <tuple>

namespace saguaro::mpi {

namespace core {

namespace {

// In the upper bits of a context. Only so many pairs of one envelope are told apart at a time.
constexpr unsigned pair_shift = 56;
static_assert(contexts_end == context_value{1} << pair_shift);
constexpr std::uint32_t most_pairs = 127;

context_value context_of_next_pair(bool receives, const message_arguments &m, int tag) {
    const context_value pair = m.on->pairs[{receives, m.peer, tag}]++ % most_pairs;
    return m.on->context | (pair + 1) << pair_shift;
}

int make_partitioned(action what, const void *buffer, int partitions, std::int64_t count,
                     datatype type, int peer, int tag, comm on, request *out) {
    if (partitions < 0)
        return abi::err_arg;
    if (count < 0 ||
        (partitions != 0 && count > std::numeric_limits<std::int64_t>::max() / partitions))
        return abi::err_count;
    message_arguments m;
    request_object made;
    // No wildcards: false, even of a receive.
    if (const int error =
            check_message(m, false, buffer, count * partitions, type, peer, tag, on, &made.type))
        return error;
    begin_request(made, what, m, tag);
    if (!m.is_nobody)
        made.context = context_of_next_pair(what == action::receive, m, tag);
    made.partitions = std::make_unique<partition_state>();
    made.partitions->is_ready.resize(static_cast<std::size_t>(partitions));
    made.is_persistent = true;
    made.is_active = false;
    made.is_complete = true;
    ++made.on->users;
    *out = process::mine->requests.add(std::move(made));
    return abi::success;
}

// The partitions of a send that has begun; null if it is none.
request_object *find_send(request which) {
    request_object *const r = process::mine->requests.find(which);
    return r != nullptr && r->partitions != nullptr && r->is_active && r->sends_partitions
               ? r
               : nullptr;
}

int check_not_ready(const request_object &r, int partition) {
    const auto &ready = r.partitions->is_ready;
    if (partition < 0 || static_cast<std::size_t>(partition) >= ready.size())
        return abi::err_arg;
    return ready[static_cast<std::size_t>(partition)] ? abi::err_arg : abi::success;
}

// The message goes when all are ready.
void send_if_ready(request_object &r) {
    if (r.partitions->ready != r.partitions->is_ready.size())
        return;
    rank &me = *rank::mine;
    if (r.what != action::nothing)
        me.send(r.peer, r.context, r.tag, r.buffer, me.clock());
    r.completed = me.clock();
    r.is_complete = true;
}

void make_ready(request_object &r, int partition) {
    r.partitions->is_ready[static_cast<std::size_t>(partition)] = true;
    ++r.partitions->ready;
    send_if_ready(r);
}

} // namespace

int psend_init(const void *buffer, int partitions, std::int64_t count, datatype type, int dest,
               int tag, comm on, info, request *out) {
    const int error = make_partitioned(action::send_partitions, buffer, partitions, count, type,
                                       dest, tag, on, out);
    if (error == 0)
        process::mine->requests.find(*out)->sends_partitions = true;
    return error;
}

int precv_init(void *buffer, int partitions, std::int64_t count, datatype type, int source, int tag,
               comm on, info, request *out) {
    return make_partitioned(action::receive, buffer, partitions, count, type, source, tag, on, out);
}

int pready_range(int low, int high, request which) {
    request_object *const r = find_send(which);
    if (r == nullptr)
        return abi::err_request;
    if (low > high)
        return abi::err_arg;
    for (int i = low; i <= high; ++i)
        if (const int error = check_not_ready(*r, i))
            return error;
    rank::mine->tick();
    for (int i = low; i <= high; ++i)
        make_ready(*r, i);
    rank::mine->publish();
    return abi::success;
}

int pready(int partition, request which) {
    return pready_range(partition, partition, which);
}

int pready_list(int length, const int *partitions, request which) {
    request_object *const r = find_send(which);
    if (r == nullptr)
        return abi::err_request;
    if (length < 0)
        return abi::err_arg;
    rank::mine->tick();
    int error = abi::success;
    for (int i = 0; i < length && error == 0; ++i) {
        error = check_not_ready(*r, partitions[i]);
        if (error == 0)
            make_ready(*r, partitions[i]);
    }
    rank::mine->publish();
    return error;
}

// As a test of the whole message, which ends nothing.
int parrived(request which, int partition, int *flag) {
    const request_object *const r = process::mine->requests.find(which);
    if (which != request::null && (r == nullptr || r->partitions == nullptr || r->sends_partitions))
        return abi::err_request;
    if (r != nullptr &&
        (partition < 0 || static_cast<std::size_t>(partition) >= r->partitions->is_ready.size()))
        return abi::err_arg;
    return request_get_status(which, flag, nullptr);
}

} // namespace core

void begin_partitions(request_object &send) {
    send.partitions->is_ready.assign(send.partitions->is_ready.size(), false);
    send.partitions->ready = 0;
    core::send_if_ready(send);
}

} // namespace saguaro::mpi
