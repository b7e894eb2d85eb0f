// SPDX-License-Identifier: MIT
// A program's functions in Fortran.
//
// Operators and error handlers have C's arguments: pointers, and INTEGERs by reference. A handle of
// C may be wider than an INTEGER, but its lower half, which comes first, is the INTEGER. So these
// functions are passed to C as they are. In Open MPI's ABI a handle is not the INTEGER: there C is
// told that the function is one of Fortran's. The others have a last argument IERROR and integers
// where C has void *: C gets a function of this file and an object that holds the program's own.
#pragma once

#include "mpi/fortran/arguments.hpp"
#include "mpi/fortran/attributes.hpp"

namespace saguaro::mpi::fortran {

using procedure = void (*)();

#ifdef DETMPI_OMPI
extern "C" {
// Of C's library, ../faces/ompi_fortran.cpp.
void saguaro_op_set_fortran(MPI_Op which);
void saguaro_errhandler_set_fortran(MPI_Errhandler which);
}

inline void set_fortran(MPI_Op which) {
    saguaro_op_set_fortran(which);
}
inline void set_fortran(MPI_Errhandler which) {
    saguaro_errhandler_set_fortran(which);
}

// An operator or an error handler that C has made for a function of Fortran.
template <class handle>
class callback_out {
public:
    explicit callback_out(integer *to) : to_(to) {}
    handle *pass() { return &value_; }
    void finish(bool done) {
        if (!done)
            return;
        set_fortran(value_);
        *to_ = to_fortran(value_);
    }

private:
    integer *to_;
    handle value_{};
};
#endif

// What C keeps as the extra state of an attribute's key. It is never freed: an attribute may
// outlive its key.
struct attribute_functions {
    procedure copy, remove;
    std::intptr_t state;
};

// `value` is INTEGER for MPI_KEYVAL_CREATE and INTEGER(MPI_ADDRESS_KIND) for all later ones.
template <class handle, class value>
int copy_attribute(handle object, int key, void *extra, void *in, void *out, int *flag) {
    using function = void(integer *, integer *, value *, value *, value *, integer *, integer *);
    const auto &functions = *static_cast<attribute_functions *>(extra);
    integer of = to_fortran(object), error = MPI_SUCCESS;
    auto state = static_cast<value>(functions.state);
    auto from = static_cast<value>(value_for_fortran(in));
    value to = 0;
    *flag = 0;
    reinterpret_cast<function *>(functions.copy)(&of, &key, &state, &from, &to, flag, &error);
    if (*flag != 0)
        *static_cast<void **>(out) =
            is_cell(in) ? make_cell(to) : reinterpret_cast<void *>(std::intptr_t{to});
    return error;
}

template <class handle, class value>
int delete_attribute(handle object, int key, void *attribute, void *extra) {
    using function = void(integer *, integer *, value *, value *, integer *);
    const auto &functions = *static_cast<attribute_functions *>(extra);
    integer of = to_fortran(object), error = MPI_SUCCESS;
    auto state = static_cast<value>(functions.state);
    auto was = static_cast<value>(value_for_fortran(attribute));
    reinterpret_cast<function *>(functions.remove)(&of, &key, &was, &state, &error);
    if (error == MPI_SUCCESS)
        forget_cell(attribute);
    return error;
}

// MPI keeps the state. But programs that are written for MPICH, which passes the caller's variable
// itself to these functions, change it there: so a change goes to that variable as well. A program
// that changes nothing need not keep the variable.
struct request_functions {
    procedure query, free, cancel;
    std::intptr_t state;
    std::intptr_t *variable;

    template <class Call>
    integer call(Call of) {
        const std::intptr_t before = state;
        integer error = MPI_SUCCESS;
        of(&state, &error);
        if (state != before)
            *variable = state;
        return error;
    }
};

inline int query_request(void *extra, MPI_Status *status) {
    using function = void(std::intptr_t *, MPI_Status *, integer *);
    auto &own = *static_cast<request_functions *>(extra);
    return own.call([&](std::intptr_t *state, integer *error) {
        reinterpret_cast<function *>(own.query)(state, status, error);
    });
}

inline int free_request(void *extra) {
    using function = void(std::intptr_t *, integer *);
    auto *const own = static_cast<request_functions *>(extra);
    const integer error = own->call(reinterpret_cast<function *>(own->free));
    delete own;
    return error;
}

inline int cancel_request(void *extra, int complete) {
    using function = void(std::intptr_t *, integer *, integer *);
    auto &own = *static_cast<request_functions *>(extra);
    return own.call([&](std::intptr_t *state, integer *error) {
        reinterpret_cast<function *>(own.cancel)(state, &complete, error);
    });
}

// A representation of data lives as long as the program.
struct representation_functions {
    procedure read, write, extent;
    std::intptr_t state;
};

template <procedure representation_functions::*which, class count>
int convert_data(void *user, MPI_Datatype type, count size, void *file, MPI_Offset position,
                 void *extra) {
    using function =
        void(void *, integer *, count *, void *, MPI_Offset *, std::intptr_t *, integer *);
    auto &functions = *static_cast<representation_functions *>(extra);
    integer of = to_fortran(type), error = MPI_SUCCESS;
    reinterpret_cast<function *>(functions.*which)(user, &of, &size, file, &position,
                                                   &functions.state, &error);
    return error;
}

inline int extent_of_data(MPI_Datatype type, MPI_Aint *extent, void *extra) {
    using function = void(integer *, MPI_Aint *, std::intptr_t *, integer *);
    auto &functions = *static_cast<representation_functions *>(extra);
    integer of = to_fortran(type), error = MPI_SUCCESS;
    reinterpret_cast<function *>(functions.extent)(&of, extent, &functions.state, &error);
    return error;
}

} // namespace saguaro::mpi::fortran
