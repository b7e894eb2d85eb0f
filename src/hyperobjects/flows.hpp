// SPDX-License-Identifier: MIT
// Flows that are no strands of a run and share kernel threads: virtual processors and nano-threads.
//
// Two of them that update one reducer at once would both write to its outside view, and updates
// would be lost without a word. So a thread that animates them sees a region of its own, in which
// there is never a view: each lookup comes here, where it is said whose the reducer is. Lookups of
// workers and of threads outside are as they were.
#pragma once

#include <cstdint>
#include <string>

#include "hyperobjects/region.hpp"
#include "platform/copy_table.hpp"
#include "saguaro/reducer.h"

namespace saguaro::hyperobjects {

// One kind of flows: a constant.
struct flows {
    const char *what; // "a nano-thread"
    // The flow that the calling thread animates, by a number that no other has which lives at the
    // same time; 0 if the thread animates none of this kind. It may have inherited the region from
    // one that does.
    std::uintptr_t (*current)();
    // The calling thread animates none of them until it brings back what this returns: it works for
    // a run, whose flows may leave the thread, or animates others.
    void *(*set_aside)();
    void (*bring_back)(void *);
};

// For the thread that saw `former` and sees another region from now on, and when it sees `former`
// again.
inline void *set_flow_aside(const region_head *former) {
    return former->kind != nullptr ? former->kind->set_aside() : nullptr;
}

inline void bring_flow_back(const region_head *former, void *aside) {
    if (former->kind != nullptr)
        former->kind->bring_back(aside);
}

// The region for the threads of one run of flows: 64 MB of addresses that can only be read, and one
// page of memory. Lives as long as these threads are attached.
class flows_region {
public:
    // Throws std::system_error if the system refuses.
    explicit flows_region(const flows &of);

    flows_region(const flows_region &) = delete;
    flows_region &operator=(const flows_region &) = delete;

    // Makes the calling thread see this region while it lives; then again what it saw before.
    class attachment {
    public:
        explicit attachment(const flows_region &to);
        ~attachment();

        attachment(const attachment &) = delete;
        attachment &operator=(const attachment &) = delete;

    private:
        const platform::other_copies_left in_no_other_run_;
        region_head *const former_;
        void *const aside_;
    };

private:
    region_addresses region_;
};

// The flow that the calling thread animates; 0 on workers and outside.
std::uintptr_t current_flow();

// "reducer total at 0x55d0 of saguaro::add<long>".
std::string description_of(const sg_reducer *reducer);

// A lookup on a thread without a `local`, of a reducer that lives: the view of the flow that has
// created it. Ends the program with a line that names the reducer if the caller is another flow.
void *view_of_flow(const sg_reducer *reducer);

} // namespace saguaro::hyperobjects
