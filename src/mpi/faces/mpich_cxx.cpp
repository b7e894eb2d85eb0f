// SPDX-License-Identifier: MIT
// Symbols that MPICH's C++ layer (libmpichcxx.so.12, of MPICH 4) needs of the C library.
//
// A C++ program's operators, error handlers and attributes' functions take objects of the layer's
// classes. The layer makes them as if they were functions of a C program, and then says who calls
// them: a function of its own, which makes such objects of handles and calls what the program gave.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/objects/attributes.hpp"
#include "mpi/core/operators/operators.hpp"
#include "mpi/faces/callbacks.hpp"
#include "mpi/faces/mpich.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::mpi::mpich {

namespace {

// The layer gives the same functions each time. Relaxed, all: what follows from these goes to other
// threads with the operator, the handler or the key.

using reduction_caller = void (*)(const void *in, void *inout, int count, int type, any_function);
std::atomic<reduction_caller> calls_reduction{nullptr};

void reduce(any_function f, const void *in, void *inout, std::int64_t count, datatype type) {
    calls_reduction.load(std::memory_order_relaxed)(in, inout, static_cast<int>(count),
                                                    face::out<datatype>(type), f);
}

// `kind`: 0 of a communicator, 1 of a file, 2 of a window. `on` points to the handle.
using error_caller = void (*)(int kind, int *on, int *code, any_function);
std::atomic<error_caller> calls_handler{nullptr};

template <class handle, int kind>
void handle_error(any_function f, handle *on, int *error) {
    face::handle<handle> object = face::out<handle>(*on);
    int code = face::to_face<faces::domain::error>(*error);
    calls_handler.load(std::memory_order_relaxed)(kind, reinterpret_cast<int *>(&object), &code, f);
    *on = face::in<handle>(object);
    // Or the layer would call the handler once more, for the error of the function.
    *error = abi::success;
}

// `type` says how an attribute is kept: 0, as a pointer.
using copy_caller = int (*)(any_function, int from, int key, void *extra_state, int type,
                            void *value, void **value_out, int *flag);
using delete_caller = int (*)(any_function, int of, int key, int type, void *value,
                              void *extra_state);

template <class handle>
std::atomic<copy_caller> calls_copy{nullptr};
template <class handle>
std::atomic<delete_caller> calls_delete{nullptr};

template <class handle>
int copy_attribute(any_function f, handle from, int keyval, void *extra_state, void *value,
                   void *value_out, int *flag) {
    const int key = face::to_face<faces::domain::keyval>(keyval);
    return faces::error_of_program<face>(calls_copy<handle>.load(std::memory_order_relaxed)(
        f, face::out<handle>(from), key, extra_state, 0, value, static_cast<void **>(value_out),
        flag));
}

template <class handle>
int delete_attribute(any_function f, handle of, int keyval, void *value, void *extra_state) {
    const int key = face::to_face<faces::domain::keyval>(keyval);
    return faces::error_of_program<face>(calls_delete<handle>.load(std::memory_order_relaxed)(
        f, face::out<handle>(of), key, 0, value, extra_state));
}

// A key whose attributes are not copied, or go without a word, stays so.
template <class handle>
bool set_proxies(int key, copy_caller copy, delete_caller forget) {
    attribute_functions<handle> *const functions = functions_of<handle>(key);
    if (functions == nullptr)
        return false;
    calls_copy<handle>.store(copy, std::memory_order_relaxed);
    calls_delete<handle>.store(forget, std::memory_order_relaxed);
    if (functions->copy.thunk != nullptr)
        functions->copy.thunk = copy_attribute<handle>;
    if (functions->forget.thunk != nullptr)
        functions->forget.thunk = delete_attribute<handle>;
    return true;
}

} // namespace

extern "C" {

void MPII_Op_set_cxx(int which, any_function caller) {
    calls_reduction.store(reinterpret_cast<reduction_caller>(caller), std::memory_order_relaxed);
    set_thunk(face::in<op>(which), reduce);
}

void MPII_Errhandler_set_cxx(int which, any_function caller) {
    calls_handler.store(reinterpret_cast<error_caller>(caller), std::memory_order_relaxed);
    const errhandler handler = face::in<errhandler>(which);
    if (!set_thunk<comm>(handler, handle_error<comm, 0>) &&
        !set_thunk<file>(handler, handle_error<file, 1>))
        set_thunk<win>(handler, handle_error<win, 2>);
}

void MPII_Keyval_set_proxy(int keyval, copy_caller copy, delete_caller forget) {
    const int key = face::to_core<faces::domain::keyval>(keyval);
    if (!set_proxies<comm>(key, copy, forget) && !set_proxies<datatype>(key, copy, forget))
        set_proxies<win>(key, copy, forget);
}

} // extern "C"

} // namespace saguaro::mpi::mpich
