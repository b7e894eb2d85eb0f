// SPDX-License-Identifier: MIT
// One argument of an MPI function on its way through a face. Each type here has
//
//     check()        an error class of the core, 0 if the argument can be passed on
//     pass()         what the core gets
//     finish(error)  writes back what the core has put out
//
// Generated code names one for each argument, and `call` (call.hpp) uses them. `face` is abi::face,
// mpich::face or ompi::face: its static functions convert single values.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/faces/callbacks.hpp"
#include "mpi/faces/domain.hpp"
#include "mpi/faces/temporary.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace saguaro::mpi::faces {

// What most arguments do in most steps.
struct argument {
    static int check() { return 0; }
    static void finish(int) {}
};

// A count for a program whose binding has an int: MPI_UNDEFINED if it does not fit.
template <class binding>
binding narrowed(std::int64_t value) {
    if constexpr (sizeof(binding) < sizeof value)
        return value > std::numeric_limits<binding>::max() ? binding{abi::undefined}
                                                           : static_cast<binding>(value);
    else
        return value;
}

template <class type>
struct raw : argument {
    type value;
    explicit raw(type v) : value(v) {}
    type pass() const { return value; }
};

// A pointer that the core reads or writes through.
template <class type>
struct required : raw<type *> {
    using raw<type *>::raw;
    int check() const { return this->value == nullptr ? abi::err_arg : 0; }
};

// A result that the program may not want: its pointer is null then.
template <class result>
struct optional : result {
    using result::result;
    static int check() { return 0; }
    void finish(int error) {
        if constexpr (requires { this->to; })
            if (this->to == nullptr)
                return;
        result::finish(error);
    }
};

struct length : raw<int> {
    using raw<int>::raw;
    int check() const { return value < 0 ? abi::err_count : 0; }
};

// The core checks counts: it knows which of them MPI says to ignore.
template <class binding>
struct number : argument {
    std::int64_t value;
    explicit number(binding v) : value(v) {}
    std::int64_t pass() const { return value; }
};

template <class binding>
struct number_out : argument {
    binding *to;
    std::int64_t value = 0;
    explicit number_out(binding *p) : to(p) {}
    int check() const { return to == nullptr ? abi::err_arg : 0; }
    std::int64_t *pass() { return &value; }
    void finish(int error) const {
        if (error == 0)
            *to = narrowed<binding>(value);
    }
};

template <class binding>
struct number_inout : number_out<binding> {
    explicit number_inout(binding *p) : number_out<binding>(p) {
        if (p != nullptr)
            this->value = *p;
    }
};

// An array of numbers. A null pointer stays one: some arrays mean nothing at most ranks.
template <class binding>
struct numbers : argument {
    const binding *from;
    temporary<std::int64_t> wide;
    numbers(const binding *p, std::int64_t n) : from(p), wide(p != nullptr ? n : 0) {
        for (std::size_t i = 0; i < wide.size(); ++i)
            wide[i] = from[i];
    }
    const std::int64_t *pass() { return from == nullptr ? nullptr : wide.data(); }
};

template <class face>
struct arguments {
    template <class handle>
    using outer = typename face::template handle<handle>;

    struct buffer : raw<void *> {
        explicit buffer(const void *p) : raw(const_cast<void *>(face::buffer(p))) {}
    };

    struct const_buffer : raw<const void *> {
        explicit const_buffer(const void *p) : raw(face::buffer(p)) {}
    };

    // Where the core writes the address of a buffer, which may be MPI_BUFFER_AUTOMATIC.
    struct detached : required<char> {
        explicit detached(void *p) : required(static_cast<char *>(p)) {}
        void finish(int error) const {
            if (error != 0)
                return;
            const void *buffer;
            std::memcpy(&buffer, this->value, sizeof(buffer));
            buffer = face::buffer_out(buffer);
            std::memcpy(this->value, &buffer, sizeof(buffer));
        }
    };

    template <class handle>
    struct in : raw<handle> {
        explicit in(outer<handle> h) : raw<handle>(face::template in<handle>(h)) {}
    };

    // After an error nothing is written, unless the core says that there is no object.
    template <class handle>
    struct out : argument {
        outer<handle> *to;
        handle value{};
        explicit out(outer<handle> *p) : to(p) {}
        int check() const { return to == nullptr ? abi::err_arg : 0; }
        handle *pass() { return &value; }
        void finish(int error) const {
            if (error == 0 || value == handle::null)
                *to = face::template out<handle>(value);
        }
    };

    // Written back even when the call failed: MPI_Wait frees a request whose operation failed.
    template <class handle>
    struct inout : out<handle> {
        explicit inout(outer<handle> *p) : out<handle>(p) {
            if (p != nullptr)
                this->value = face::template in<handle>(*p);
        }
        void finish(int) const {
            if (this->to != nullptr)
                *this->to = face::template out<handle>(this->value);
        }
    };

    template <class handle>
    struct in_array : argument {
        temporary<handle> values;
        bool is_null;
        in_array(const outer<handle> *p, std::int64_t n)
            : values(p != nullptr ? n : 0), is_null(p == nullptr) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = face::template in<handle>(p[i]);
        }
        const handle *pass() { return is_null ? nullptr : values.data(); }
    };

    template <class handle>
    struct out_array : argument {
        outer<handle> *to;
        temporary<handle> values;
        out_array(outer<handle> *p, std::int64_t n) : to(p), values(p != nullptr ? n : 0) {}
        handle *pass() { return values.data(); }
        void finish(int error) {
            if (error == 0)
                write();
        }
        void write() {
            for (std::size_t i = 0; i < values.size(); ++i)
                to[i] = face::template out<handle>(values[i]);
        }
    };

    template <class handle>
    struct inout_array : out_array<handle> {
        inout_array(outer<handle> *p, std::int64_t n)
            : out_array<handle>(p, n), is_missing(p == nullptr && n > 0) {
            for (std::size_t i = 0; i < this->values.size(); ++i)
                this->values[i] = face::template in<handle>(p[i]);
        }
        int check() const { return is_missing ? abi::err_arg : 0; }
        void finish(int) { this->write(); }
        bool is_missing;
    };

    template <domain of>
    struct integer : raw<int> {
        explicit integer(int v) : raw(face::template to_core<of>(v)) {}
    };

    template <domain of>
    struct integer_out : argument {
        int *to;
        int value = 0;
        explicit integer_out(int *p) : to(p) {}
        int check() const { return to == nullptr ? abi::err_arg : 0; }
        int *pass() { return &value; }
        void finish(int error) const {
            if (error == 0)
                *to = face::template to_face<of>(value);
        }
    };

    template <domain of>
    struct integer_inout : integer_out<of> {
        explicit integer_inout(int *p) : integer_out<of>(p) {
            if (p != nullptr)
                this->value = face::template to_core<of>(*p);
        }
    };

    template <domain of>
    struct integers : argument {
        temporary<int> values;
        integers(const int *p, std::int64_t n) : values(p != nullptr ? n : 0) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = face::template to_core<of>(p[i]);
        }
        const int *pass() { return values.data(); }
    };

    template <domain of>
    struct integers_out : argument {
        int *to;
        temporary<int> values;
        integers_out(int *p, std::int64_t n) : to(p), values(p != nullptr ? n : 0) {}
        int *pass() { return values.data(); }
        void finish(int error) {
            for (std::size_t i = 0; error == 0 && i < values.size(); ++i)
                to[i] = face::template to_face<of>(values[i]);
        }
    };

    struct weights : raw<const int *> {
        explicit weights(const int *p) : raw(face::weights(p)) {}
    };

    // A performance variable, which may be MPI_T_PVAR_ALL_HANDLES.
    template <class pointer>
    struct pvar : raw<void *> {
        explicit pvar(pointer p) : raw(face::pvar(reinterpret_cast<void *>(p))) {}
    };

    struct view_offset : raw<std::int64_t> {
        explicit view_offset(std::int64_t v) : raw(face::view_offset(v)) {}
    };

    struct status_in : argument {
        const typename face::status_type *from;
        status value;
        explicit status_in(const typename face::status_type *p) : from(p) {
            if (is_there())
                value = face::read(*from);
        }
        bool is_there() const { return from != nullptr && !face::is_ignored(from); }
        int check() const { return is_there() ? 0 : abi::err_arg; }
        const status *pass() const { return &value; }
    };

    struct status_out : argument {
        typename face::status_type *to;
        status value;
        explicit status_out(typename face::status_type *p)
            : to(face::is_ignored(p) ? nullptr : p) {}
        status *pass() { return to == nullptr ? nullptr : &value; }
        void finish(int) const {
            if (to != nullptr)
                face::write(*to, value);
        }
    };

    struct status_inout : status_out {
        explicit status_inout(typename face::status_type *p) : status_out(p) {
            if (this->to != nullptr)
                this->value = face::read(*p);
        }
        int check() const { return this->to == nullptr ? abi::err_arg : 0; }
    };

    // `used` is where the program finds how many of the statuses mean anything; null if all do.
    struct statuses_out : argument {
        typename face::status_type *to;
        temporary<status> values;
        const int *used;
        statuses_out(typename face::status_type *p, std::int64_t n, const int *how_many = nullptr)
            : to(face::is_ignored(p) ? nullptr : p), values(to != nullptr ? n : 0), used(how_many) {
        }
        status *pass() { return to == nullptr ? nullptr : values.data(); }
        void finish(int) {
            const std::size_t all = values.size();
            const std::size_t n = used == nullptr ? all
                                  : *used < 0     ? 0
                                                  : static_cast<std::size_t>(*used);
            for (std::size_t i = 0; i < all && i < n; ++i)
                face::write(to[i], values[i]);
        }
    };

    // A string of at most `core_size` bytes for a program that has room for `face_size`.
    template <int core_size, int face_size>
    struct text : required<char> {
        using required<char>::required;
    };

    template <int core_size, int face_size>
        requires(core_size > face_size)
    struct text<core_size, face_size> : argument {
        char *to;
        char value[core_size] = {};
        explicit text(char *p) : to(p) {}
        int check() const { return to == nullptr ? abi::err_arg : 0; }
        char *pass() { return value; }
        void finish(int error) const {
            if (error != 0)
                return;
            // No more than the text: a program that knows how long it can be has less room.
            const std::size_t length = strnlen(value, face_size - 1);
            std::memcpy(to, value, length);
            to[length] = '\0';
        }
    };

    template <class core_type, class function_type>
    struct function : argument {
        function_type value;
        explicit function(function_type f) : value(f) {}
        core_type pass() const { return callback<face, core_type>::of(value); }
    };
};

// What only MPI_T has: opaque pointers, enumerations, functions of events.
template <class pointer>
struct opaque : raw<void *> {
    explicit opaque(pointer p) : raw(reinterpret_cast<void *>(p)) {}
};

template <class pointer>
struct opaque_out : required<void *> {
    explicit opaque_out(pointer *p) : required(reinterpret_cast<void **>(p)) {}
};

template <class enumeration>
struct enumerated : raw<int> {
    explicit enumerated(enumeration v) : raw(static_cast<int>(v)) {}
};

template <class enumeration>
struct enumerated_out : argument {
    enumeration *to;
    int value = 0;
    explicit enumerated_out(enumeration *p) : to(p) {}
    int check() const { return to == nullptr ? abi::err_arg : 0; }
    int *pass() { return &value; }
    void finish(int error) const {
        if (error == 0)
            *to = static_cast<enumeration>(value);
    }
};

template <class function>
struct tool_function : raw<any_function> {
    explicit tool_function(function f) : raw(reinterpret_cast<any_function>(f)) {}
};

} // namespace saguaro::mpi::faces
