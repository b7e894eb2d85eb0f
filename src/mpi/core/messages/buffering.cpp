// SPDX-License-Identifier: MIT
// Attaching, detaching and flushing the buffers of MPI_Bsend.
#include "mpi/core/messages/buffering.hpp"

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

#include <cstring>

namespace saguaro::mpi {

int attached_buffer::attach(void *buffer, std::int64_t size) {
    if (memory != nullptr)
        return abi::err_buffer;
    if (size < 0 && !is_buffer_automatic(buffer))
        return abi::err_arg;
    memory = buffer;
    bytes = size;
    return abi::success;
}

void attached_buffer::detach(void *address, std::int64_t *size) {
    std::memcpy(address, &memory, sizeof(memory));
    *size = bytes;
    *this = {};
}

int give_empty_request(request *out) {
    request_object empty;
    empty.what = action::send;
    empty.is_complete = true;
    empty.on = process::mine->self_comm.get();
    ++empty.on->users;
    *out = process::mine->requests.add(std::move(empty));
    return abi::success;
}

namespace {

attached_buffer of_process;

} // namespace

std::size_t attached_buffers() {
    std::size_t count = 0;
    const auto look_at = [&](const attached_buffer &each) {
        if (each.memory != nullptr && !is_buffer_automatic(each.memory))
            ++count;
    };
    process &own = *process::mine;
    look_at(of_process);
    look_at(own.world_comm->buffer);
    look_at(own.self_comm->buffer);
    own.comms.for_each([&](const std::unique_ptr<comm_object> &each) { look_at(each->buffer); });
    return count;
}

namespace core {

int buffer_attach(void *buffer, std::int64_t size) {
    return of_process.attach(buffer, size);
}

int buffer_detach(void *address, std::int64_t *size) {
    of_process.detach(address, size);
    return abi::success;
}

int buffer_flush() {
    return abi::success;
}

int buffer_iflush(request *out) {
    return give_empty_request(out);
}

int comm_attach_buffer(comm on, void *buffer, std::int64_t size) {
    comm_object *const c = find(on);
    return c != nullptr ? c->buffer.attach(buffer, size) : abi::err_comm;
}

int comm_detach_buffer(comm on, void *address, std::int64_t *size) {
    comm_object *const c = find(on);
    if (c == nullptr)
        return abi::err_comm;
    c->buffer.detach(address, size);
    return abi::success;
}

int comm_flush_buffer(comm on) {
    return find(on) != nullptr ? abi::success : abi::err_comm;
}

int comm_iflush_buffer(comm on, request *out) {
    return find(on) != nullptr ? give_empty_request(out) : abi::err_comm;
}

int session_attach_buffer(session on, void *buffer, std::int64_t size) {
    session_object *const s = find(on);
    return s != nullptr ? s->buffer.attach(buffer, size) : abi::err_session;
}

int session_detach_buffer(session on, void *address, std::int64_t *size) {
    session_object *const s = find(on);
    if (s == nullptr)
        return abi::err_session;
    s->buffer.detach(address, size);
    return abi::success;
}

int session_flush_buffer(session on) {
    return find(on) != nullptr ? abi::success : abi::err_session;
}

int session_iflush_buffer(session on, request *out) {
    return find(on) != nullptr ? give_empty_request(out) : abi::err_session;
}

} // namespace core

} // namespace saguaro::mpi
