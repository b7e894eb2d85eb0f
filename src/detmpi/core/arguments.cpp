// SPDX-License-Identifier: MIT
#include "detmpi/core/arguments.hpp"

#include "detmpi/core/process.hpp"

namespace saguaro::detmpi {

const type_pointer *find_type(datatype which) {
    const type_pointer &known = process::mine->types.find(which);
    return known != nullptr ? &known : nullptr;
}

int make_buffer(typed_buffer &out, const void *buffer, std::int64_t count, datatype type,
                type_pointer *kept) {
    if (count < 0)
        return mpi::err_count;
    const type_pointer *const found = find_type(type);
    if (found == nullptr)
        return mpi::err_type;
    const datatype_object &t = **found;
    out = {const_cast<void *>(buffer), count, &t, count * t.size()};
    if (kept != nullptr && !is_predefined(type))
        *kept = *found;
    return mpi::success;
}

int make_request(request_object &out, action what, const void *buffer, std::int64_t count,
                 datatype type, int peer, int tag, comm on, bool keeps_type) {
    comm_object *const c = find(on);
    if (c == nullptr)
        return mpi::err_comm;
    const bool receives = what == action::receive;
    if ((tag < 0 && !(receives && tag == mpi::any_tag)))
        return mpi::err_tag;
    const int error =
        make_buffer(out.buffer, buffer, count, type, keeps_type ? &out.type : nullptr);
    if (error != 0)
        return error;
    out.on = c;
    out.context = c->context;
    out.tag = tag;
    out.what = what;
    if (peer == mpi::proc_null) {
        out.what = action::nothing;
        out.is_complete = true;
        return mpi::success;
    }
    if (peer == mpi::any_source && receives) {
        out.peer = any_rank;
        return mpi::success;
    }
    if (peer < 0 || peer >= c->peers().size())
        return mpi::err_rank;
    out.peer = c->world_rank(peer);
    return mpi::success;
}

void make_status(const request_object &of, status *out) {
    if (out == nullptr)
        return;
    if (of.what == action::nothing) {
        set_status_of_no_process(out);
        return;
    }
    set_empty_status(out);
    if (of.what != action::receive)
        return;
    out->source = of.on->peers().place_of(of.source);
    out->tag = of.got_tag;
    out->bytes = static_cast<std::int64_t>(of.got_bytes);
}

} // namespace saguaro::detmpi
