// SPDX-License-Identifier: MIT
// How much of the region, and of what there is for each slot, is memory and not just addresses.
//
// Pages of SPA maps become memory from the first one on, in all regions of the process at once,
// before a slot of theirs is handed out: a reducer that lives has its element everywhere, and
// lookups have nothing to ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "hyperobjects/region.hpp"

namespace saguaro::hyperobjects {

// Sees to it that slots of page 0 to 16383 may be handed out. False: the system refuses the memory.
// An acquire load, but for 1 to 13 times in a process.
bool commit_page(std::uint32_t page) noexcept;

// How many pages may have slots that were handed out. Any thread, at any time; out of date at once.
std::size_t committed_pages();

// From now on `in`, of which the head and so many pages are committed, is so as far as reducers
// need it, until forget_region. False: the system refuses.
bool commit_region(region &in, std::size_t pages) noexcept;
void forget_region(region &in) noexcept;

// Guards which regions there are, and how much is committed: held across a fork. Not a spin lock,
// because the system is called under it.
std::mutex &committed_lock();

} // namespace saguaro::hyperobjects
