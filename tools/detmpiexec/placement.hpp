// SPDX-License-Identifier: MIT
// Where the ranks run: -bind.
#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace saguaro::detmpiexec {

struct placement {
    // The processors of each rank. Empty: all ranks may run everywhere.
    std::vector<std::vector<int>> of_ranks;
    // How many cores a rank has for itself, for threads that it begins; at least 1.
    unsigned cores_of_a_rank = 1;
};

// Ends the process with a line if -bind names a processor that the launcher must not use.
placement choose_placement(const options &what, unsigned ranks);

// The calling thread, and each program that it starts, runs on these until the end of the scope. On
// all that it had if there are none.
class processor_scope {
public:
    explicit processor_scope(const std::vector<int> &processors);
    ~processor_scope();
    processor_scope(const processor_scope &) = delete;
    processor_scope &operator=(const processor_scope &) = delete;

private:
    std::vector<int> former_;
};

} // namespace saguaro::detmpiexec
