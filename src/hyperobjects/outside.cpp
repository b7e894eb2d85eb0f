// SPDX-License-Identifier: MIT
// The slots' outside views: who created and who holds each one, and the views that wait for it.
#include "hyperobjects/outside.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "hyperobjects/fatal.hpp"
#include "hyperobjects/view.hpp"
#include "platform/memory.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"

namespace saguaro::hyperobjects {

namespace {

// A view that waits until the holder of the outside view lets go.
struct pending {
    void *view;
    pending *next;
};

// What a slot has besides its elements. It is kept away from the sg_reducer, which lookups read:
// with three words more in it, a lookup among 1024 reducers took 0.9 ns, not 0.5.
// Plain words, so that four million of them are zero pages and no constructor runs.
struct slot_state {
    const run *holder; // null: nobody; by atomic_ref only
    pending *waiting;  // guarded by waiting_lock, the latest first
    std::uintptr_t creator;
};

// Memory for the slots that are handed out, as are the words below: committed.hpp.
alignas(spa_page_bytes) slot_state states[region_slots];

// A word per slot for an outside view that fits in: those of one page's slots side by side, 2 KB a
// page. The shift keeps a word away, modulo 4096, from the elements that are read soon after it is
// written: the processor would take such a read for one of the word. Without it lookups among 4 or
// 16 reducers took 0.8 ns or 3.1 ns, as it happened.
constexpr std::size_t words_per_page = 256;
constexpr std::size_t words_shift = 400;
alignas(spa_page_bytes) std::uint64_t outside_words[region_pages * words_per_page + words_shift];

std::uint64_t *word_of(std::uintptr_t key) {
    return &outside_words[words_shift + page_of_key(key) * words_per_page + element_index(key)];
}

constinit platform::spin_lock waiting_lock;

// Holds the outside views of reducers that were created by a worker, until a run ends or they do.
const run creation{};

slot_state &state_of(std::uintptr_t key) {
    return states[slot_of_key(key)];
}

std::atomic_ref<const run *> holder_of(slot_state &state) {
    return std::atomic_ref(state.holder);
}

bool claim(slot_state &state, const run *claimant) {
    const run *nobody = nullptr;
    // Acquire pairs with the release in `release_outside`: the claimant sees what the last holder
    // made of the view. Relaxed on failure: nothing is read then.
    const bool is_claimed = holder_of(state).compare_exchange_strong(
        nobody, claimant, std::memory_order_acquire, std::memory_order_relaxed);
    platform::take_over(&state);
    return is_claimed;
}

// The waiting views of a slot, the earliest first; none wait then. Whoever calls it either has the
// lock or is alone with the reducer.
pending *take_waiting(slot_state &state) {
    pending *earliest = nullptr;
    for (pending *list = std::exchange(state.waiting, nullptr); list != nullptr;)
        earliest = std::exchange(list, std::exchange(list->next, earliest));
    platform::take_over(&state);
    return earliest;
}

// Hands each view of a list to `visit`, and frees the list.
template <typename visitor>
void consume(pending *list, visitor &&visit) {
    while (list != nullptr) {
        visit(list->view);
        delete std::exchange(list, list->next);
    }
}

// Leaves a view for the holder, unless `root` becomes that. Returns true if it did: the holder may
// have let go since the caller looked, and nobody would come for the view.
bool claim_or_wait(slot_state &state, const run &root, void *view) {
    std::unique_ptr<pending> entry(new (std::nothrow) pending{view, nullptr});
    if (entry == nullptr)
        platform::end_without_memory("the views that a run leaves");
    const std::lock_guard guard(waiting_lock);
    platform::hand_over(&state);
    if (claim(state, &root))
        return true;
    entry->next = state.waiting;
    state.waiting = entry.release();
    return false;
}

} // namespace

void forget_slot_memory(std::size_t kept) noexcept {
    const std::size_t states_kept = kept * spa_elements;
    platform::make_addresses(states + states_kept, sizeof(states) - states_kept * sizeof(*states));
    const std::size_t words_kept = words_shift + kept * words_per_page;
    platform::make_addresses(outside_words + words_kept,
                             sizeof(outside_words) - words_kept * sizeof(*outside_words));
}

bool commit_slot_memory(std::size_t from, std::size_t to) noexcept {
    return platform::commit(states + from * spa_elements,
                            (to - from) * spa_elements * sizeof(slot_state)) &&
           platform::commit(outside_words + words_shift + from * words_per_page,
                            (to - from) * words_per_page * sizeof(std::uint64_t));
}

platform::spin_lock &waiting_views_lock() {
    return waiting_lock;
}

void fail_outstanding() {
    fatal("a reducer was destroyed while views of it were outstanding "
          "(parallel work that used it was not yet synced)");
}

bool claim_outside(std::uintptr_t key, run &root) noexcept {
    return claim(state_of(key), &root);
}

void hold_from_creation(std::uintptr_t key) noexcept {
    // Relaxed: whoever learns of the reducer learns of it through something that orders this.
    holder_of(state_of(key)).store(&creation, std::memory_order_relaxed);
}

std::uintptr_t creator_of(std::uintptr_t key) noexcept {
    return state_of(key).creator;
}

void set_creator(std::uintptr_t key, std::uintptr_t flow) noexcept {
    state_of(key).creator = flow;
}

bool outside_is_held(std::uintptr_t key) noexcept {
    // Relaxed: its caller destroys the reducer and must be ordered after every use of it anyway.
    return holder_of(state_of(key)).load(std::memory_order_relaxed) != nullptr;
}

std::uint64_t release_outside(const sg_reducer *reducer) noexcept {
    slot_state &state = state_of(reducer->key);
    std::uint64_t folded = 0;
    for (;;) {
        pending *list = nullptr;
        {
            const std::lock_guard guard(waiting_lock);
            list = take_waiting(state);
            if (list == nullptr) {
                // Release pairs with the acquire in `claim`. Under the lock, so that a deposit
                // either finds no holder or leaves its view before this looks.
                platform::hand_over(&state);
                holder_of(state).store(nullptr, std::memory_order_release);
                return folded;
            }
        }
        consume(list, [&](void *view) {
            reduce_views(reducer, outside_element(reducer->key).view, view);
            ++folded;
        });
    }
}

std::uint64_t deposit_outside(const sg_reducer *reducer, void *view, run &root) noexcept {
    slot_state &state = state_of(reducer->key);
    if (!claim(state, &root) && !claim_or_wait(state, root, view))
        return 0;
    reduce_views(reducer, outside_element(reducer->key).view, view);
    return 1 + release_outside(reducer);
}

void *allocate_outside(std::uintptr_t key, const sg_monoid &monoid) noexcept {
    if (monoid.size <= sizeof(std::uint64_t) && monoid.alignment <= alignof(std::uint64_t))
        return word_of(key);
    return allocate_view(monoid);
}

void free_outside(std::uintptr_t key, const sg_monoid &monoid, void *view) noexcept {
    if (view != word_of(key))
        free_view(monoid, view);
}

void destroy_outside(const sg_reducer *reducer) noexcept {
    slot_state &state = state_of(reducer->key);
    // No lock: a run that is still under way with the reducer, or that ends without an order to
    // this, would race with the destruction whatever is done here.
    consume(take_waiting(state), [&](void *view) { destroy_view(reducer, view); });
    element &outside = outside_element(reducer->key);
    end_value(reducer, outside.view);
    free_outside(reducer->key, *reducer->monoid, outside.view);
    outside = {};
    // Relaxed: the slot reaches its next reducer through a lock or the same thread.
    holder_of(state).store(nullptr, std::memory_order_relaxed);
}

void check_alive(std::uintptr_t key, const element &entry) {
    if (outside_element(key).reducer != entry.reducer)
        fail_outstanding();
}

void check_not_outside(std::uintptr_t key, const void *right) {
    if (outside_element(key).view == right)
        fail_outstanding();
}

} // namespace saguaro::hyperobjects
