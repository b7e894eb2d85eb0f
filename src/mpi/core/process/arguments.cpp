// SPDX-License-Identifier: MIT
// Checking types, buffers, ranks and tags, and turning them into requests.
#include "mpi/core/process/arguments.hpp"

#include "mpi/core/process/process.hpp"

namespace saguaro::mpi {

const type_pointer *find_type(datatype which) {
    const type_pointer &known = process::mine->types.find(which);
    return known != nullptr ? &known : nullptr;
}

const type_pointer *find_committed(datatype which) {
    return process::mine->types.committed(which) ? find_type(which) : nullptr;
}

int make_buffer(typed_buffer &out, const void *buffer, std::int64_t count, datatype type,
                type_pointer *kept) {
    if (count < 0)
        return abi::err_count;
    process &p = *process::mine;
    const datatype_object *t = p.last_predefined;
    if (t == nullptr || type != p.last_predefined_handle) [[unlikely]] {
        const type_pointer *const found = find_committed(type);
        if (found == nullptr)
            return abi::err_type;
        t = found->get();
        if (is_predefined(type)) {
            p.last_predefined_handle = type;
            p.last_predefined = t;
        } else if (kept != nullptr) {
            *kept = *found;
        }
    }
    out = {const_cast<void *>(buffer), count, t, count * t->size()};
    return abi::success;
}

int check_message(message_arguments &out, bool receives, const void *buffer, std::int64_t count,
                  datatype type, int peer, int tag, comm on, type_pointer *kept) {
    comm_object *const c = find(on);
    if (c == nullptr)
        return abi::err_comm;
    if (tag < 0 && !(receives && tag == abi::any_tag))
        return abi::err_tag;
    out.on = c;
    // To nobody goes anything, even of no type.
    if (peer == abi::proc_null) {
        out.is_nobody = true;
        return count < 0 ? abi::err_count : abi::success;
    }
    // No elements of no type, as MPICH has it.
    const bool is_empty = count == 0 && type == datatype::null;
    if (const int error = is_empty ? 0 : make_buffer(out.buffer, buffer, count, type, kept))
        return error;
    if (peer >= 0 && peer < c->peers().size()) [[likely]]
        out.peer = c->world_rank(peer);
    else if (peer != abi::any_source || !receives)
        return abi::err_rank;
    return check_memory(out.buffer);
}

int make_request(request_object &out, action what, const void *buffer, std::int64_t count,
                 datatype type, int peer, int tag, comm on, bool keeps_type) {
    message_arguments checked;
    const int error = check_message(checked, what == action::receive, buffer, count, type, peer,
                                    tag, on, keeps_type ? &out.type : nullptr);
    if (error != 0)
        return error;
    begin_request(out, what, checked, tag);
    return abi::success;
}

void begin_request(request_object &out, action what, const message_arguments &from, int tag) {
    out.buffer = from.buffer;
    out.on = from.on;
    out.context = from.on->context;
    out.tag = tag;
    out.peer = from.peer;
    out.what = from.is_nobody ? action::nothing : what;
    out.is_complete = from.is_nobody;
}

void remove_request(request which) {
    // An operation of the program's own has no communicator.
    if (comm_object *const on = process::mine->requests.find(which)->on)
        leave(on);
    process::mine->requests.remove(which);
}

void make_status(const request_object &of, status *out) {
    if (out == nullptr)
        return;
    if (of.what == action::nothing) {
        set_status_of_no_process(out);
        return;
    }
    *out = {};
    out->cancelled = of.is_cancelled;
    out->bytes = static_cast<std::int64_t>(of.got_bytes);
    if (of.what != action::receive || of.is_cancelled)
        return;
    out->source = of.on->peers().place_of(of.source);
    out->tag = of.got_tag;
}

} // namespace saguaro::mpi
