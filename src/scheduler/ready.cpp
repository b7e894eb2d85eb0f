// SPDX-License-Identifier: MIT
// The list of ready work: pushing, and taking what a thread may take.
#include "scheduler/ready.hpp"

#include "platform/sanitizer.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/runtime.hpp"

#include <mutex>

namespace saguaro::scheduler {

void ready_list::push(ready_work &one) {
    platform::hand_over(&one);
    const std::lock_guard guard(lock_);
    ready_work **last = &first_;
    while (*last != nullptr)
        last = &(*last)->next;
    *last = &one;
    one.next = nullptr;
    // Relaxed: who sees it late looks again, or is woken; see make_ready.
    count_.fetch_add(1, std::memory_order_relaxed);
}

ready_work *const *ready_list::find(const root *mine, const taker &who, bool is_shared) const {
    const bool takes_all = is_shared || mine != nullptr;
    // Where threads do not steal, the order is the serial one.
    const bool is_ranked = is_shared && ranks_matter();
    ready_work *const *found = nullptr;
    ready_work *const *at = &first_;
    for (; *at != nullptr; at = &(*at)->next) {
        const ready_work &one = **at;
        if (!(takes_all || one.is_runtimes) || !works_for(mine, one.of) || !may_take(who, one.of))
            continue;
        if (!is_ranked)
            return at;
        if (found == nullptr || priority_of(one.of) > priority_of((*found)->of))
            found = at;
    }
    return found != nullptr ? found : at;
}

bool ready_list::take(worker &thief, work &what, cause &of, int least) {
    // Relaxed: a hint. A thread that sleeps is woken after the push, and one that is about to looks
    // once more after its fence.
    if (count_.load(std::memory_order_relaxed) == 0) [[likely]]
        return false;
    ready_work *one;
    {
        const std::lock_guard guard(lock_);
        const bool all = is_shared(thief.rt.size(), thief.rt.seating());
        auto *const at = const_cast<ready_work **>(find(thief.guest, &thief, all));
        one = *at;
        // Another thread may have taken the last place since.
        if (one == nullptr || priority_of(one->of) < least || !take_place(thief, one->of))
            return false;
        *at = one->next;
        count_.fetch_sub(1, std::memory_order_relaxed);
    }
    platform::take_over(one);
    what = one->what;
    of = one->of;
    if (one->is_heaped)
        delete one;
    return true;
}

bool ready_list::remove(ready_work &one) {
    const std::lock_guard guard(lock_);
    ready_work **at = &first_;
    while (*at != nullptr && *at != &one)
        at = &(*at)->next;
    if (*at == nullptr)
        return false;
    *at = one.next;
    platform::take_over(&one);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

bool ready_list::any_for(const root *mine, const taker &who, bool is_shared) const {
    if (count_.load(std::memory_order_relaxed) == 0)
        return false;
    const std::lock_guard guard(lock_);
    return *find(mine, who, is_shared) != nullptr;
}

void make_ready(runtime &rt, ready_work &one) {
    const cause of = one.of;
    rt.ready.push(one);
    // After the push: a thread that falls asleep counts itself, makes all pass a fence, and then
    // looks at the list. Either it sees this push, or the count is seen here.
    if (detail::pushes_are_heard() && may_take(nullptr, of))
        rt.seating().wake(0, wanted_node(of));
}

void call_for_threadless(runtime &rt) {
    // Whether pushes are heard was decided before the root was counted.
    rt.seating().wake();
}

} // namespace saguaro::scheduler
