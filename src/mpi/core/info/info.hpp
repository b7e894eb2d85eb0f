// SPDX-License-Identifier: MIT
// Info objects as the rest of the core uses them: lists of keys and values, in the order in which
// the keys were first set.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace saguaro::mpi {

using info_list = std::vector<std::pair<std::string, std::string>>;

// The value of a key; null if it has none.
const std::string *find_value(const info_list &in, std::string_view key);
void set_value(info_list &in, std::string_view key, std::string_view value);

// Copies what an info object says; nothing for MPI_INFO_NULL. abi::err_info if the handle is none.
int read_info(info which, info_list &out);
// A new object, for MPI_Comm_get_info and the like.
info make_info(info_list list);
// How many objects there are.
std::size_t live_infos();

// What the system tells of how this process began: `command`, `argv`, `arch`, `host` and `wdir`.
// The arguments are those of `main`, or null.
info_list describe_process(int argc, const char *const *argv);

} // namespace saguaro::mpi
