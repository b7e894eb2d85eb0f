// SPDX-License-Identifier: MIT
// Bytes as the rings take them.
#pragma once

#include "mpi/core/rings/message.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

inline typed_buffer all_of(std::vector<char> &v) {
    typed_buffer b;
    b.base = v.data();
    b.count = b.bytes = static_cast<std::int64_t>(v.size());
    return b;
}

} // namespace saguaro::mpi
