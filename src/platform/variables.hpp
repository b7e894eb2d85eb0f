// SPDX-License-Identifier: MIT
// The variables of the environment that say which processors there are.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::platform::variables {

inline constexpr setting topology{
    .name = "SAGUARO_TOPOLOGY",
    .fallback = "this",
    .accepted = "this, FILE.xml, a description as \"pack:2 numa:1 core:8 pu:1\"",
    .meaning = "the machine that a policy is to think of",
    .needs_own_rights = true};
inline constexpr setting pin{.name = "SAGUARO_PIN",
                             .fallback = "auto",
                             .kind = setting_kind::choice,
                             .accepted = "auto, 0, 1",
                             .meaning = "1: a processor of its own for each thread; auto: only if "
                                        "the process has the whole machine"};
inline constexpr setting cpus{.name = "SAGUARO_CPUS",
                              .fallback = "auto",
                              .accepted = "auto, a list as 0,2,4-7",
                              .meaning =
                                  "the processor of each worker in turn; auto: any, or as above"};

inline constexpr const setting *all[] = {&topology, &pin, &cpus};

} // namespace saguaro::platform::variables
