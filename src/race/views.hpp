// SPDX-License-Identifier: MIT
// The views of reducers: as if each continuation were stolen.
#pragma once

#include <cstddef>

namespace saguaro::race {

// What follows is told with the number of open frames, the one that begins or ends included.

// A child or a call begins: it goes on with its parent's views.
void pass_views_down(std::size_t depth);

// A child or a call ends. What a child leaves is joined at the next sync, with what the parent has
// made since; what a call leaves is its caller's.
void pass_views_up(std::size_t depth, bool is_child);

// All views of the frame become one of each reducer.
void sync_views(std::size_t depth);

} // namespace saguaro::race
