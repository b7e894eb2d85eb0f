// SPDX-License-Identifier: MIT
// The variable of the environment that VMS reads.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::vms::variables {

inline constexpr platform::setting trace{
    .name = "SAGUARO_VMS_TRACE",
    .fallback = "none",
    .kind = platform::setting_kind::choice,
    .accepted = "none, FILE.txt, FILE.svg",
    .meaning = "file for the virtual time line of vms.h; a second instance writes FILE-2.svg",
    .needs_own_rights = true};

inline constexpr const platform::setting *all[] = {&trace};

} // namespace saguaro::vms::variables
