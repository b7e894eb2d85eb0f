// SPDX-License-Identifier: MIT
// Rings that are there before the first message: detmpiexec -channels. Others are made when they
// are used, and then the first messages wait for pages.
#pragma once

#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <string_view>

namespace saguaro::mpi {

// Makes the rings of a kind; false if there is none of that name. P is any process, M the master,
// rank 0, S the others, A all and N the next: p2p, p2a, p2n, m2s, m2a, s2m, s2a. Before any rank
// begins.
bool reserve_channels(const world &of, std::string_view kind);

// In a rank: maps the memory of its rings.
void touch_channels(const world &of, std::uint32_t me);

} // namespace saguaro::mpi
