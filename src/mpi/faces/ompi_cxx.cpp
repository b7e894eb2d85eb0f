// SPDX-License-Identifier: MIT
// What Open MPI's C++ layer, libmpi_cxx.so.40, asks for beyond MPI's functions. Every program that
// mpicxx of Open MPI 4 links needs that layer, though most call C alone.
#include "mpi/core/interface/functions.hpp"
#include "mpi/faces/call.hpp"
#include "mpi/faces/ompi.hpp"

namespace core = saguaro::mpi::core;
namespace mpi = saguaro::mpi;
using face = mpi::ompi::face;

extern "C" {

// Tables of error codes and data representations, which the layer searches: here nothing is in
// them.
int ompi_errcode_intern_lastused;
char ompi_errcodes_intern[120];
char ompi_registered_datareps[64];

// Not done: handlers, attributes and operators that C++ functions stand behind.
void *ompi_errhandler_create(int, void *, int);
void *ompi_errhandler_create(int, void *, int) {
    return nullptr;
}

int ompi_attr_create_keyval(int, void *, void *, int *, void *, int, void *);
int ompi_attr_create_keyval(int, void *, void *, int *, void *, int, void *) {
    return face::to_face<mpi::faces::domain::error>(mpi::abi::err_unsupported_operation);
}

void ompi_op_set_cxx_callback(MPI_Op, void *);
void ompi_op_set_cxx_callback(MPI_Op, void *) {}

int ompi_errhandler_invoke(void *, void *, int, int code, const char *function);
int ompi_errhandler_invoke(void *, void *, int, int code, const char *function) {
    return mpi::faces::fail<face>(mpi::comm::self, face::to_core<mpi::faces::domain::error>(code),
                                  function);
}

} // extern "C"
