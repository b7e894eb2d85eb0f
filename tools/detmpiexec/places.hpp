// SPDX-License-Identifier: MIT
// Where the ranks run: -bind.
#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace saguaro::detmpiexec {

struct places {
    // The processors of each rank. Empty: all ranks may run everywhere.
    std::vector<std::vector<int>> of_ranks;
    // How many cores a rank has for itself, for threads that it begins; at least 1.
    unsigned cores_of_a_rank = 1;
};

// Ends the process with a line if -bind names a processor that the launcher must not use.
places choose_places(const options &what, unsigned ranks);

// The calling thread, and what it begins, runs on these until the end of the scope. On all that it
// had if there are none.
class bound {
public:
    explicit bound(const std::vector<int> &processors);
    ~bound();
    bound(const bound &) = delete;
    bound &operator=(const bound &) = delete;

private:
    std::vector<int> former_;
};

} // namespace saguaro::detmpiexec
