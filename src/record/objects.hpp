// SPDX-License-Identifier: MIT
// The objects that footprints lie in, by address.
#pragma once

#include "record/file.hpp"

#include <cstdint>
#include <map>

namespace saguaro::record {

struct object {
    std::uintptr_t begin;
    std::uintptr_t end;
    layout how;
    int node; // if it is on one
    // In which recording of the process it has a number, and the number.
    unsigned recording = 0;
    std::uint64_t id = 0;
};

// Objects do not overlap.
class objects {
public:
    // Calls gone(object) for each that the new one replaces.
    template <class Gone>
    object &add(const object &fresh, Gone gone) {
        remove_between(fresh.begin, fresh.end, gone);
        return by_end_.insert_or_assign(fresh.end, fresh).first->second;
    }

    // Null: the address is in none.
    object *at(std::uintptr_t address) {
        const auto found = by_end_.upper_bound(address);
        return found != by_end_.end() && found->second.begin <= address ? &found->second : nullptr;
    }

    // All that have a byte of [begin, end).
    template <class Gone>
    void remove_between(std::uintptr_t begin, std::uintptr_t end, Gone gone) {
        for (auto next = by_end_.upper_bound(begin);
             next != by_end_.end() && next->second.begin < end; next = by_end_.erase(next))
            gone(next->second);
    }

private:
    std::map<std::uintptr_t, object> by_end_; // by its end, which is not in it
};

} // namespace saguaro::record
