// SPDX-License-Identifier: MIT
// A program's functions as the core calls them. The program's function knows its face's handles,
// constants and status; the face's thunk, which is stored beside it, converts what the core says.
// The core copies these pairs and compares nothing but `thunk` with null.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"

#include <cstdint>

namespace saguaro::mpi {

// The program's function, whatever its type is: only the thunk that comes with it casts it back.
using any_function = void (*)();

// An operator: inout[i] = in[i] op inout[i]. The core passes at most INT_MAX elements at a time.
struct reduction {
    void (*thunk)(any_function, const void *in, void *inout, std::int64_t count,
                  datatype type) = nullptr;
    any_function function = nullptr;
};

// What happens to an attribute when its object is duplicated. A null thunk is MPI_NULL_COPY_FN: the
// attribute is not copied. MPI_DUP_FN has a thunk like any other. Both thunks return an error
// class.
template <class handle>
struct attribute_copy {
    int (*thunk)(any_function, handle from, int keyval, void *extra_state, void *value,
                 void *value_out, int *flag) = nullptr;
    any_function function = nullptr;
};

// What happens when an attribute goes. A null thunk is MPI_NULL_DELETE_FN.
template <class handle>
struct attribute_delete {
    int (*thunk)(any_function, handle of, int keyval, void *value, void *extra_state) = nullptr;
    any_function function = nullptr;
};

// An error handler. `*error` is an error code of the core; the program may change both.
template <class handle>
struct error_function {
    void (*thunk)(any_function, handle *on, int *error) = nullptr;
    any_function function = nullptr;
};

// A generalized request's functions, each of which returns an error class.
struct grequest_query {
    int (*thunk)(any_function, void *extra_state, status *of) = nullptr;
    any_function function = nullptr;
};

struct grequest_free {
    int (*thunk)(any_function, void *extra_state) = nullptr;
    any_function function = nullptr;
};

struct grequest_cancel {
    int (*thunk)(any_function, void *extra_state, int complete) = nullptr;
    any_function function = nullptr;
};

// A data representation's functions. A null thunk is MPI_CONVERSION_FN_NULL.
struct data_conversion {
    int (*thunk)(any_function, void *user, datatype type, std::int64_t count, void *file,
                 std::int64_t position, void *extra_state) = nullptr;
    any_function function = nullptr;
};

struct data_extent {
    int (*thunk)(any_function, datatype type, std::int64_t *extent, void *extra_state) = nullptr;
    any_function function = nullptr;
};

} // namespace saguaro::mpi
