// SPDX-License-Identifier: MIT
//
// Reducers the way Cilk++ and Cilk Plus had them: each strand has a hash table, the hypermap, from
// the address of a reducer to the strand's view (the reducers paper, section 3). What
// memory-mapped reducers are measured against, in the same program, under the same scheduler.
//
//     strand --- strand_views (one memory-mapped reducer) ---> hypermap --- hash of address --->
//     view
//
// The views of a strand must travel with the strand. So one memory-mapped reducer has the whole
// table as its view:
//
//     Cilk Plus                               here
//     worker -> its current hypermap          the lookup of strand_views: two loads and a branch
//     look up the reducer's address           hypermap::find, inline
//     a miss makes a view and inserts it      hypermap_reducer::miss
//     transferal: a pointer to the map        transferal of the one view of strand_views
//     hypermerge: walk one, look up in other  the monoid of strand_views: hypermap::merge
//
// Nothing of what is compared is done by a SPA map but the first line, for which Cilk Plus loads
// the worker from thread-local storage and the map from the worker: the same two loads.
//
// The table is better than Cilk Plus's: there a bucket is a small array on the heap, found with
// three shifts and looked through by a function that is not inlined. Here it is one array that is
// probed linearly, at most half full, with a multiplicative hash, all of it inline.
#pragma once

#include <hyperobjects/times.hpp>
#include <saguaro/reducer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace saguaro::bench {

class hypermap;

/// What a hypermap knows of a reducer: its address is the key, and how its views are joined.
class hypermap_key {
public:
    hypermap_key(const hypermap_key &) = delete;
    hypermap_key &operator=(const hypermap_key &) = delete;

protected:
    hypermap_key() = default;
    ~hypermap_key() = default;

private:
    friend class hypermap;

    /// left = left (x) right; `right` is then freed.
    virtual void reduce(void *left, void *right) const = 0;
};

/// What the views of a strand took, by the clock that the runtime uses for its own; kept while
/// hypermap::timed is set.
struct hypermap_times {
    hyperobjects::account creation;
    hyperobjects::account insertion;
};

/// The views of one strand. Whoever executes the strand uses it, nobody else.
class hypermap {
public:
    hypermap() = default;
    /// The views must have been taken out.
    ~hypermap() = default;
    hypermap(hypermap &&from) noexcept { swap(from); }
    hypermap &operator=(hypermap &&from) noexcept {
        swap(from);
        return *this;
    }

    /// The view of the reducer; null if there is none.
    void *find(const hypermap_key *key) const {
        for (std::size_t at = home(key);; at = (at + 1) & mask) {
            const entry &here = table[at];
            if (here.key == key) [[likely]]
                return here.view;
            if (here.key == nullptr)
                return nullptr;
        }
    }

    /// Puts in the view of a reducer that has none. Throws std::bad_alloc; nothing has changed
    /// then.
    void insert(const hypermap_key *key, void *view);

    /// Takes out the view of a reducer that has one, and returns it.
    void *remove(const hypermap_key *key);

    /// this = this (x) later: walks the table with fewer views and looks each up in the other.
    /// `later` is empty afterwards.
    void merge(hypermap &later);

    std::size_t size() const { return used; }

    /// Of this strand and all that were merged into it.
    hypermap_times times;

    /// Whether times are kept. Changed only while no strand runs.
    static inline bool timed = false;

    /// Views that the thread has made meanwhile.
    static inline thread_local std::uint64_t made = 0;

private:
    struct entry {
        const hypermap_key *key;
        void *view;
    };

    /// Fibonacci hashing: the high bits of the product depend on all bits of the address.
    std::size_t home(const hypermap_key *key) const {
        return (reinterpret_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15U) >> shift;
    }

    std::size_t slot_for(const hypermap_key *key) const;
    void grow();
    void walk_into(hypermap &other, bool other_is_later);
    void swap(hypermap &other) noexcept;

    /// What an empty map looks at, so that a lookup need not ask whether there is a table.
    static inline entry nothing[2];

    entry *table = nothing;
    std::size_t mask = 1;
    unsigned shift = 63;
    std::size_t used = 0;
    std::unique_ptr<entry[]> memory;
};

struct hypermap_monoid {
    using value_type = hypermap;
    hypermap identity() const { return {}; }
    void reduce(hypermap &left, hypermap &&right) const { left.merge(right); }
};

/// The calling strand's hypermap; outside, the one that the next run goes on with.
inline reducer<hypermap_monoid> strand_views;

/// As saguaro::reducer, for a monoid without a state. Made and destroyed outside of any run, or by
/// one and the same strand.
template <monoid M>
class hypermap_reducer : hypermap_key {
public:
    using value_type = typename M::value_type;

    hypermap_reducer() { miss(*strand_views); }
    ~hypermap_reducer() { delete static_cast<value_type *>(strand_views->remove(this)); }

    /// The current strand's view; a reference is good until the next spawn or sync.
    value_type &view() {
        hypermap &views = *strand_views;
        void *found = views.find(this);
        if (found == nullptr) [[unlikely]]
            found = miss(views);
        return *static_cast<value_type *>(found);
    }
    value_type &operator*() { return view(); }

private:
    [[gnu::noinline]] void *miss(hypermap &views) {
        using namespace hyperobjects;
        lap_timer timer(hypermap::timed && hypermap::made++ % views_a_sample == 0, views_a_sample);
        auto made = std::make_unique<value_type>(M().identity());
        timer.charge(views.times.creation);
        views.insert(this, made.get());
        timer.charge(views.times.insertion);
        return made.release();
    }

    void reduce(void *left, void *right) const override {
        std::unique_ptr<value_type> gone(static_cast<value_type *>(right));
        M().reduce(*static_cast<value_type *>(left), std::move(*gone));
    }
};

} // namespace saguaro::bench
