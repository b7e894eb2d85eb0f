// SPDX-License-Identifier: MIT
// The handlers that errors go to.
#include "mpi/core/errors/errors.hpp"

#include "mpi/core/interface/functions.hpp"
#include "mpi/core/objects/kinds.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/misfits.hpp"

#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace saguaro::mpi {

namespace {

// A handler is for the kind of objects that it was made for.
struct handler_object {
    std::variant<error_function<comm>, error_function<win>, error_function<file>,
                 error_function<session>>
        function;
    std::uint32_t users = 1; // the handle, what MPI_X_get_errhandler gave, and objects
};

// The table is no part of `process`, because programs make handlers before MPI_Init.
std::mutex guard;

object_table<errhandler, handler_object> &table() {
    static auto &made = *new object_table<errhandler, handler_object>;
    return made;
}

// Of the call that the thread is in. It has the handler.
thread_local std::optional<failed_comm> first_failed;

bool is_predefined_handler(errhandler which) {
    return which == errhandler::errors_are_fatal || which == errhandler::errors_abort ||
           which == errhandler::errors_return || which == errhandler::errors_throw_exceptions;
}

// The function of a handler that a program has made for this kind of objects. The guard is held.
template <class handle>
error_function<handle> *find_function(errhandler which) {
    handler_object *const h = table().find(which);
    return h != nullptr ? std::get_if<error_function<handle>>(&h->function) : nullptr;
}

template <class handle>
std::optional<error_function<handle>> function_of(errhandler which) {
    const std::lock_guard hold(guard);
    const auto *const function = find_function<handle>(which);
    return function != nullptr ? std::optional(*function) : std::nullopt;
}

[[noreturn]] void end_with(int error, const char *function) {
    if (misfits::is_noted())
        misfits::end_job(function, error);
    say("%s: %s", function, error_text(error).c_str());
    core::end_job(error);
}

// What an object's handler does with an error.
template <class handle>
int handle_error(handle on, errhandler which, int error, const char *function) {
    if (which == errhandler::errors_return || which == errhandler::errors_throw_exceptions) {
        misfits::forget(); // the program sees to it
        if (which == errhandler::errors_throw_exceptions && throws_exception<handle> != nullptr)
            throws_exception<handle>(&on, &error);
        return error;
    }
    const auto own = function_of<handle>(which); // a copy: the program may free the handler
    if (!own)
        end_with(error, function);
    misfits::forget();
    int code = error;
    own->thunk(own->function, &on, &code);
    return code;
}

template <class handle>
int create_handler(error_function<handle> function, errhandler *out) {
    const std::lock_guard hold(guard);
    *out = table().add(handler_object{function});
    return abi::success;
}

template <class handle>
int set_handler(handle on, errhandler which) {
    errhandler *const own = handler_of(on);
    if (own == nullptr)
        return err_invalid<handle>;
    if (!is_predefined_handler(which) && !function_of<handle>(which))
        return abi::err_errhandler;
    join_handler(which);
    leave_handler(*own);
    *own = which;
    return abi::success;
}

template <class handle>
int get_handler(handle on, errhandler *out) {
    const errhandler *const own = handler_of(on);
    if (own == nullptr)
        return err_invalid<handle>;
    *out = *own == errhandler::null ? errhandler::errors_are_fatal : *own;
    join_handler(*out);
    return abi::success;
}

template <class handle>
int call_handler(handle on, int code, const char *function) {
    const errhandler *const own = handler_of(on);
    if (own == nullptr)
        return err_invalid<handle>;
    handle_error(on, *own, code, function);
    return abi::success;
}

} // namespace

errhandler *handler_of(comm which) {
    comm_object *const c = find(which);
    return c != nullptr ? &c->handler : nullptr;
}

errhandler *handler_of(win which) {
    win_object *const w = find(which);
    return w != nullptr ? &w->handler : nullptr;
}

errhandler *handler_of(file which) {
    if (which == file::null)
        return &handler_of_no_file();
    file_object *const f = find(which);
    return f != nullptr ? &f->handler : nullptr;
}

errhandler *handler_of(session which) {
    session_object *const s = find(which);
    return s != nullptr ? &s->handler : nullptr;
}

errhandler &handler_of_no_file() {
    static errhandler of_none = errhandler::errors_return;
    return of_none;
}

template <class handle>
bool set_thunk(errhandler which, decltype(error_function<handle>::thunk) thunk) {
    const std::lock_guard hold(guard);
    auto *const function = find_function<handle>(which);
    if (function != nullptr)
        function->thunk = thunk;
    return function != nullptr;
}

template bool set_thunk<comm>(errhandler, decltype(error_function<comm>::thunk));
template bool set_thunk<win>(errhandler, decltype(error_function<win>::thunk));
template bool set_thunk<file>(errhandler, decltype(error_function<file>::thunk));

void join_handler(errhandler which) {
    const std::lock_guard hold(guard);
    if (handler_object *const h = table().find(which))
        ++h->users;
}

void leave_handler(errhandler which) {
    const std::lock_guard hold(guard);
    handler_object *const h = table().find(which);
    if (h != nullptr && --h->users == 0)
        table().remove(which);
}

void note_failed_request(const comm_object &on) {
    if (first_failed)
        return;
    join_handler(on.handler);
    first_failed = {on.handle, on.handler};
}

program_call::program_call() : outer_(std::exchange(first_failed, std::nullopt)) {}

program_call::~program_call() {
    if (first_failed)
        leave_handler(first_failed->handler);
    first_failed = outer_;
}

std::size_t live_handlers() {
    const std::lock_guard hold(guard);
    return table().live();
}

namespace core {

int raise(comm on, int error, const char *function) {
    if (error == abi::success)
        return error;
    if (process::mine == nullptr) {
        say("%s: %s, before MPI_Init", function, error_text(error).c_str());
        end_job(error);
    }
    if (handler_of(on) == nullptr)
        on = comm::self;
    if (*handler_of(on) == errhandler::null)
        on = comm::world;
    return handle_error(on, *handler_of(on), error, function);
}

int raise(win on, int error, const char *function) {
    const errhandler *const own = process::mine != nullptr ? handler_of(on) : nullptr;
    if (error == abi::success || own == nullptr)
        return raise(comm::self, error, function);
    return *own != errhandler::null ? handle_error(on, *own, error, function)
                                    : raise(comm::world, error, function);
}

int raise(file on, int error, const char *function) {
    if (error == abi::success || process::mine == nullptr)
        return raise(comm::self, error, function);
    if (const errhandler *const own = handler_of(on))
        return handle_error(on, *own, error, function);
    return handle_error(file::null, handler_of_no_file(), error, function);
}

int raise(session on, int error, const char *function) {
    const errhandler *const own = handler_of(on);
    return error != abi::success && own != nullptr ? handle_error(on, *own, error, function)
                                                   : raise(comm::self, error, function);
}

int raise(failed_request, int error, const char *function) {
    const auto failed = std::exchange(first_failed, std::nullopt);
    if (!failed)
        return raise(comm::self, error, function);
    const int code = error == abi::success ? error
                     : failed->handler != errhandler::null
                         ? handle_error(failed->which, failed->handler, error, function)
                         : raise(comm::world, error, function);
    leave_handler(failed->handler);
    return code;
}

int comm_create_errhandler(error_function<comm> function, errhandler *out) {
    return create_handler(function, out);
}

int comm_set_errhandler(comm on, errhandler which) {
    return set_handler(on, which);
}

int comm_get_errhandler(comm on, errhandler *out) {
    return get_handler(on, out);
}

int comm_call_errhandler(comm on, int code) {
    return call_handler(on, code, "MPI_Comm_call_errhandler");
}

int win_create_errhandler(error_function<win> function, errhandler *out) {
    return create_handler(function, out);
}

int win_set_errhandler(win on, errhandler which) {
    return set_handler(on, which);
}

int win_get_errhandler(win on, errhandler *out) {
    return get_handler(on, out);
}

int win_call_errhandler(win on, int code) {
    return call_handler(on, code, "MPI_Win_call_errhandler");
}

int file_create_errhandler(error_function<file> function, errhandler *out) {
    return create_handler(function, out);
}

int file_set_errhandler(file on, errhandler which) {
    return set_handler(on, which);
}

int file_get_errhandler(file on, errhandler *out) {
    return get_handler(on, out);
}

int file_call_errhandler(file on, int code) {
    return call_handler(on, code, "MPI_File_call_errhandler");
}

int session_create_errhandler(error_function<session> function, errhandler *out) {
    return create_handler(function, out);
}

int session_set_errhandler(session on, errhandler which) {
    return set_handler(on, which);
}

int session_get_errhandler(session on, errhandler *out) {
    return get_handler(on, out);
}

int session_call_errhandler(session on, int code) {
    return call_handler(on, code, "MPI_Session_call_errhandler");
}

int errhandler_free(errhandler *which) {
    {
        const std::lock_guard hold(guard);
        if (!is_predefined_handler(*which) && table().find(*which) == nullptr)
            return abi::err_errhandler;
    }
    leave_handler(*which);
    *which = errhandler::null;
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
