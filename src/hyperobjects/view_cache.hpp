// SPDX-License-Identifier: MIT
// One worker's memory for small views: what it has destroyed serves for what it makes next.
//
// Views come and go in sets, after each steal: a strand makes one of each reducer that it touches,
// and the join destroys as many. From malloc that was most of what reducers cost beyond lookups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hyperobjects/view.hpp"

namespace saguaro::hyperobjects {

// The owner alone calls it. The memory is operator new's, so that views may be freed elsewhere as
// well, and nothing is shared: who takes more than it gives falls back on operator new, who gives
// more than it takes keeps `most` of a size and frees the rest.
class view_cache {
public:
    view_cache() = default;
    ~view_cache();
    view_cache(const view_cache &) = delete;
    view_cache &operator=(const view_cache &) = delete;

    // Memory for a view of the monoid; null if there is none. A few nanoseconds.
    void *take(const sg_monoid &monoid) noexcept;

    // Takes back what `take` or allocate_view gave, when the value in it has ended.
    void give(const sg_monoid &monoid, void *view) noexcept;

private:
    // 32 KB from malloc, whose smallest piece has 32 bytes, for a thousand sums.
    static constexpr std::uint32_t most = 1024;

    struct cell {
        cell *next;
    };
    struct list {
        cell *first = nullptr;
        std::uint32_t count = 0;
    };

    list *list_for(const sg_monoid &monoid);

    std::array<list, small_view_bytes / view_granule> lists_;
};

} // namespace saguaro::hyperobjects
