// SPDX-License-Identifier: MIT
// The SPA map (sparse accumulator): one page of pointers to views, with a log of the places in use.
// Sections 6 and 7 of the paper on memory-mapped reducers; README.md beside this file.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "saguaro/reducer.h"

namespace saguaro::hyperobjects {

inline constexpr std::size_t spa_elements = 248;
inline constexpr std::size_t spa_log_length = 120;
inline constexpr std::size_t spa_page_bytes = 4096;

// One place of a map. Empty: both pointers are null.
struct element {
    void *view;
    const sg_reducer *reducer;
};

// A zero-filled page is an empty map. A map belongs to one worker at a time (a private one to its
// worker for good, a public one to whoever holds the view set), so nothing here is atomic.
//
// The log names every place that is in use, in the order of first use. It may also name places
// that are empty again, and a place twice: `remove` does not search it. Walks skip what is empty.
class spa_map {
public:
    // Number of views, 0 to 248.
    std::size_t size() const { return views_; }

    // True if nothing was put in since the last reset; false may mean that all was removed again.
    bool untouched() const { return logs_ == 0; }

    // True if the log is full and walks look at all 248 places.
    bool log_gave_up() const { return logs_ == gave_up; }

    element &operator[](std::size_t index) { return elements_[index]; }
    const element &operator[](std::size_t index) const { return elements_[index]; }

    // Puts a view into the empty place `index`. Constant time.
    void insert(std::size_t index, void *view, const sg_reducer *reducer) {
        assert(elements_[index].view == nullptr && view != nullptr);
        elements_[index] = {view, reducer};
        ++views_;
        if (logs_ < spa_log_length)
            log_[logs_++] = static_cast<std::uint8_t>(index);
        else
            logs_ = gave_up;
    }

    // Empties the place `index`, which is in use. Constant time. A reducer that is created and
    // destroyed in turn leaves the log as it was; the last entry stays, so that a map that was
    // touched is known to be.
    void remove(std::size_t index) {
        assert(elements_[index].view != nullptr);
        elements_[index] = {};
        --views_;
        if (!log_gave_up() && logs_ > 1 && log_[logs_ - 1] == index)
            --logs_;
    }

    // Calls visit(index, element) for every view, in the order of the log, and leaves the map
    // empty: each place is cleared before its visit. Linear in the number of views while the log
    // holds, 248 steps after it gave up. `visit` must not touch this map.
    template <typename visitor>
    void drain(visitor &&visit) {
        if (log_gave_up())
            for (std::size_t index = 0; index < spa_elements; ++index)
                drain_one(index, visit);
        else
            for (std::size_t at = 0; at < logs_; ++at)
                drain_one(log_[at], visit);
        assert(views_ == 0);
        logs_ = 0;
    }

private:
    static constexpr std::uint32_t gave_up = spa_log_length + 1;

    template <typename visitor>
    void drain_one(std::size_t index, visitor &&visit) {
        const element taken = elements_[index];
        if (taken.view == nullptr)
            return;
        elements_[index] = {};
        --views_;
        visit(index, taken);
    }

    std::array<element, spa_elements> elements_;
    std::array<std::uint8_t, spa_log_length> log_;
    std::uint32_t views_;
    std::uint32_t logs_; // entries of the log, or `gave_up`
};

static_assert(sizeof(spa_map) == spa_page_bytes, "a SPA map is exactly one page");

} // namespace saguaro::hyperobjects
