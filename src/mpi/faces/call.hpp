// SPDX-License-Identifier: MIT
// How a face calls the core: it checks and converts the arguments, calls, writes back what came
// out, and sends an error through the error handler of the object that the call was about.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/faces/domain.hpp"

namespace saguaro::mpi::faces {

// The object whose error handler an error goes to. A program may pass it by a pointer that is null.
template <class face, class handle>
handle subject(typename face::template handle<handle> of) {
    return face::template in<handle>(of);
}

template <class face, class handle>
handle subject(const typename face::template handle<handle> *of) {
    return of == nullptr ? handle{} : face::template in<handle>(*of);
}

// An error through the error handler of `on`; the face's number of it is what the function returns.
template <class face, class handle>
int fail(handle on, int error, const char *function) {
    return face::template to_face<domain::error>(core::raise(on, error, function));
}

template <class core_function, class... argument>
int pass_on(core_function *function, argument &&...arguments) {
    int error = 0;
    static_cast<void>((((error = arguments.check()) != 0) || ...));
    if (error != 0)
        return error;
    error = function(arguments.pass()...);
    (arguments.finish(error), ...);
    return error;
}

// For functions that may be called before MPI_Init and after MPI_Finalize.
template <class face, class handle, class core_function, class... argument>
int call_any_time(handle on, const char *name, core_function *function, argument &&...arguments) {
    const int error = pass_on(function, static_cast<argument &&>(arguments)...);
    return error == 0 ? 0 : fail<face>(on, error, name);
}

template <class face, class handle, class core_function, class... argument>
int call(handle on, const char *name, core_function *function, argument &&...arguments) {
    const core::inside here;
    if (!core::active())
        core::end_untimely(name);
    return call_any_time<face>(on, name, function, static_cast<argument &&>(arguments)...);
}

// MPI_T's functions return their errors and call no handler.
template <class face, class core_function, class... argument>
int call_tool(core_function *function, argument &&...arguments) {
    return face::template to_face<domain::error>(
        pass_on(function, static_cast<argument &&>(arguments)...));
}

} // namespace saguaro::mpi::faces
