// SPDX-License-Identifier: MIT
// Starting and completing generalized requests, and calling the program's functions.
#include "mpi/core/requests/generalized_requests.hpp"

#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"

namespace saguaro::mpi {

int query_program(const request_object &of, status *out) {
    const program_operation &own = *of.program;
    const program_call outside;
    status said; // the program always gets one to write
    const int error = own.query.thunk(own.query.function, own.extra_state, &said);
    said.error = status::error_unset;
    if (out != nullptr)
        *out = said;
    return error;
}

int tell_program_of_end(const request_object &which) {
    const program_operation &own = *which.program;
    const program_call outside;
    return own.free.thunk(own.free.function, own.extra_state);
}

int ask_program_to_cancel(const request_object &which) {
    const program_operation &own = *which.program;
    return own.cancel.thunk(own.cancel.function, own.extra_state, which.is_complete ? 1 : 0);
}

namespace core {

int grequest_start(grequest_query query, grequest_free free, grequest_cancel cancel,
                   void *extra_state, request *out) {
    request_object made;
    made.what = action::generalized;
    made.posted = rank::mine->clock();
    made.peer = rank::mine->number();
    made.program =
        std::make_unique<program_operation>(program_operation{query, free, cancel, extra_state});
    *out = process::mine->requests.add(std::move(made));
    return abi::success;
}

int grequest_complete(request which) {
    request_object *const r = process::mine->requests.find(which);
    if (r == nullptr || r->what != action::generalized || r->is_complete)
        return abi::err_request;
    r->is_complete = true;
    r->completed = rank::mine->clock();
    if (!r->program->is_freed)
        return abi::success;
    // The program has freed it before, and nobody waits for it.
    const int error = tell_program_of_end(*r);
    process::mine->requests.remove(which);
    return error;
}

} // namespace core

} // namespace saguaro::mpi
