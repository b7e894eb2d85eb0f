// SPDX-License-Identifier: MIT
// Error handlers of all kinds of objects, and error codes, as the rest of the core uses them. Both
// live before MPI_Init and after MPI_Finalize.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace saguaro::mpi {

struct comm_object;

// Where an object keeps its error handler: the one thing that each kind has to say. Null if the
// handle is of no object.
errhandler *handler_of(comm which);
errhandler *handler_of(win which);
errhandler *handler_of(file which);
errhandler *handler_of(session which);

// The handler of MPI_FILE_NULL, which new files begin with.
errhandler &handler_of_no_file();

// An object has a handler, or has it no more: predefined ones do not count their users.
void join_handler(errhandler which);
void leave_handler(errhandler which);

// From now on this thunk calls the program's function. False: the handler is none of this kind of
// objects that a program has made.
template <class handle>
bool set_thunk(errhandler which, decltype(error_function<handle>::thunk) thunk);

// What is called for an error of an object whose handler is errors_throw_exceptions. Null if the
// face has not set it: then the error is returned. It may throw.
template <class handle>
inline void (*throws_exception)(handle *on, int *error) = nullptr;

// An operation of the communicator has failed, which the function that the thread is in will
// return. The communicator may be gone when that raises the error.
void note_failed_request(const comm_object &on);

struct failed_comm {
    comm which;
    errhandler handler;
};

// Around a function of the program's own: what fails in there is not what the function has failed
// that the thread is in.
class program_call {
public:
    program_call();
    ~program_call();
    program_call(const program_call &) = delete;
    program_call &operator=(const program_call &) = delete;

private:
    const std::optional<failed_comm> outer_;
};

// How many the program has made and not freed.
std::size_t live_handlers();

// What is said of an error class or code.
std::string error_text(int code);
// MPI_LASTUSEDCODE: the greatest number of an error class or code.
int last_used_code();

} // namespace saguaro::mpi
