// SPDX-License-Identifier: MIT
// What the Fortran layer (../fortran) asks of the face of Open MPI's ABI: an operator or an error
// handler that a function of Fortran stands behind gets INTEGERs, not handles of C.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/operators/operators.hpp"
#include "mpi/faces/ompi.hpp"

namespace saguaro::mpi::ompi {

namespace {

void reduce(any_function f, const void *in, void *inout, std::int64_t count, datatype type) {
    using function = void(void *, void *, int *, int *);
    auto length = static_cast<int>(count);
    int of = face::fortran_number(type);
    reinterpret_cast<function *>(f)(const_cast<void *>(in), inout, &length, &of);
}

template <class handle>
void handle_error(any_function f, handle *on, int *error) {
    using function = void(int *, int *);
    int object = face::fortran_number(*on);
    int code = face::to_face<faces::domain::error>(*error);
    reinterpret_cast<function *>(f)(&object, &code);
    *on = face::from_fortran<handle>(object);
    *error = face::to_core<faces::domain::error>(code);
}

} // namespace

extern "C" {

void saguaro_op_set_fortran(MPI_Op which);
void saguaro_op_set_fortran(MPI_Op which) {
    set_thunk(face::in<op>(which), reduce);
}

void saguaro_errhandler_set_fortran(MPI_Errhandler which);
void saguaro_errhandler_set_fortran(MPI_Errhandler which) {
    const errhandler handler = face::in<errhandler>(which);
    if (!set_thunk<comm>(handler, handle_error<comm>) &&
        !set_thunk<file>(handler, handle_error<file>))
        set_thunk<win>(handler, handle_error<win>);
}

} // extern "C"

} // namespace saguaro::mpi::ompi
