// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace saguaro::sim {

// Input that is not accepted. what() is one line: where, what, and what is accepted.
class bad_input : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace saguaro::sim
