// SPDX-License-Identifier: MIT
// Publishing what each thread waits for, and searching for a circle of waits.
#include "spmc/deadlocks.hpp"

#include "platform/arithmetic.hpp"
#include "platform/idle_threads.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/spaces.hpp"
#include "spmc/tables.hpp"
#include "spmc/waiting.hpp"

#include <cstdio>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace saguaro::spmc {

namespace {

// ---- What threads tell ----

// A record of this space that no thread has; null if there is no memory. Records stay in the list
// of their space, and are used again by any of its threads.
wait_record *take_record(const job &all) {
    space &me = all.self();
    // Acquire pairs with the release below: `next`.
    for (place at = me.waits.load(std::memory_order_acquire); at != 0;) {
        wait_record &each = *all.at<wait_record>(at);
        // Acquire pairs with the release in `~told_wait`: what the former thread wrote there.
        if (each.is_taken.exchange(1, std::memory_order_acquire) == 0)
            return &each;
        at = each.next;
    }
    const place fresh = take_control(all, sizeof(wait_record));
    if (fresh == 0)
        return nullptr;
    wait_record &made = *all.at<wait_record>(fresh);
    made.is_taken.store(1, std::memory_order_relaxed);
    made.next = me.waits.load(std::memory_order_relaxed);
    // Release pairs with the acquires of those who walk the list.
    while (!me.waits.compare_exchange_weak(made.next, fresh, std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
    return &made;
}

// A sequence lock, whose writer is alone. The version is odd while the rest changes. Release, both
// here and at the end: pair with the acquires in `read_wait`, which reads the version, the rest,
// and the version again.
void begin_change(wait_record &of) {
    of.version.store(of.version.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
}

void end_change(wait_record &of) {
    of.version.store(of.version.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// The record of the calling thread's innermost wait. Initial-exec: found in a signal handler
// without memory.
[[gnu::tls_model("initial-exec")]] constinit thread_local wait_record *innermost = nullptr;

// A thread waits for one thing at a time: this signal handler waits on top of a wait, which is told
// again when the handler is done. In the middle of a change the record says already that it moves.
void hide(wait_record &of) {
    if ((of.version.load(std::memory_order_relaxed) & 1) != 0)
        return;
    begin_change(of);
    of.kind.store(wait_kind::nothing, std::memory_order_relaxed);
    end_change(of);
}

// ---- What others see ----

// What a thread waits for, as it was at one moment.
struct seen_wait {
    std::uint32_t version = 0;
    std::uint32_t threads = 0; // that its space had when all waits that it tells had begun
    slot on = 0;               // 0: any
};

enum class reading { nothing, waits, moves };

// Whether a thread sleeps for a word that has not changed, and that whoever it waits for may still
// change: one that waits in vain is about to see it. And what it waits for.
reading read_wait(const job &all, const space &s, const wait_record &r, seen_wait &out) {
    out.version = r.version.load(std::memory_order_acquire);
    // Relaxed: the version is looked at again behind a fence.
    const wait_kind kind = r.kind.load(std::memory_order_relaxed);
    const std::uint64_t word = r.word.load(std::memory_order_relaxed);
    const std::uint32_t value = r.value.load(std::memory_order_relaxed);
    const std::uint64_t page = r.page.load(std::memory_order_relaxed);
    const place of = r.of.load(std::memory_order_relaxed);
    out.on = r.on.load(std::memory_order_relaxed);
    // Acquire pairs with the release in `tell`: what threads that have ended did before.
    out.threads = r.threads.load(std::memory_order_acquire);
    if ((out.version & 1) != 0)
        return reading::moves;
    // Acquire, as at the end: what is read of a change that is under way may be parts of two waits,
    // and lead anywhere.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (r.version.load(std::memory_order_relaxed) != out.version)
        return reading::moves;
    if (kind == wait_kind::nothing)
        return reading::nothing;
    bool is_in_vain = false;
    if (of != 0) {
        const table &waited_for = *all.at<table>(of);
        const entry &e = all.entry_of(waited_for, page);
        out.on = producer_of(waited_for, e);
        is_in_vain = is_given_up(waited_for, e);
    }
    const auto *const now = reinterpret_cast<std::atomic<std::uint32_t> *>(all.control() + word);
    const bool is_unchanged = now->load(std::memory_order_acquire) == value;
    // A giver may be killed before it counts its grant.
    const bool has_a_grant =
        kind == wait_kind::grant && s.grants.load(std::memory_order_acquire) != 0;
    // If the wait is over meanwhile, all of this may have been another's.
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool waits = r.version.load(std::memory_order_relaxed) == out.version && is_unchanged &&
                       !has_a_grant && !is_in_vain && (out.on == 0 || ended_with(all, out.on) == 0);
    return waits ? reading::waits : reading::moves;
}

// Whether all threads of a space wait; calls visit(seen_wait) for each. Each tells how many threads
// there were when it had begun to wait, so the last one to do so has counted these threads and no
// other, and none of them can have begun a thread since.
template <class Visit>
bool all_threads_wait(const job &all, slot which, Visit visit) {
    const space &s = all.space_in(which);
    std::uint32_t waiting = 0;
    std::uint32_t threads = 0;
    if (!lives(all, which) || s.is_about_to_end.load(std::memory_order_relaxed) != 0)
        return false;
    // Acquire pairs with the release in `take_record`.
    for (place at = s.waits.load(std::memory_order_acquire); at != 0;) {
        const wait_record &r = *all.at<wait_record>(at);
        at = r.next;
        seen_wait seen;
        const reading how = read_wait(all, s, r, seen);
        if (how == reading::nothing)
            continue;
        if (how == reading::moves || (waiting > 0 && seen.threads != threads))
            return false;
        threads = seen.threads;
        ++waiting;
        visit(seen);
    }
    return waiting > 0 && waiting == threads;
}

// Spaces that wait for each other and for nobody else, beginning with the calling one.
class circle {
public:
    // Memory of our own, with room for each space that has a slot: the heap is the program's.
    explicit circle(const job &all)
        : most_(all.header().slots.load(std::memory_order_acquire)),
          members_(
              static_cast<member *>(mmap(nullptr, most_ * sizeof(member), PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    ~circle() {
        if (members_ != MAP_FAILED)
            munmap(members_, most_ * sizeof(member));
    }
    circle(const circle &) = delete;
    circle &operator=(const circle &) = delete;

    // False if one of them does not wait, or if the calling space is not among those that its waits
    // lead to: then one of the others will end, and the calling space be told.
    bool find(const job &all, bool may_wait_for_any);

    // The same waits, with nothing that has moved in between.
    bool operator==(const circle &other) const { return seen_ == other.seen_; }

    // "0.1 -> 0.2 -> 0.1"; null if all spaces of the job wait. Once.
    const char *path(char (&text)[300]);

private:
    bool add_waits_of(const job &all, slot which, unsigned number);
    void add(slot which, unsigned from);
    bool all_wait(const job &all);

    struct member {
        slot which;
        unsigned from; // the number of one that waits for it
    };
    static constexpr unsigned none = ~0U;

    const std::size_t most_;
    member *const members_;
    unsigned count_ = 0;
    unsigned last_ = none; // the number of one that waits for the calling space
    bool is_everybody_ = false;
    std::uint64_t seen_ = 0;
};

void circle::add(slot which, unsigned from) {
    for (unsigned i = 0; i < count_; ++i)
        if (members_[i].which == which) {
            if (i == 0 && last_ == none)
                last_ = from;
            return;
        }
    if (count_ == most_) { // a space that has begun since then
        is_everybody_ = true;
        return;
    }
    members_[count_++] = {which, from};
}

bool circle::add_waits_of(const job &all, slot which, unsigned number) {
    return all_threads_wait(all, which, [&](const seen_wait &w) {
        for (const std::uint64_t each : {which, w.version, w.on})
            seen_ = platform::mixed(seen_ + each + platform::golden);
        if (w.on == 0)
            is_everybody_ = true;
        else
            add(w.on, number);
    });
}

bool circle::all_wait(const job &all) {
    for (const slot s : all.given_slots())
        if (lives(all, s) && !add_waits_of(all, s, 0))
            return false;
    return true;
}

bool circle::find(const job &all, bool may_wait_for_any) {
    if (members_ == MAP_FAILED)
        return false;
    members_[count_++] = {all.self_slot(), 0};
    for (unsigned i = 0; i < count_ && !is_everybody_; ++i)
        if (!add_waits_of(all, members_[i].which, i))
            return false;
    if (is_everybody_)
        return may_wait_for_any && all_wait(all);
    return last_ != none;
}

const char *circle::path(char (&text)[300]) {
    if (is_everybody_)
        return nullptr;
    // Turned round, because a member knows who waits for it.
    unsigned next = 0;
    for (unsigned at = last_; at != 0;) {
        const unsigned from = std::exchange(members_[at].from, next);
        next = std::exchange(at, from);
    }
    char name[name_bytes];
    int used = std::snprintf(text, sizeof(text), "%s", name_of(members_[0].which, name));
    for (; next != 0 && used < 180; next = members_[next].from)
        used += std::snprintf(text + used, sizeof(text) - static_cast<std::size_t>(used), " -> %s",
                              name_of(members_[next].which, name));
    std::snprintf(text + used, sizeof(text) - static_cast<std::size_t>(used), " -> %s",
                  name_of(members_[0].which, name));
    return text;
}

[[noreturn]] void end_in(circle &found, const awaited &what) {
    // From now on other spaces take this one for none that waits. Relaxed: nothing else is told by
    // it.
    job::mine().self().is_about_to_end.store(1, std::memory_order_relaxed);
    char text[what_bytes];
    char path[300];
    name_wait(what, text);
    if (found.path(path) == nullptr)
        give_up("waits for %s: deadlock, every space of the job waits", text);
    give_up("waits for %s: deadlock, each of these waits for the next: %s", text, path);
}

} // namespace

std::uint32_t own_threads() {
    return platform::threads_but_idle([]() -> std::uint32_t {
        struct stat tasks;
        const unsigned others = watches_children() ? 1 : 0;
        // A directory's links: itself, its entry above, and each folder in it.
        if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink < 2 + others)
            return 0;
        return static_cast<std::uint32_t>(tasks.st_nlink) - 2 - others;
    });
}

void told_wait::tell(std::uint32_t expected) {
    const job &all = job::mine();
    const slot on = what_.who();
    if (record_ == nullptr) {
        record_ = take_record(all);
        if (record_ == nullptr)
            return;
        around_ = std::exchange(innermost, record_);
        if (around_ != nullptr)
            hide(*around_);
    }
    wait_record &r = *record_;
    if (r.kind.load(std::memory_order_relaxed) != what_.kind ||
        r.value.load(std::memory_order_relaxed) != expected ||
        r.on.load(std::memory_order_relaxed) != on) {
        begin_change(r);
        r.threads.store(0, std::memory_order_relaxed);
        r.value.store(expected, std::memory_order_relaxed);
        r.word.store(
            static_cast<std::uint64_t>(reinterpret_cast<char *>(&what_.word) - all.control()),
            std::memory_order_relaxed);
        r.on.store(on, std::memory_order_relaxed);
        r.of.store(what_.of != nullptr ? all.place_of(what_.of) : 0, std::memory_order_relaxed);
        r.page.store(what_.page, std::memory_order_relaxed);
        r.kind.store(what_.kind, std::memory_order_relaxed);
        end_change(r);
    }
    // Counted when others know that this one waits: so whoever is the last of the space's threads
    // to wait counts them all.
    const std::uint32_t threads = own_threads();
    // What a thread did before it ended comes before its absence from the count.
    std::atomic_thread_fence(std::memory_order_acquire);
    // Release pairs with the acquire in `read_wait`.
    r.threads.store(threads, std::memory_order_release);
}

told_wait::~told_wait() {
    if (record_ == nullptr)
        return;
    // Before anything that the thread does from now on: the first store that others wait for is a
    // release, and so is this one's version.
    begin_change(*record_);
    record_->kind.store(wait_kind::nothing, std::memory_order_relaxed);
    end_change(*record_);
    innermost = around_;
    // Release pairs with the acquire in `take_record`.
    record_->is_taken.store(0, std::memory_order_release);
}

void end_in_a_deadlock(const awaited &what) {
    const job &all = job::mine();
    // Ends that are waited for will come, when those end that wait for anything else.
    const bool may_wait_for_any = what.kind != wait_kind::end;
    circle before(all);
    if (!before.find(all, may_wait_for_any))
        return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    circle after(all);
    if (after.find(all, may_wait_for_any) && after == before)
        end_in(after, what);
}

} // namespace saguaro::spmc
