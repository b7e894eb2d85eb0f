// SPDX-License-Identifier: MIT
// Taking local blocks by malloc, and telling them from those of sg_malloc_place.
#include "numa/checked.hpp"

#include "numa/placed.hpp"
#include "numa/segment.hpp"
#include "platform/sanitizer.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

namespace saguaro::numa {

constinit bool is_checked = false;

namespace {

// After platform::sanitizers_here is known (101).
[[gnu::constructor(102)]] void look_for_checker() {
    is_checked =
        !SG_ADDRESS_SANITIZER && (platform::has_address_sanitizer() || RUNNING_ON_VALGRIND);
}

std::size_t alignment_of(std::size_t bytes) {
    constexpr std::size_t most_aligned = std::size_t{64} << 10;
    if (bytes > most_aligned)
        return 4096;
    return std::has_single_bit(bytes) ? std::max(bytes, alignof(std::max_align_t))
                                      : alignof(std::max_align_t);
}

} // namespace

void *take_checked(std::size_t bytes) {
    void *p = nullptr;
    if (bytes > PTRDIFF_MAX / 2 || posix_memalign(&p, alignment_of(bytes), bytes) != 0)
        return nullptr;
    return p;
}

bool give_back_checked(void *p) {
    {
        bool is_placed = false;
        auto see = [&is_placed](const segment &) { is_placed = true; };
        const std::lock_guard guard(placed_lock());
        placed_blocks.visit_at(reinterpret_cast<std::uintptr_t>(p), see);
        if (is_placed)
            return false;
    }
    std::free(p);
    return true;
}

} // namespace saguaro::numa
