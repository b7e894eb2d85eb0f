// SPDX-License-Identifier: MIT
// Preparations for ranks whose work is counted: -order work.
#pragma once

#include "programs.hpp"

namespace saguaro::detmpiexec {

bool counts_work(const environment &of);

// Adds to the environment of such a rank what lets it execute the same instructions in each run. If
// this machine cannot count work, `why` says what is missing.
void prepare_counted_work(environment &of, std::string &why);

// Programs that begin in the scope have the same addresses in each run, if their work is counted.
// Ends the launcher with a line if the system refuses that.
class same_addresses {
public:
    explicit same_addresses(const environment &of);
    ~same_addresses();
    same_addresses(const same_addresses &) = delete;
    same_addresses &operator=(const same_addresses &) = delete;

private:
    int former_ = -1; // personality; negative: it has not changed
};

} // namespace saguaro::detmpiexec
