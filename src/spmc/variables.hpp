// SPDX-License-Identifier: MIT
// The variables of the environment that spaces read.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::spmc::variables {

inline constexpr platform::setting trace{
    .name = "SAGUARO_TRACE",
    .fallback = "none",
    .kind = platform::setting_kind::choice,
    .accepted = "none, FILE.svg, FILE.json",
    .meaning = "file for the messages of spaces over time, as a picture or for ui.perfetto.dev",
    .needs_own_rights = true};
inline constexpr platform::setting enforce{
    .name = "SAGUARO_SPMC_ENFORCE",
    .fallback = "0",
    .kind = platform::setting_kind::number,
    .low = 0,
    .high = 1,
    .meaning =
        "1: pages of spmc.h, and messages, have no access but for those who may touch them now"};
inline constexpr platform::setting randomize{
    .name = "SAGUARO_SPMC_RANDOMIZE",
    .fallback = "0",
    .kind = platform::setting_kind::number,
    .low = 0,
    .high = 1,
    .meaning = "1: programs of spmc.h keep the randomisation of their addresses"};
// The descriptors of the job's memory, and the slot of a space whose program begins.
inline constexpr platform::setting job{.name = "SAGUARO_SPMC_JOB",
                                       .meaning = "the job that a program of a space joins",
                                       .needs_own_rights = true,
                                       .user = platform::setting_user::internal};
// Set in the environment of a program that begins anew, until it has begun: so that it does so
// once, whatever the system makes of its personality.
inline constexpr platform::setting begun_anew{
    .name = "SAGUARO_SPMC_ANEW",
    .meaning = "the program has begun anew, without randomisation of its addresses",
    .user = platform::setting_user::internal};

inline constexpr const platform::setting *all[] = {&trace, &enforce, &randomize, &job, &begun_anew};

} // namespace saguaro::spmc::variables
