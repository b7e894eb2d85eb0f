// SPDX-License-Identifier: MIT
// Functions that a face implements itself, or with several calls of the core: those that the table
// marks `face`. Generated code calls them with the function's name and its very arguments.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/faces/arguments.hpp"
#include "mpi/faces/call.hpp"
#include "mpi/faces/own_datatypes.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstring>

namespace saguaro::mpi::faces {

// An int of the core that the program gets a pointer to. The value of an attribute never changes,
// so nobody minds who writes it last.
template <class face, int keyval, domain of>
void point_to_own(void **attribute) {
    static std::atomic<int> own;
    own.store(face::template to_face<of>(*static_cast<int *>(*attribute)),
              std::memory_order_relaxed);
    *attribute = &own;
}

template <class face>
void convert_attribute(int keyval, void **attribute) {
    switch (keyval) {
    case abi::io:
        return point_to_own<face, abi::io, domain::rank>(attribute);
    case abi::host:
        return point_to_own<face, abi::host, domain::rank>(attribute);
    case abi::lastusedcode:
        return point_to_own<face, abi::lastusedcode, domain::error>(attribute);
    case abi::win_create_flavor:
        return point_to_own<face, abi::win_create_flavor, domain::flavor>(attribute);
    case abi::win_model:
        return point_to_own<face, abi::win_model, domain::model>(attribute);
    default:
        return;
    }
}

template <class face>
struct own : own_datatypes<face> {
    using status_type = typename face::status_type;
    template <class handle>
    using outer = typename face::template handle<handle>;

    // Addresses

    static int get_address(const char *name, const void *location, std::intptr_t *address) {
        if (address == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        *address = reinterpret_cast<std::intptr_t>(location);
        return 0;
    }

    // Unsigned, because what a program adds to an address may pass any end.
    static std::intptr_t aint_add(const char *, std::intptr_t base, std::intptr_t disp) {
        return static_cast<std::intptr_t>(static_cast<std::uintptr_t>(base) +
                                          static_cast<std::uintptr_t>(disp));
    }

    static std::intptr_t aint_diff(const char *, std::intptr_t addr1, std::intptr_t addr2) {
        return static_cast<std::intptr_t>(static_cast<std::uintptr_t>(addr1) -
                                          static_cast<std::uintptr_t>(addr2));
    }

    // Attributes

    template <class handle, class function>
    static int get_attr(const char *name, function *get, outer<handle> of, int keyval, void *value,
                        int *flag) {
        const int key = face::template to_core<domain::keyval>(keyval);
        const handle object = face::template in<handle>(of);
        const int error =
            call<face>(handler_of(object), name, get, raw<handle>(object), raw<int>(key),
                       required<void *>(static_cast<void **>(value)), required<int>(flag));
        if (error == 0 && *flag != 0)
            convert_attribute<face>(key, static_cast<void **>(value));
        return error;
    }

    // Statuses

    template <class change>
    static int with_status(const char *name, const status_type *of, const void *needed,
                           change act) {
        if (of == nullptr || face::is_ignored(of) || needed == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        act();
        return 0;
    }

    static int status_get_source(const char *name, const status_type *of, int *source) {
        return with_status(name, of, source, [&] { *source = of->MPI_SOURCE; });
    }

    static int status_get_tag(const char *name, const status_type *of, int *tag) {
        return with_status(name, of, tag, [&] { *tag = of->MPI_TAG; });
    }

    static int status_get_error(const char *name, const status_type *of, int *error) {
        return with_status(name, of, error, [&] { *error = of->MPI_ERROR; });
    }

    static int status_set_source(const char *name, status_type *of, int source) {
        return with_status(name, of, of, [&] { of->MPI_SOURCE = source; });
    }

    static int status_set_tag(const char *name, status_type *of, int tag) {
        return with_status(name, of, of, [&] { of->MPI_TAG = tag; });
    }

    static int status_set_error(const char *name, status_type *of, int error) {
        return with_status(name, of, of, [&] { of->MPI_ERROR = error; });
    }

    static int status_set_cancelled(const char *name, status_type *of, int flag) {
        return with_status(name, of, of, [&] {
            status value = face::read(*of);
            value.cancelled = flag != 0;
            face::write(*of, value);
        });
    }

    static int test_cancelled(const char *name, const status_type *of, int *flag) {
        return with_status(name, of, flag, [&] { *flag = face::read(*of).cancelled; });
    }

    // A status in Fortran has the same ints, in an array or with names.
    template <class to_type>
    static int copy_status(const char *name, const void *from, to_type *to) {
        if (from == nullptr || to == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        std::memcpy(to, from, sizeof(status_type));
        return 0;
    }

    // The library

    static int get_version(const char *name, int *version, int *subversion) {
        if (version == nullptr || subversion == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        *version = face::version;
        *subversion = face::subversion;
        return 0;
    }

    static int abi_get_version(const char *name, int *major, int *minor) {
        if (major == nullptr || minor == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        *major = 1;
        *minor = 0;
        return 0;
    }

    // MPI_Pcontrol(2, cost) says what the work until the next call will cost: an int, in calls.
    // Other levels are for tools that put themselves between the program and the library.
    template <class function>
    static int pcontrol(const char *name, function *declare_cost, int level, std::va_list rest) {
        if (level != 2)
            return 0;
        return call<face>(comm::self, name, declare_cost, raw<std::int64_t>(va_arg(rest, int)));
    }

private:
    static comm handler_of(comm of) { return of; }
    static win handler_of(win of) { return of; }
    static comm handler_of(datatype) { return comm::self; }
};

} // namespace saguaro::mpi::faces
