// SPDX-License-Identifier: MIT
// The variable of the environment that chooses algorithms of collectives.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::channels::variables {

inline constexpr platform::setting collective{
    .name = "SAGUARO_COLLECTIVE",
    .fallback = "auto",
    .accepted = "auto, OPERATION:ALGORITHM",
    .meaning = "algorithms of collective.h, separated by commas"};

inline constexpr const platform::setting *all[] = {&collective};

} // namespace saguaro::channels::variables
