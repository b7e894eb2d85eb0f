// SPDX-License-Identifier: MIT
// Inlets: what a C function does with the results of its children, one after the other, and never
// while the function itself is between two of its spawns and syncs. inlets.md has
// the protocol.
#pragma once

#include "saguaro/detail/frame.h"
#include "scheduler/steal_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace saguaro::scheduler {

struct deque;
struct full_frame;

// What the inlet of one spawn needs: made when the child becomes a strand, so that nothing can fail
// when it ends. The inlet's other arguments and room for the result follow it in memory.
struct alignas(alignof(std::max_align_t)) parcel : in_steal_memory {
    // The bytes of a parcel for `site`, which has an inlet.
    static std::size_t bytes_of(const sg_site &site);
    // Copies the arguments from `frame`, whose site has an inlet, to a parcel in `memory`, which is
    // bytes_of the site and from take_near.
    static parcel *make(void *memory, const sg_frame *frame, std::uint32_t birth);

    char *arguments() { return reinterpret_cast<char *>(this + 1); }
    char *result() { return arguments() + result_at; }

    parcel *older = nullptr; // in the queue
    sg_inlet inlet = nullptr;
    std::uint32_t birth = 0; // how often the parent had aborted its children before
    std::uint32_t result_bytes = 0;
    std::size_t result_at = 0;
};

using parcel_ptr = std::unique_ptr<parcel>;

// One function's inlets. While the function runs, or waits to run, they queue, and it runs them at
// its own spawns and syncs; while it is suspended they run where the children end, one at a time.
class inlet_queue {
public:
    explicit inlet_queue(full_frame &owner) : f_(owner) {}
    inlet_queue(const inlet_queue &) = delete;
    inlet_queue &operator=(const inlet_queue &) = delete;

    // From now on there may be children with inlets. By who has the frame, before it is passed on.
    void use() {
        if (!used_) // later its children read it
            used_ = true;
    }

    // The function is about to be suspended with its frame complete: runs what waits, then lets
    // children run their own.
    void open();

    // The function, suspended before, is about to go on or its frame to be written: waits for an
    // inlet that runs now. Nothing if it is closed already.
    void close();

    // The function goes on on `d`, whose next pops shall ask if a parcel comes. Runs what waits.
    void run_on(deque &d);

    // A child has ended with `result`: runs its inlet, or leaves it to the function.
    void deliver(parcel_ptr p, const void *result);

    // Runs what waits: the function's own worker, at one of its spawns.
    void run_waiting();

    bool any_waits() const;

private:
    void run(parcel &p, const void *result);
    void let_go();
    void make_owner_ask();

    full_frame &f_;
    // Null: the function has the inlets, none waits; `opened`: it is suspended, and no inlet runs;
    // else those that wait, newest first.
    std::atomic<parcel *> first_{nullptr};
    // The deque on which the function went on last.
    std::atomic<deque *> runs_on_{nullptr};
    bool used_ = false;
    bool open_ = false; // the owner's own: it has left the inlets to the children
};

// A flow on `d` asks, in a child of the function that runs at the bottom of `d`: if that function
// waits in its spawn for this very flow, its inlets run now. The lock is not held.
void run_inlets_of_origin(deque &d);

} // namespace saguaro::scheduler
