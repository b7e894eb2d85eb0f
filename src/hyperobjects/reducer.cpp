// SPDX-License-Identifier: MIT
// The C interface of reducers: creation, destruction, and the lookup that finds no view.
#include "saguaro/reducer.h"

#include <bit>
#include <cerrno>
#include <cstdint>

#include "hyperobjects/ending.hpp"
#include "hyperobjects/fatal.hpp"
#include "hyperobjects/flows.hpp"
#include "hyperobjects/local.hpp"
#include "hyperobjects/outside.hpp"
#include "hyperobjects/view.hpp"

namespace saguaro::hyperobjects {

namespace {

bool is_valid(const sg_monoid *monoid) {
    return monoid != nullptr && monoid->identity != nullptr && monoid->reduce != nullptr &&
           monoid->size != 0 && std::has_single_bit(monoid->alignment) &&
           monoid->alignment <= SG_VIEW_ALIGNMENT;
}

// Not inlined, as is `publish`: the caller may go on on another worker than it began on, since the
// monoid's functions that make and destroy a reducer's own value are the program's and may spawn.
[[gnu::noinline]] void give_slot(std::uintptr_t key) {
    const std::uint32_t slot = slot_of_key(key);
    if (local *const here = current_local())
        here->free_slots().give(slot);
    else
        global_slots().give(&slot, 1);
}

// A slot with memory for the outside view, both of which go back unless they are kept.
class reservation {
public:
    explicit reservation(const sg_monoid &monoid) : monoid_(monoid) {
        local *const here = current_local();
        std::uint32_t slot = 0;
        if (here != nullptr ? !here->free_slots().take(slot) : global_slots().take(&slot, 1) == 0)
            return;
        key_ = key_of_slot(slot);
        view_ = allocate_outside(key_, monoid);
        if (view_ == nullptr)
            give_slot(key_);
    }
    ~reservation() {
        if (view_ == nullptr)
            return;
        free_outside(key_, monoid_, view_);
        give_slot(key_);
    }
    reservation(const reservation &) = delete;
    reservation &operator=(const reservation &) = delete;

    // Null if there is no slot or no memory left.
    void *view() const { return view_; }
    std::uintptr_t key() const { return key_; }
    void keep() { view_ = nullptr; }

private:
    const sg_monoid &monoid_;
    std::uintptr_t key_ = 0;
    void *view_ = nullptr;
};

// The reducer has its slot, and its value lies there.
[[gnu::noinline]] void publish(const sg_reducer *reducer, void *view) {
    local *const here = current_local();
    outside_element(reducer->key) = {view, reducer};
    set_creator(reducer->key, here != nullptr ? 0 : current_flow());
    if (here != nullptr) {
        hold_from_creation(reducer->key);
        here->own_maps.insert(reducer, view);
    }
}

} // namespace

} // namespace saguaro::hyperobjects

using namespace saguaro::hyperobjects;

int sg_reducer_create_with(sg_reducer *reducer, const sg_monoid *monoid,
                           void (*make)(void *view, void *argument), void *argument) {
    if (!is_valid(monoid) || make == nullptr)
        return EINVAL;
    reservation place(*monoid);
    void *const view = place.view();
    if (view == nullptr)
        return ENOMEM;

    make(view, argument);
    *reducer = {place.key(), monoid};
    publish(reducer, view);
    place.keep();
    return 0;
}

int sg_reducer_create(sg_reducer *reducer, const sg_monoid *monoid) {
    if (!is_valid(monoid))
        return EINVAL;
    void *const context = monoid->context != nullptr ? monoid->context : reducer;
    return sg_reducer_create_with(reducer, monoid, monoid->identity, context);
}

void sg_reducer_destroy(sg_reducer *reducer) {
    const std::uintptr_t key = reducer->key;
    if (outside_element(key).reducer != reducer)
        fatal("a reducer was destroyed that does not live (destroyed twice, or moved)");
    if (stays_to_the_end(reducer)) [[unlikely]]
        return;
    if (is_outstanding(reducer))
        fail_outstanding();
    local *const here = current_local();
    void *const own = here != nullptr ? here->own_maps.at(key).view : nullptr;
    if (own != nullptr)
        here->own_maps.remove(key);
    if (own != nullptr && own != outside_element(key).view)
        destroy_view(reducer, own);
    destroy_outside(reducer);
    give_slot(key);
}

void *sg_view_slow(const sg_reducer *reducer) {
    local *const here = current_local();
    if (outside_element(reducer->key).reducer != reducer)
        fatal("a reducer was used that does not live (destroyed, not yet created, or moved)");
    return here != nullptr ? here->miss(reducer) : view_of_flow(reducer);
}
