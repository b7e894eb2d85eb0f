// SPDX-License-Identifier: MIT
// A window as an object: its memory at each rank, the synchronization that is under way, and the
// operations that wait for it. Ranks are those of the window's group.
#pragma once

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/objects/attributes.hpp"
#include "mpi/core/windows/memory.hpp"
#include "mpi/core/windows/operation.hpp"
#include "mpi/core/windows/shared.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace saguaro::mpi {

enum class lock_state : std::uint8_t { none, shared, exclusive };

struct win_object {
    win handle = win::null;
    int flavor = 0;
    comm_object *on = nullptr; // of the window's own: its contexts
    shared_records records;
    std::vector<target_memory> targets;

    // Memory of the control area that this rank gives back.
    std::vector<block *> blocks;

    // What MPI_Win_get_attr points to.
    void *base = nullptr;
    std::intptr_t size = 0;
    int unit = 1;
    int model = abi::win_unified;

    std::map<std::uintptr_t, std::int64_t> attached; // the memory of a dynamic window: bytes

    errhandler handler = errhandler::null; // the program has set none: MPI_COMM_WORLD's serves
    std::string name;
    attribute_list attributes;
    info_list hints;

    // ---- Synchronization ----

    bool is_fenced = false;   // a fence has begun an epoch
    bool has_started = false; // MPI_Win_start has
    std::vector<int> started; // its targets,
    std::vector<int> rivals;  // and all others that they let in
    // The receives of what origins say at their end, in an epoch of MPI_Win_post.
    std::vector<std::unique_ptr<request_object>> posted;
    bool is_exposed = false;
    std::vector<lock_state> locks; // of this rank at each target
    bool has_locked_all = false;
    int held = 0;         // how many of these, if not all
    int held_nowhere = 0; // locks at MPI_PROC_NULL

    std::deque<operation> pending; // in the program's order

    int ranks() const { return on->size(); }
    int me() const { return on->rank; }
    bool is_passive() const { return has_locked_all || held != 0 || held_nowhere != 0; }
    // Whether operations at a target may be called.
    bool may_access(int target) const {
        if (is_passive())
            return locks[static_cast<std::size_t>(target)] != lock_state::none;
        if (!has_started)
            return is_fenced;
        for (const int t : started)
            if (t == target)
                return true;
        return false;
    }
};

// The object of a handle; null if there is none.
win_object *find(win which);

} // namespace saguaro::mpi
