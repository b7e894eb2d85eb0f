// SPDX-License-Identifier: MIT
// How much of a long test one run does. `make test` does a part of it; the stages that have more
// time, CONTRIBUTING.md says which, set SG_TEST_THOROUGH and do all of it.
#pragma once

#include <cstdlib>

namespace saguaro::test_support {

inline bool is_thorough() {
    return std::getenv("SG_TEST_THOROUGH") != nullptr;
}

// So many in a thorough run, else a third.
inline unsigned third_of(unsigned all) {
    return is_thorough() ? all : all / 3;
}

} // namespace saguaro::test_support
