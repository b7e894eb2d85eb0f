// SPDX-License-Identifier: MIT
// Error classes, and the handlers that errors go to.
#include "detmpi/core/functions.hpp"
#include "detmpi/core/lines.hpp"
#include "detmpi/core/process.hpp"

#include <array>
#include <cstdio>

namespace saguaro::detmpi::core {

namespace {

// In the order of their numbers, from MPI_SUCCESS on.
constexpr std::array<const char *, 63> texts = {
    "no error",
    "invalid buffer pointer",
    "invalid count",
    "invalid datatype",
    "invalid tag",
    "invalid communicator",
    "invalid rank",
    "invalid request",
    "invalid root",
    "invalid group",
    "invalid operator",
    "invalid topology",
    "invalid dimensions",
    "invalid argument",
    "unknown error",
    "message truncated",
    "another error",
    "internal error",
    "a pending request",
    "the error is in the status",
    "permission denied",
    "invalid access mode",
    "invalid assertion",
    "invalid file name",
    "invalid base address",
    "error in a data conversion function",
    "invalid displacement",
    "the data representation is defined already",
    "the file exists",
    "the file is in use",
    "invalid file handle",
    "invalid info key",
    "no such info key",
    "invalid info value",
    "invalid info object",
    "input or output error",
    "invalid key of attributes",
    "invalid lock type",
    "no such service name",
    "out of memory",
    "arguments differ between ranks",
    "no space left",
    "no such file",
    "invalid port name",
    "quota exceeded",
    "read-only file or file system",
    "memory cannot be attached to the window",
    "conflicting accesses to a window",
    "target memory is outside of the window",
    "memory of the window cannot be shared",
    "wrong synchronization of a window",
    "invalid service",
    "invalid size",
    "error in spawning",
    "unsupported data representation",
    "unsupported operation",
    "invalid window",
    "wrong flavor of a window",
    "a process has been aborted",
    "a value does not fit",
    "invalid session",
    "invalid error handler",
    "error of a function of the ABI",
};

const char *text_of(int code) {
    return code >= 0 && static_cast<std::size_t>(code) < texts.size()
               ? texts[static_cast<std::size_t>(code)]
               : "unknown error";
}

comm_object &subject(comm on) {
    comm_object *const c = on == comm::null ? nullptr : find(on);
    return c != nullptr ? *c : *process::mine->self_comm;
}

void leave_handler(errhandler which) {
    handler_object *const h = process::mine->handlers.find(which);
    if (h != nullptr && --h->users == 0)
        process::mine->handlers.remove(which);
}

bool is_handler(errhandler which) {
    return which == errhandler::errors_are_fatal || which == errhandler::errors_abort ||
           which == errhandler::errors_return || process::mine->handlers.find(which) != nullptr;
}

} // namespace

int raise(comm on, int error, const char *function) {
    if (error == mpi::success)
        return error;
    if (process::mine == nullptr) {
        say("%s: %s, before MPI_Init", function, text_of(error));
        end_job(error);
    }
    comm_object &c = subject(on);
    if (c.handler == errhandler::errors_return)
        return error;
    if (const handler_object *const h = process::mine->handlers.find(c.handler)) {
        const error_function<comm> call = h->function; // which may free the handler
        comm handle = c.handle;
        int code = error;
        call.thunk(call.function, &handle, &code);
        return error;
    }
    say("%s: %s", function, text_of(error));
    end_job(error);
}

int error_class(int code, int *out) {
    *out = code;
    return mpi::success;
}

int error_string(int code, char *text, int *length) {
    *length = std::snprintf(text, mpi::max_error_string, "%s", text_of(code));
    return mpi::success;
}

int comm_create_errhandler(error_function<comm> function, errhandler *out) {
    *out = process::mine->handlers.add(handler_object{function});
    return mpi::success;
}

int comm_set_errhandler(comm on, errhandler which) {
    comm_object *const c = find(on);
    if (c == nullptr)
        return mpi::err_comm;
    if (!is_handler(which))
        return mpi::err_errhandler;
    if (handler_object *const h = process::mine->handlers.find(which))
        ++h->users;
    leave_handler(c->handler);
    c->handler = which;
    return mpi::success;
}

int comm_get_errhandler(comm on, errhandler *out) {
    const comm_object *const c = find(on);
    if (c == nullptr)
        return mpi::err_comm;
    *out = c->handler;
    if (handler_object *const h = process::mine->handlers.find(*out))
        ++h->users;
    return mpi::success;
}

int comm_call_errhandler(comm on, int code) {
    if (find(on) == nullptr)
        return mpi::err_comm;
    raise(on, code, "MPI_Comm_call_errhandler");
    return mpi::success;
}

int errhandler_free(errhandler *which) {
    if (!is_handler(*which))
        return mpi::err_errhandler;
    leave_handler(*which);
    *which = errhandler::null;
    return mpi::success;
}

} // namespace saguaro::detmpi::core
