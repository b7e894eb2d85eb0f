// SPDX-License-Identifier: MIT
// The list of living children, in the order of their age, and the lists of what is kept for each.
#include "spmc/children.hpp"

#include "spmc/waiting.hpp"

#include <sys/mman.h>

namespace saguaro::spmc {

namespace {

constinit std::mutex family_lock; // guards the rest

// In memory of this process' own, by the child's slot: a child of a fork needs it unchanged, and
// the thread that watches over the children must not use the program's heap.
struct sibling {
    slot older;
    slot younger;
    place kept; // for this child: a list
};
sibling *siblings = nullptr;
slot last_born = 0;
slot first_born = 0;
end_bell *bells = nullptr;

constinit std::atomic<const end_actions *> actions{nullptr};

const end_actions *known_actions() {
    // Acquire pairs with the release in `set_end_actions`: the functions' names.
    return actions.load(std::memory_order_acquire);
}

// The youngest child, from `from` on to older ones, that was begun after the object was made.
slot user_of(const job &all, slot from, const keepable &it) {
    return from != 0 && all.space_in(from).number > it.made_after ? from : 0;
}

void keep_for(const job &, slot child, place what, keepable &it) {
    // Relaxed: this space's alone.
    it.next.store(siblings[child].kept, std::memory_order_relaxed);
    siblings[child].kept = what;
}

// What was kept for a child that has ended goes to the next older one, or is dropped.
void hand_on_kept(job &all, slot which) {
    for (place what = siblings[which].kept; what != 0;) {
        keepable &it = known_actions()->kept_at(all, what);
        const place next = it.next.load(std::memory_order_relaxed);
        if (const slot user = user_of(all, siblings[which].older, it))
            keep_for(all, user, what, it);
        else
            known_actions()->drop(all, what);
        what = next;
    }
    siblings[which].kept = 0;
}

// Whether neither the space nor a descendant of it runs any more. A space that was killed takes
// its children along, but a moment later; and the process that its parent has begun may have ended
// before the one whose program the space is.
bool is_gone(const space &s) {
    // Relaxed, all: the process has ended.
    const std::uint32_t taker = s.taker.load(std::memory_order_relaxed);
    return (taker == 0 || taker == s.pid.load(std::memory_order_relaxed)) &&
           (s.has_children.load(std::memory_order_relaxed) == 0 ||
            s.has_ended_well.load(std::memory_order_relaxed) != 0);
}

} // namespace

void set_end_actions(const end_actions &made) {
    actions.store(&made, std::memory_order_release);
}

std::mutex &children_lock() {
    return family_lock;
}

bool prepare_children() {
    if (siblings != nullptr)
        return true;
    void *const memory =
        mmap(nullptr, job::mine().end_of_slots() * sizeof(sibling), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    siblings = static_cast<sibling *>(memory);
    return true;
}

void add_child(slot which) {
    siblings[which] = {last_born, 0, 0};
    (last_born != 0 ? siblings[last_born].younger : first_born) = which;
    last_born = which;
}

void end_child(job &all, slot which, void (*says_so)(const job &all, slot which)) {
    const std::lock_guard guard(family_lock);
    const bool has_gone = is_gone(all.space_in(which));
    if (has_gone && known_actions() != nullptr) {
        known_actions()->give_back(all, which);
        hand_on_kept(all, which);
    }
    says_so(all, which);
    end_bell::ring_all();
    if (!has_gone)
        return; // what its descendants may still use is kept for good
    const sibling &it = siblings[which];
    (it.younger != 0 ? siblings[it.younger].older : last_born) = it.older;
    (it.older != 0 ? siblings[it.older].younger : first_born) = it.younger;
}

end_bell::end_bell(std::atomic<std::uint32_t> &word) : word_(word) {
    const std::lock_guard guard(family_lock);
    next_ = bells;
    bells = this;
}

end_bell::~end_bell() {
    const std::lock_guard guard(family_lock);
    end_bell **at = &bells;
    while (*at != nullptr && *at != this)
        at = &(*at)->next_;
    if (*at != nullptr)
        *at = next_;
}

void end_bell::ring_all() {
    for (const end_bell *each = bells; each != nullptr; each = each->next_) {
        // Release pairs with the acquire of who sleeps on it: who has heard this sees the end.
        each->word_.fetch_add(1, std::memory_order_release);
        wake_all(each->word_);
    }
}

slot youngest_child() {
    return last_born;
}

slot next_older_child(slot which) {
    return siblings[which].older;
}

void forget_children() {
    last_born = first_born = 0;
    bells = nullptr;
}

slot next_child(slot after) {
    const std::lock_guard guard(family_lock);
    slot s = first_born;
    // Acquire pairs with the release in `record_end`, as where a space waits for the end.
    while (s != 0 && (s <= after ||
                      job::mine().space_in(s).state.load(std::memory_order_acquire) == life::ended))
        s = siblings[s].younger;
    return s;
}

void drop_after_children(job &all, place what, keepable &it) {
    const std::lock_guard guard(family_lock);
    if (const slot user = user_of(all, last_born, it))
        keep_for(all, user, what, it);
    else
        known_actions()->drop(all, what);
}

} // namespace saguaro::spmc
