// SPDX-License-Identifier: MIT
// What many tests of ranks say in short.
#pragma once

#include "mpi/core/ranks.hpp"

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/rank.hpp"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <initializer_list>

namespace saguaro::mpi {

inline constexpr datatype integer = datatype::int_;
inline constexpr comm on = comm::world;
inline constexpr comm world_comm = comm::world;
inline const void *const in_place = reinterpret_cast<const void *>(addresses::in_place);

inline int size() {
    return static_cast<int>(rank::mine->size());
}

inline void on_one_rank(const std::function<int()> &body) {
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) { return body(); })));
}

// 0 if all are true: an exit code that names the first that is not.
inline int first_false(std::initializer_list<bool> all) {
    int at = 0;
    for (const bool each : all) {
        ++at;
        if (!each)
            return at;
    }
    return 0;
}

} // namespace saguaro::mpi
