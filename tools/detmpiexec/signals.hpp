// SPDX-License-Identifier: MIT
// Signals that the launcher gets, for its loop.
#pragma once

namespace saguaro::detmpiexec {

struct arrived_signal {
    int number = 0;
    // The terminal has sent it, to the ranks as well: they are in the launcher's process group.
    bool is_known_to_ranks = false;
};

// From now on they come by the descriptor that is returned, which can be waited for. Those that
// were ignored stay so, for the ranks too.
int receive_signals();

// The next one that has come; false if there is none.
bool next_signal(arrived_signal &out);

} // namespace saguaro::detmpiexec
