// SPDX-License-Identifier: MIT
// A small value of each rank, for all ranks: what the library's own calls agree by.
#pragma once

#include "mpi/core/collectives/collective.hpp"

#include <type_traits>
#include <vector>

namespace saguaro::mpi {

// The values of all ranks of an intracommunicator, in their order: by way of the first.
template <class T>
std::vector<T> everybodys(collective &all, const T &mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(static_cast<std::size_t>(all.size()), mine);
    if (all.me() == 0) {
        for (int r = 1; r < all.size(); ++r)
            all.receive(r, bytes_at(&values[static_cast<std::size_t>(r)], sizeof(T)));
        for (int r = 1; r < all.size(); ++r)
            all.send(r, bytes_at(values.data(), values.size() * sizeof(T)));
    } else {
        all.send(0, bytes_at(&mine, sizeof(T)));
        all.receive(0, bytes_at(values.data(), values.size() * sizeof(T)));
    }
    return values;
}

} // namespace saguaro::mpi
