// SPDX-License-Identifier: MIT
// A program's functions on their way to the core: each is stored beside a thunk that turns what the
// core says into the face's handles, statuses and codes, and the program's answer back.
//
// `callback<face, core_type>::of(f)` makes the pair. Functions for large counts differ from the
// plain ones by their C type alone.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/faces/domain.hpp"

#include <cstdint>
#include <type_traits>

namespace saguaro::mpi::faces {

template <class face, class core_type>
struct callback;

template <class function>
any_function stored(function f) {
    return reinterpret_cast<any_function>(f);
}

template <class face>
int error_of_program(int code) {
    return face::template to_core<domain::error>(code);
}

template <class face>
struct callback<face, reduction> {
    using type = typename face::template handle<datatype>;

    template <class count>
    static reduction of(void (*user)(void *, void *, count *, type *)) {
        return {run<count>, stored(user)};
    }

    template <class count>
    static void run(any_function f, const void *in, void *inout, std::int64_t n, datatype of_type) {
        auto length = static_cast<count>(n);
        type outer = face::template out<datatype>(of_type);
        reinterpret_cast<void (*)(void *, void *, count *, type *)>(f)(const_cast<void *>(in),
                                                                       inout, &length, &outer);
    }
};

template <class face, class handle>
struct callback<face, attribute_copy<handle>> {
    using outer = typename face::template handle<handle>;
    using function = int (*)(outer, int, void *, void *, void *, int *);

    static attribute_copy<handle> of(function user) {
        if (user == nullptr)
            return {};
        if (face::is_duplicate(stored(user)))
            return {duplicate, nullptr};
        return {run, stored(user)};
    }

    static int run(any_function f, handle from, int keyval, void *extra_state, void *value,
                   void *value_out, int *flag) {
        const int key = face::template to_face<domain::keyval>(keyval);
        return error_of_program<face>(reinterpret_cast<function>(f)(
            face::template out<handle>(from), key, extra_state, value, value_out, flag));
    }

    // MPI_DUP_FN where that is no function but a number.
    static int duplicate(any_function, handle, int, void *, void *value, void *value_out,
                         int *flag) {
        *static_cast<void **>(value_out) = value;
        *flag = 1;
        return 0;
    }
};

template <class face, class handle>
struct callback<face, attribute_delete<handle>> {
    using outer = typename face::template handle<handle>;
    using function = int (*)(outer, int, void *, void *);

    static attribute_delete<handle> of(function user) {
        if (user == nullptr)
            return {};
        return {run, stored(user)};
    }

    static int run(any_function f, handle from, int keyval, void *value, void *extra_state) {
        const int key = face::template to_face<domain::keyval>(keyval);
        return error_of_program<face>(reinterpret_cast<function>(f)(
            face::template out<handle>(from), key, value, extra_state));
    }
};

template <class face, class handle>
struct callback<face, error_function<handle>> {
    using outer = typename face::template handle<handle>;
    using function = void (*)(outer *, int *, ...);

    static error_function<handle> of(function user) { return {run, stored(user)}; }

    static void run(any_function f, handle *on, int *error) {
        outer object = face::template out<handle>(*on);
        int code = face::template to_face<domain::error>(*error);
        reinterpret_cast<function>(f)(&object, &code);
        *on = face::template in<handle>(object);
        *error = error_of_program<face>(code);
    }
};

template <class face>
struct callback<face, grequest_query> {
    using outer = typename face::status_type;
    using function = int (*)(void *, outer *);

    static grequest_query of(function user) { return {run, stored(user)}; }

    static int run(any_function f, void *extra_state, status *of) {
        outer said{};
        face::write(said, *of);
        const int code = reinterpret_cast<function>(f)(extra_state, &said);
        *of = face::read(said);
        return error_of_program<face>(code);
    }
};

template <class face>
struct callback<face, grequest_free> {
    using function = int (*)(void *);

    static grequest_free of(function user) { return {run, stored(user)}; }

    static int run(any_function f, void *extra_state) {
        return error_of_program<face>(reinterpret_cast<function>(f)(extra_state));
    }
};

template <class face>
struct callback<face, grequest_cancel> {
    using function = int (*)(void *, int);

    static grequest_cancel of(function user) { return {run, stored(user)}; }

    static int run(any_function f, void *extra_state, int complete) {
        return error_of_program<face>(reinterpret_cast<function>(f)(extra_state, complete));
    }
};

template <class face>
struct callback<face, data_conversion> {
    using type = typename face::template handle<datatype>;
    template <class count>
    using function = int (*)(void *, type, count, void *, std::int64_t, void *);

    template <class count>
    static data_conversion of(function<count> user) {
        if (user == nullptr)
            return {};
        return {run<count>, stored(user)};
    }

    template <class count>
    static int run(any_function f, void *user, datatype of_type, std::int64_t n, void *file,
                   std::int64_t position, void *extra_state) {
        return error_of_program<face>(reinterpret_cast<function<count>>(f)(
            user, face::template out<datatype>(of_type), static_cast<count>(n), file, position,
            extra_state));
    }
};

template <class face>
struct callback<face, data_extent> {
    using type = typename face::template handle<datatype>;
    using function = int (*)(type, std::intptr_t *, void *);

    static data_extent of(function user) { return {run, stored(user)}; }

    static int run(any_function f, datatype of_type, std::int64_t *extent, void *extra_state) {
        return error_of_program<face>(reinterpret_cast<function>(f)(
            face::template out<datatype>(of_type), extent, extra_state));
    }
};

} // namespace saguaro::mpi::faces
