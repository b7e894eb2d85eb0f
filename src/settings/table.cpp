// SPDX-License-Identifier: MIT
// The table of all settings: the rows of every floor, in the order in which the manual has them.
#include "channels/variables.hpp"
#include "cilk/variables.hpp"
#include "mpi/variables.hpp"
#include "nanothreads/variables.hpp"
#include "platform/variables.hpp"
#include "scheduler/variables.hpp"
#include "spmc/variables.hpp"
#include "vms/variables.hpp"

// Floors do not know each other's rows, but a misspelt name is one that no floor has. A list that
// the compiler sees whole is complete in the static library too, where a floor that registers its
// rows at start is absent unless the program uses it. It refers to nothing but the rows, so it
// brings no floor into a program.
namespace saguaro::platform {

std::span<const setting_rows> all_settings() {
    static constexpr setting_rows floors[] = {scheduler::variables::all,
                                              variables::all,
                                              nanothreads::variables::all,
                                              vms::variables::all,
                                              scheduler::variables::of_recordings,
                                              spmc::variables::all,
                                              channels::variables::all,
                                              cilk::variables::all,
                                              mpi::variables::all};
    return floors;
}

} // namespace saguaro::platform
