// SPDX-License-Identifier: MIT
// A worker's lists of free blocks for small views, one list for each size.
#include "hyperobjects/view_cache.hpp"

#include "platform/sanitizer.hpp"

#include <utility>

namespace saguaro::hyperobjects {

namespace {

// Memory that is used again hides from the address sanitizer who uses a view after its end.
bool keeps() {
    return !platform::has_address_sanitizer();
}

} // namespace

view_cache::~view_cache() {
    for (std::size_t at = 0; at < lists_.size(); ++at)
        while (cell *const one = lists_[at].first) {
            lists_[at].first = one->next;
            ::operator delete(one, (at + 1) * view_granule);
        }
}

// The list of the monoid's size; null if views of it are not kept: what was made on another node is
// to go back there.
view_cache::list *view_cache::list_for(const sg_monoid &monoid) {
    if (!keeps() || is_placed(monoid) || monoid.size > small_view_bytes ||
        monoid.alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        return nullptr;
    return &lists_[(monoid.size - 1) / view_granule];
}

void *view_cache::take(const sg_monoid &monoid) noexcept {
    list *const kept = list_for(monoid);
    if (kept == nullptr || kept->first == nullptr)
        return allocate_view(monoid);
    --kept->count;
    return std::exchange(kept->first, kept->first->next);
}

void view_cache::give(const sg_monoid &monoid, void *view) noexcept {
    list *const kept = list_for(monoid);
    if (kept == nullptr || kept->count == most) {
        free_view(monoid, view);
        return;
    }
    ++kept->count;
    kept->first = new (view) cell{kept->first};
}

} // namespace saguaro::hyperobjects
