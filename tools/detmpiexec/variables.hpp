// SPDX-License-Identifier: MIT
// The variables of the environment that the launcher reads, besides those of the ranks.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::detmpiexec::variables {

inline constexpr platform::setting timeout{
    .name = "MPIEXEC_TIMEOUT",
    .fallback = "unset",
    .accepted = "a number of seconds",
    .meaning = "detmpiexec ends the job after so long, unless -timeout says another time"};
inline constexpr platform::setting path{
    .name = "PATH",
    .fallback = "/usr/bin:/bin",
    .accepted = "FOLDER:FOLDER...",
    .meaning = "where detmpiexec and cilkc look for programs that they run",
    .needs_own_rights = true};

inline constexpr const platform::setting *all[] = {&timeout, &path};

} // namespace saguaro::detmpiexec::variables
