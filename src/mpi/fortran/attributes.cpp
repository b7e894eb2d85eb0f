// SPDX-License-Identifier: MIT
// The cells that hold Fortran's integer attributes, for as long as the process lives.
#include "mpi/fortran/attributes.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace saguaro::mpi::fortran {

namespace {

// A program may delete attributes while it ends: never destroyed.
struct all_cells {
    std::mutex guard;
    // INTEGERs of MPI_ATTR_PUT as well: on a little-endian machine C finds those there, too.
    std::unordered_map<const void *, std::unique_ptr<std::int64_t>> by_address;
};

all_cells &cells() {
    static auto &made = *new all_cells;
    return made;
}

} // namespace

void *make_cell(std::int64_t value) {
    auto made = std::make_unique<std::int64_t>(value);
    void *const address = made.get();
    const std::lock_guard hold(cells().guard);
    cells().by_address.emplace(address, std::move(made));
    return address;
}

std::int64_t value_for_fortran(const void *attribute) {
    const std::lock_guard hold(cells().guard);
    const auto found = cells().by_address.find(attribute);
    return found != cells().by_address.end() ? *found->second
                                             : reinterpret_cast<std::intptr_t>(attribute);
}

bool is_cell(const void *attribute) {
    const std::lock_guard hold(cells().guard);
    return cells().by_address.count(attribute) != 0;
}

void forget_cell(void *attribute) {
    const std::lock_guard hold(cells().guard);
    cells().by_address.erase(attribute);
}

} // namespace saguaro::mpi::fortran
