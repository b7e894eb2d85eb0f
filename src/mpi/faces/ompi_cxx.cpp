// SPDX-License-Identifier: MIT
// Symbols that Open MPI's C++ layer (libmpi_cxx.so.40) needs of the C library. Every program that
// mpicxx of Open MPI 4 links needs that layer, though most call C alone.
//
// A C++ program's operators, error handlers and attributes' functions take objects of the layer's
// classes. The layer gives C a function of its own, which makes such objects of handles and calls
// what the program gave. It writes into an error handler that C has made for it, and reads the kind
// of a communicator inside of that, so here both are objects in memory.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/operators/operators.hpp"
#include "mpi/faces/call.hpp"
#include "mpi/faces/ompi.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

extern "C" saguaro::mpi::ompi::object<1024> ompi_mpi_errors_throw_exceptions;

namespace saguaro::mpi::ompi {

namespace {

using faces::domain;

// Operators. The layer gives one function, which gets the program's as its last argument. Relaxed:
// what follows from it goes to other threads with the operator.
using reduction_caller = void (*)(const void *in, void *inout, int *count, MPI_Datatype *,
                                  any_function);
std::atomic<reduction_caller> calls_reduction{nullptr};

void reduce(any_function f, const void *in, void *inout, std::int64_t count, datatype type) {
    auto length = static_cast<int>(count);
    MPI_Datatype of = face::out(type);
    calls_reduction.load(std::memory_order_relaxed)(in, inout, &length, &of, f);
}

// Error handlers. The layer writes its function to `calls`.
struct handler_of_layer {
    object_head head;
    char unused[0x78 - sizeof(object_head)];
    void (*calls)(void *on, int *code, const char *message, any_function);
    any_function of_program;
};
static_assert(offsetof(handler_of_layer, calls) == 0x78);

template <class handle>
void handle_error(any_function f, handle *on, int *error) {
    const auto *const handler = reinterpret_cast<const handler_of_layer *>(f);
    face::handle<handle> of = face::out(*on);
    int code = face::to_face<domain::error>(*error);
    handler->calls(&of, &code, "", handler->of_program);
    *on = face::in<handle>(of);
    *error = face::to_core<domain::error>(code);
}

template <class handle>
error_function<handle> function_for(handler_of_layer *made) {
    return {handle_error<handle>, reinterpret_cast<any_function>(made)};
}

// MPI::ERRORS_THROW_EXCEPTIONS: the layer has written three functions into the object.
enum class thrower : std::size_t { of_comm = 0x58, of_file = 0x60, of_win = 0x68 };

template <class handle, thrower which>
void throw_exception(handle *on, int *error) {
    using function = void (*)(face::handle<handle> *, int *, ...);
    const auto *const bytes = reinterpret_cast<const char *>(&ompi_mpi_errors_throw_exceptions);
    const auto f = *reinterpret_cast<const function *>(bytes + static_cast<std::size_t>(which));
    if (f == nullptr)
        return;
    face::handle<handle> of = face::out(*on);
    int code = face::to_face<domain::error>(*error);
    f(&of, &code);
}

[[maybe_unused]] const bool throws = [] {
    throws_exception<comm> = throw_exception<comm, thrower::of_comm>;
    throws_exception<file> = throw_exception<file, thrower::of_file>;
    throws_exception<win> = throw_exception<win, thrower::of_win>;
    return true;
}();

// Attributes. The layer reads the kind of a communicator here, so its functions get a copy.
struct comm_of_layer {
    object_head head;
    char unused[0xe8 - sizeof(object_head)];
    std::uint32_t kind; // a set of bits
    char rest[512 - 0xec];

    explicit comm_of_layer(comm which)
        : head{mark_of_objects, number(which), -1}, unused{}, kind(kind_of(which)), rest{} {}

    static std::uint32_t kind_of(comm which) {
        constexpr std::uint32_t inter = 1, cart = 0x100, graph = 0x200;
        int flag = 0;
        int topology = abi::undefined;
        core::comm_test_inter(which, &flag);
        core::topo_test(which, &topology);
        return (flag != 0 ? inter : 0) | (topology == abi::cart ? cart : 0) |
               (topology == abi::graph ? graph : 0);
    }
};
static_assert(offsetof(comm_of_layer, kind) == 0xe8 && sizeof(comm_of_layer) == 512);

template <class handle>
struct argument_of_layer {
    face::handle<handle> value;
    explicit argument_of_layer(handle of) : value(face::out(of)) {}
};
template <>
struct argument_of_layer<comm> {
    comm_of_layer copy;
    MPI_Comm value;
    explicit argument_of_layer(comm of) : copy(of), value(reinterpret_cast<MPI_Comm>(&copy)) {}
};

template <class handle>
int copy_attribute(any_function f, handle from, int keyval, void *extra_state, void *value,
                   void *value_out, int *flag) {
    using outer = face::handle<handle>;
    using function = int (*)(outer, int, void *, void *, void *, int *, outer);
    const argument_of_layer<handle> of(from);
    return face::to_core<domain::error>(
        reinterpret_cast<function>(f)(of.value, face::to_face<domain::keyval>(keyval), extra_state,
                                      value, value_out, flag, of.value));
}

template <class handle>
int delete_attribute(any_function f, handle from, int keyval, void *value, void *extra_state) {
    using function = int (*)(face::handle<handle>, int, void *, void *);
    const argument_of_layer<handle> of(from);
    return face::to_core<domain::error>(reinterpret_cast<function>(f)(
        of.value, face::to_face<domain::keyval>(keyval), value, extra_state));
}

template <class handle>
int create_keyval(int (*create)(attribute_copy<handle>, attribute_delete<handle>, int *, void *),
                  any_function copy, any_function forget, int *key, void *extra_state) {
    int made = 0;
    const int error = create({copy_attribute<handle>, copy}, {delete_attribute<handle>, forget},
                             &made, extra_state);
    if (error != abi::success)
        return faces::fail<face>(comm::self, error, "Create_keyval");
    *key = face::to_face<domain::keyval>(made);
    return 0;
}

} // namespace

extern "C" {

// Tables of error codes and data representations, which the layer searches: nothing is in them.
int ompi_errcode_intern_lastused;
char ompi_errcodes_intern[120];
char ompi_registered_datareps[64];

void ompi_op_set_cxx_callback(MPI_Op which, any_function of_program);
void ompi_op_set_cxx_callback(MPI_Op which, any_function of_program) {
    reduction *const own = function_of(face::in<op>(which));
    if (own == nullptr)
        return;
    calls_reduction.store(reinterpret_cast<reduction_caller>(own->function),
                          std::memory_order_relaxed);
    *own = {reduce, of_program};
}

// `kind`: 1 of a communicator, 2 of a window, 3 of a file. The object lives as long as the program,
// as others may have its handler when the program has freed its own.
void *ompi_errhandler_create(int kind, any_function of_program, int language);
void *ompi_errhandler_create(int kind, any_function of_program, int) {
    auto *const made = new handler_of_layer{};
    made->of_program = of_program;
    errhandler which = errhandler::null;
    if (kind == 1)
        core::comm_create_errhandler(function_for<comm>(made), &which);
    else if (kind == 2)
        core::win_create_errhandler(function_for<win>(made), &which);
    else
        core::file_create_errhandler(function_for<file>(made), &which);
    made->head = {mark_of_objects, number(which), -1};
    return made;
}

// `kind`: 1 of communicators, 2 of types, 3 of windows.
int ompi_attr_create_keyval(int kind, any_function copy, any_function forget, int *key,
                            void *extra_state, int flags, void *bindings_extra_state);
int ompi_attr_create_keyval(int kind, any_function copy, any_function forget, int *key,
                            void *extra_state, int, void *) {
    if (kind == 1)
        return create_keyval<comm>(core::comm_create_keyval, copy, forget, key, extra_state);
    if (kind == 2)
        return create_keyval<datatype>(core::type_create_keyval, copy, forget, key, extra_state);
    return create_keyval<win>(core::win_create_keyval, copy, forget, key, extra_state);
}

// An error that the layer has found itself.
int ompi_errhandler_invoke(void *handler, void *on, int kind, int code, const char *message);
int ompi_errhandler_invoke(void *, void *, int, int code, const char *message) {
    return faces::fail<face>(comm::self, face::to_core<domain::error>(code), message);
}

} // extern "C"

} // namespace saguaro::mpi::ompi
