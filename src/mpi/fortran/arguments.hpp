// SPDX-License-Identifier: MIT
// One argument of a call from Fortran: what C gets for it, and what is written back. Generated code
// makes these objects and hands them to call().
#pragma once

#include "mpi/fortran/addresses.hpp"
#include "mpi/fortran/attributes.hpp"
#include "mpi/fortran/text.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace saguaro::mpi::fortran {

template <class function, class... arguments>
void call(integer *error, function *of, arguments &&...with) {
    const int result = of(with.pass()...);
    (with.finish(result == 0), ...);
    if (error != nullptr) // optional in mpi_f08
        *error = result;
}

// What C gets as it is: values, and pointers to what has the same layout in both languages.
template <class type>
class same {
public:
    explicit same(type value) : value_(value) {}
    type pass() { return value_; }
    void finish(bool) {}

private:
    type value_;
};

template <class handle>
class handle_out {
public:
    explicit handle_out(integer *to) : to_(to), value_(to_c<handle>(*to)) {}
    handle *pass() { return &value_; }
    void finish(bool) { *to_ = to_fortran(value_); }

private:
    integer *to_;
    handle value_;
};

// An array of handles. If C's handles are no INTEGERs, C gets an array of its own.
template <class handle, bool written>
class handle_array {
public:
    template <class count>
    handle_array(integer *all, count how_many) : all_(all) {
        if constexpr (!std::is_same_v<handle, integer>) {
            const std::int64_t size = how_many();
            own_.reserve(static_cast<std::size_t>(size > 0 ? size : 0));
            for (std::int64_t i = 0; i < size; ++i)
                own_.push_back(to_c<handle>(all[i]));
        }
    }

    handle *pass() {
        if constexpr (std::is_same_v<handle, integer>)
            return all_;
        else
            return own_.data();
    }

    void finish(bool) {
        if constexpr (written)
            for (std::size_t i = 0; i < own_.size(); ++i)
                all_[i] = to_fortran(own_[i]);
    }

private:
    integer *all_;
    std::vector<handle> own_;
};

// An index in an array: from 1 in Fortran.
class index_out {
public:
    explicit index_out(integer *to) : to_(to) {}
    int *pass() { return to_; }
    void finish(bool done) {
        if (done && *to_ != MPI_UNDEFINED && *to_ >= 0)
            ++*to_;
    }

private:
    integer *to_;
};

class indices_out {
public:
    indices_out(integer *all, const integer *outcount) : all_(all), outcount_(outcount) {}
    int *pass() { return all_; }
    void finish(bool) { // MPI_ERR_IN_STATUS, too, comes with indices
        for (integer i = 0; *outcount_ != MPI_UNDEFINED && i < *outcount_; ++i)
            ++all_[i];
    }

private:
    integer *all_;
    const integer *outcount_;
};

// What C has in another width: the INTEGERs that functions that MPI 3 removed have for addresses.
class address_as_integer {
public:
    explicit address_as_integer(integer *to) : to_(to) {}
    MPI_Aint *pass() { return &value_; }
    void finish(bool done) {
        if (done)
            *to_ = static_cast<integer>(value_);
    }

private:
    integer *to_;
    MPI_Aint value_ = 0;
};

class addresses_as_integers {
public:
    addresses_as_integers(const integer *all, integer count)
        : own_(all, all + (count > 0 ? count : 0)) {}
    MPI_Aint *pass() { return own_.data(); }
    void finish(bool) {}

private:
    std::vector<MPI_Aint> own_;
};

// MPICH's Fortran has numbers of its own for predefined attributes: C's and 1.
inline int c_keyval(integer key) {
    const auto number = static_cast<unsigned>(key);
    const unsigned kind = number & 0xffffff00u;
    const bool predefined = kind == 0x64400000u || kind == 0x66000000u;
    return is_mpich && predefined && number % 2 == 0 ? key - 1 : key;
}

// The value of an attribute. C has a pointer to what MPI says itself; Fortran has the value.
template <class value_type>
class attribute_out {
public:
    attribute_out(value_type *to, integer key, const integer *flag)
        : to_(to), key_(c_keyval(key)), flag_(flag) {}
    void *pass() { return &value_; }

    void finish(bool done) {
        if (!done || *flag_ == 0)
            return;
        switch (key_) {
        case MPI_TAG_UB:
        case MPI_HOST:
        case MPI_IO:
        case MPI_WTIME_IS_GLOBAL:
        case MPI_UNIVERSE_SIZE:
        case MPI_LASTUSEDCODE:
        case MPI_APPNUM:
        case MPI_WIN_DISP_UNIT:
        case MPI_WIN_CREATE_FLAVOR:
        case MPI_WIN_MODEL:
            *to_ = *static_cast<int *>(value_);
            break;
        case MPI_WIN_SIZE:
            *to_ = static_cast<value_type>(*static_cast<MPI_Aint *>(value_));
            break;
        default:
            *to_ = static_cast<value_type>(value_for_fortran(value_));
        }
    }

private:
    value_type *to_;
    int key_;
    const integer *flag_;
    void *value_ = nullptr;
};

} // namespace saguaro::mpi::fortran
