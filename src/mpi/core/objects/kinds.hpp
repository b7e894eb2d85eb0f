// SPDX-License-Identifier: MIT
// Traits of each kind of object, for functions that exist for several kinds.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"

namespace saguaro::mpi {

// The error of a handle that is of no object.
template <class handle>
inline constexpr int err_invalid = abi::err_arg;
template <>
inline constexpr int err_invalid<comm> = abi::err_comm;
template <>
inline constexpr int err_invalid<datatype> = abi::err_type;
template <>
inline constexpr int err_invalid<win> = abi::err_win;
template <>
inline constexpr int err_invalid<file> = abi::err_file;
template <>
inline constexpr int err_invalid<session> = abi::err_session;

} // namespace saguaro::mpi
