// SPDX-License-Identifier: MIT
// The checks that let a reducer outlive its destructor while a run still uses it at exit.
#include "hyperobjects/ending.hpp"

#include "hyperobjects/local.hpp"
#include "hyperobjects/outside.hpp"
#include "platform/process.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::hyperobjects {

namespace {

constinit std::atomic<bool (*)()> any_run{nullptr};

bool anything_runs() {
    // Acquire: pairs with the release in ask_for_runs.
    const auto any = any_run.load(std::memory_order_acquire);
    return any != nullptr && any();
}

// A local variable of one of the last callers, as most reducers are: saves asking further.
bool is_near(const void *address) {
    constexpr std::size_t near = std::size_t{64} * 1024;
    return reinterpret_cast<std::uintptr_t>(address) -
               reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) <
           near;
}

} // namespace

void ask_for_runs(bool (*any)()) noexcept {
    any_run.store(any, std::memory_order_release);
}

bool is_outstanding(const sg_reducer *reducer) noexcept {
    local *const here = current_local();
    const void *const own = here != nullptr ? here->own_maps.at(reducer->key).view : nullptr;
    return own != outside_element(reducer->key).view && outside_is_held(reducer->key);
}

bool stays_to_the_end(const sg_reducer *reducer) noexcept {
    const bool may_be_used =
        is_outstanding(reducer) ||
        (!is_near(reducer) && platform::may_be_static(reducer) && anything_runs());
    return may_be_used && platform::thread_is_exiting();
}

} // namespace saguaro::hyperobjects
