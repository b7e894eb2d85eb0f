// SPDX-License-Identifier: MIT
// Sends and receives.
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"

#include <vector>

namespace saguaro::mpi::core {

namespace {

// Sends, and waits only if the send is synchronous.
int send_now(action what, const void *buffer, std::int64_t count, datatype type, int dest, int tag,
             comm on) {
    message_arguments m;
    const int error = check_message(m, false, buffer, count, type, dest, tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    if (what == action::send && !m.is_nobody) {
        me.send(m.peer, m.on->context, tag, m.buffer, me.clock());
    } else if (!m.is_nobody) {
        request_object r;
        begin_request(r, what, m, tag);
        r.posted = me.clock();
        me.send_synchronously(r);
        me.wait_for(r, me.clock(), "MPI_Ssend");
        me.advance_to(r.completed);
    }
    me.publish();
    return abi::success;
}

// Receives at the present clock, and waits.
int receive_now(const message_arguments &m, int source, int tag, const char *call, status *out) {
    rank &me = *rank::mine;
    received_message got;
    if (m.peer != any_rank && !m.is_nobody &&
        me.receive_next(m.peer, m.on->context, tag, m.buffer, got)) {
        me.advance_to(got.stamp + latency);
        me.publish();
        if (out != nullptr)
            *out = {source, got.tag, status::error_unset, static_cast<std::int64_t>(got.bytes),
                    false};
        return got.error;
    }
    request_object r;
    begin_request(r, action::receive, m, tag);
    r.posted = me.clock();
    if (!m.is_nobody) {
        me.post(r);
        me.wait_for(r, me.clock(), call);
        me.advance_to(r.completed);
    }
    me.publish();
    make_status(r, out);
    return r.error;
}

// Begins a request at the present clock.
void begin(request_object &r) {
    rank &me = *rank::mine;
    r.posted = r.completed = me.clock();
    r.is_active = true;
    r.is_complete = false;
    r.is_cancelled = false;
    if (r.sends_partitions) {
        begin_partitions(r);
        return;
    }
    switch (r.what) {
    case action::nothing:
        r.is_complete = true;
        break;
    case action::send:
        me.send(r.peer, r.context, r.tag, r.buffer, r.posted);
        r.is_complete = true;
        break;
    case action::synchronous_send:
        me.send_synchronously(r);
        break;
    case action::receive:
        me.post(r);
        break;
    case action::joint:
        r.joint->begin(r);
        break;
    case action::generalized: // begins where it is made
    case action::send_partitions:
        break;
    }
}

int make_object(action what, const void *buffer, std::int64_t count, datatype type, int peer,
                int tag, comm on, request *out, request_object *&made) {
    remove_freed_requests();
    request_object checked;
    const int error = make_request(checked, what, buffer, count, type, peer, tag, on, true);
    if (error != 0)
        return error;
    auto &requests = process::mine->requests;
    *out = requests.add(std::move(checked));
    made = requests.find(*out);
    made->can_be_cancelled = what == action::receive;
    ++made->on->users;
    return abi::success;
}

int begin_new(action what, const void *buffer, std::int64_t count, datatype type, int peer, int tag,
              comm on, request *out) {
    request_object *made = nullptr;
    const int error = make_object(what, buffer, count, type, peer, tag, on, out, made);
    if (error != 0)
        return error;
    rank::mine->tick();
    begin(*made);
    rank::mine->publish();
    return abi::success;
}

int make_persistent(action what, const void *buffer, std::int64_t count, datatype type, int peer,
                    int tag, comm on, request *out) {
    request_object *made = nullptr;
    const int error = make_object(what, buffer, count, type, peer, tag, on, out, made);
    if (error != 0)
        return error;
    made->is_persistent = true;
    made->is_active = false;
    made->is_complete = true;
    return abi::success;
}

} // namespace

int send(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on) {
    return send_now(action::send, buffer, count, type, dest, tag, on);
}

int bsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on) {
    return send_now(action::send, buffer, count, type, dest, tag, on);
}

int ssend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on) {
    return send_now(action::synchronous_send, buffer, count, type, dest, tag, on);
}

int rsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on) {
    return send_now(action::send, buffer, count, type, dest, tag, on);
}

int recv(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
         status *out) {
    message_arguments m;
    if (const int error = check_message(m, true, buffer, count, type, source, tag, on))
        return error;
    rank::mine->tick();
    return receive_now(m, source, tag, "MPI_Recv", out);
}

int sendrecv(const void *send_buffer, std::int64_t send_count, datatype send_type, int dest,
             int send_tag, void *receive_buffer, std::int64_t receive_count, datatype receive_type,
             int source, int receive_tag, comm on, status *out) {
    message_arguments s;
    message_arguments r;
    int error = check_message(s, false, send_buffer, send_count, send_type, dest, send_tag, on);
    if (error == 0)
        error = check_message(r, true, receive_buffer, receive_count, receive_type, source,
                              receive_tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    if (!s.is_nobody)
        me.send(s.peer, s.on->context, send_tag, s.buffer, me.clock());
    return receive_now(r, source, receive_tag, "MPI_Sendrecv", out);
}

// The send has left the buffer when the receive is posted.
int sendrecv_replace(void *buffer, std::int64_t count, datatype type, int dest, int send_tag,
                     int source, int receive_tag, comm on, status *out) {
    return sendrecv(buffer, count, type, dest, send_tag, buffer, count, type, source, receive_tag,
                    on, out);
}

int isend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
          request *out) {
    return begin_new(action::send, buffer, count, type, dest, tag, on, out);
}

int ibsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out) {
    return begin_new(action::send, buffer, count, type, dest, tag, on, out);
}

int issend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out) {
    return begin_new(action::synchronous_send, buffer, count, type, dest, tag, on, out);
}

int irsend(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
           request *out) {
    return begin_new(action::send, buffer, count, type, dest, tag, on, out);
}

int irecv(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
          request *out) {
    return begin_new(action::receive, buffer, count, type, source, tag, on, out);
}

// The send is complete when it begins, so the request is the receive's.
int isendrecv(const void *send_buffer, std::int64_t send_count, datatype send_type, int dest,
              int send_tag, void *receive_buffer, std::int64_t receive_count, datatype receive_type,
              int source, int receive_tag, comm on, request *out) {
    message_arguments s;
    if (const int error =
            check_message(s, false, send_buffer, send_count, send_type, dest, send_tag, on))
        return error;
    request_object *made = nullptr;
    if (const int error = make_object(action::receive, receive_buffer, receive_count, receive_type,
                                      source, receive_tag, on, out, made))
        return error;
    rank &me = *rank::mine;
    me.tick();
    if (!s.is_nobody)
        me.send(s.peer, s.on->context, send_tag, s.buffer, me.clock());
    begin(*made);
    me.publish();
    return abi::success;
}

int isendrecv_replace(void *buffer, std::int64_t count, datatype type, int dest, int send_tag,
                      int source, int receive_tag, comm on, request *out) {
    return isendrecv(buffer, count, type, dest, send_tag, buffer, count, type, source, receive_tag,
                     on, out);
}

int send_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
              request *out) {
    return make_persistent(action::send, buffer, count, type, dest, tag, on, out);
}

int bsend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out) {
    return make_persistent(action::send, buffer, count, type, dest, tag, on, out);
}

int ssend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out) {
    return make_persistent(action::synchronous_send, buffer, count, type, dest, tag, on, out);
}

int rsend_init(const void *buffer, std::int64_t count, datatype type, int dest, int tag, comm on,
               request *out) {
    return make_persistent(action::send, buffer, count, type, dest, tag, on, out);
}

int recv_init(void *buffer, std::int64_t count, datatype type, int source, int tag, comm on,
              request *out) {
    return make_persistent(action::receive, buffer, count, type, source, tag, on, out);
}

int startall(int count, request *which) {
    if (count < 0)
        return abi::err_count;
    auto &requests = process::mine->requests;
    for (int i = 0; i < count; ++i) {
        const request_object *const r = requests.find(which[i]);
        if (r == nullptr || !r->is_persistent || r->is_active)
            return abi::err_request;
    }
    // Each has a clock of its own: no two messages of a rank have one stamp.
    for (int i = 0; i < count; ++i) {
        rank::mine->tick();
        begin(*requests.find(which[i]));
    }
    rank::mine->publish();
    return abi::success;
}

int start(request *which) {
    return startall(1, which);
}

} // namespace saguaro::mpi::core
