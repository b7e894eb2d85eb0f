// SPDX-License-Identifier: MIT
// Contents of messages, for tests.
#pragma once

#include <cstddef>
#include <vector>

namespace saguaro::mpi {

// So many bytes, others for another seed.
inline std::vector<char> message_data(std::size_t bytes, unsigned seed) {
    std::vector<char> v(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        v[i] = static_cast<char>((i * 131 + seed * 7) >> 3);
    return v;
}

} // namespace saguaro::mpi
