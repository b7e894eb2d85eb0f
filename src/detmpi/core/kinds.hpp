// SPDX-License-Identifier: MIT
// What functions that exist for several kinds of objects know of each kind.
#pragma once

#include "detmpi/core/constants.hpp"
#include "detmpi/core/handles.hpp"

namespace saguaro::detmpi {

// The error of a handle that is of no object.
template <class handle>
inline constexpr int err_invalid = mpi::err_arg;
template <>
inline constexpr int err_invalid<comm> = mpi::err_comm;
template <>
inline constexpr int err_invalid<datatype> = mpi::err_type;
template <>
inline constexpr int err_invalid<win> = mpi::err_win;
template <>
inline constexpr int err_invalid<file> = mpi::err_file;
template <>
inline constexpr int err_invalid<session> = mpi::err_session;

} // namespace saguaro::detmpi
