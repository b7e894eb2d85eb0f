// SPDX-License-Identifier: MIT
// Sends and receives.
#include "detmpi/core/arguments.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"

#include <vector>

namespace saguaro::detmpi::core {

namespace {

// Sends, and waits only if the send is synchronous.
int send_now(action what, const void *buffer, std::int64_t count, datatype type, int dest, int tag,
             comm on) {
    request_object r;
    const int error = make_request(r, what, buffer, count, type, dest, tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    r.posted = me.clock();
    if (r.what == action::send) {
        me.send(r.peer, r.context, r.tag, r.buffer, r.posted);
    } else if (r.what == action::synchronous_send) {
        me.send_synchronously(r);
        me.wait_for(r, me.clock(), "MPI_Ssend");
        me.advance_to(r.completed);
    }
    me.publish();
    return mpi::success;
}

// Begins a request at the present clock.
void begin(request_object &r) {
    rank &me = *rank::mine;
    r.posted = r.completed = me.clock();
    r.is_active = true;
    r.is_complete = false;
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
    }
}

int make_object(action what, const void *buffer, std::int64_t count, datatype type, int peer,
                int tag, comm on, request *out, request_object *&made) {
    request_object checked;
    const int error = make_request(checked, what, buffer, count, type, peer, tag, on, true);
    if (error != 0)
        return error;
    auto &requests = process::mine->requests;
    *out = requests.add(std::move(checked));
    made = requests.find(*out);
    ++made->on->users;
    return mpi::success;
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
    return mpi::success;
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
    return mpi::success;
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
    request_object r;
    const int error = make_request(r, action::receive, buffer, count, type, source, tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    r.posted = me.clock();
    if (r.what == action::receive) {
        me.post(r);
        me.wait_for(r, me.clock(), "MPI_Recv");
        me.advance_to(r.completed);
    }
    me.publish();
    make_status(r, out);
    return r.error;
}

int sendrecv(const void *send_buffer, std::int64_t send_count, datatype send_type, int dest,
             int send_tag, void *receive_buffer, std::int64_t receive_count, datatype receive_type,
             int source, int receive_tag, comm on, status *out) {
    request_object s;
    request_object r;
    int error =
        make_request(s, action::send, send_buffer, send_count, send_type, dest, send_tag, on);
    if (error == 0)
        error = make_request(r, action::receive, receive_buffer, receive_count, receive_type,
                             source, receive_tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    r.posted = me.clock();
    if (s.what == action::send)
        me.send(s.peer, s.context, s.tag, s.buffer, me.clock());
    if (r.what == action::receive) {
        me.post(r);
        me.wait_for(r, me.clock(), "MPI_Sendrecv");
        me.advance_to(r.completed);
    }
    me.publish();
    make_status(r, out);
    return r.error;
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
        return mpi::err_count;
    auto &requests = process::mine->requests;
    for (int i = 0; i < count; ++i) {
        const request_object *const r = requests.find(which[i]);
        if (r == nullptr || !r->is_persistent || r->is_active)
            return mpi::err_request;
    }
    // Each has a clock of its own: no two messages of a rank have one stamp.
    for (int i = 0; i < count; ++i) {
        rank::mine->tick();
        begin(*requests.find(which[i]));
    }
    rank::mine->publish();
    return mpi::success;
}

int start(request *which) {
    return startall(1, which);
}

} // namespace saguaro::detmpi::core
