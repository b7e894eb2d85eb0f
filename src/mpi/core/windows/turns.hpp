// SPDX-License-Identifier: MIT
// The order in which origins access a target's memory: README.md, "A turn".
#pragma once

#include "mpi/core/rank.hpp"
#include "mpi/core/windows/window.hpp"

#include <vector>

namespace saguaro::mpi {

// A call that may access or order: the clock goes on, and others learn of it when the call ends.
class window_call {
public:
    window_call() { rank::mine->tick(); }
    ~window_call() { rank::mine->publish(); }
    window_call(const window_call &) = delete;
    window_call &operator=(const window_call &) = delete;
};

// All others of a window's group.
std::vector<int> others_of(const win_object &on);

// Waits until each of these origins has published the present clock, so that it makes no earlier
// request any more; of equal clocks the lesser rank of the world is the earlier one. What this rank
// requests at the present clock must be visible before.
void wait_for_clocks(const win_object &on, const std::vector<int> &rivals, const char *call);

inline constexpr int all_targets = -1;

// Carries out the pending operations at a target, or at `all_targets`, as one step that takes
// effect at the present clock. `rivals` may access the same targets meanwhile. The first error.
int take_turn(win_object &on, int target, const std::vector<int> &rivals, const char *call);

// The same for who is alone at these targets.
int carry_out_pending(win_object &on, int target);

// The same in a passive epoch: at once where this rank holds an exclusive lock, or else in its
// turn.
int flush(win_object &on, int target, const char *call);

} // namespace saguaro::mpi
