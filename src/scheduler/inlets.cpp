// SPDX-License-Identifier: MIT
// Queueing the parcels of children's results, and running a function's inlets one by one.
#include "scheduler/inlets.hpp"

#include "platform/arithmetic.hpp"
#include "platform/sanitizer.hpp"
#include "scheduler/deque.hpp"
#include "scheduler/full_frame.hpp"

#include <cstring>
#include <mutex>
#include <new>
#include <sched.h>

namespace saguaro::scheduler {

namespace {

parcel opened_mark;
parcel *const opened = &opened_mark;

constexpr std::size_t aligned(std::size_t bytes) {
    return platform::round_up(bytes, alignof(std::max_align_t));
}

// The oldest first.
parcel *reversed(parcel *newest) {
    parcel *oldest = nullptr;
    while (newest != nullptr) {
        parcel *const next = newest->older;
        newest->older = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

} // namespace

std::size_t parcel::bytes_of(const sg_site &site) {
    return sizeof(parcel) + aligned(site.argument_size) + site.result_size;
}

parcel *parcel::make(void *memory, const sg_frame *frame, std::uint32_t birth) {
    const sg_site &site = *frame->site;
    const std::size_t result_at = aligned(site.argument_size);
    parcel *const p = new (memory) parcel;
    p->inlet = site.inlet;
    p->birth = birth;
    p->result_bytes = site.result_size;
    p->result_at = result_at;
    if (site.argument_size != 0)
        std::memcpy(p->arguments(), reinterpret_cast<const char *>(frame) + site.argument_offset,
                    site.argument_size);
    return p;
}

void inlet_queue::run(parcel &p, const void *result) {
    // Relaxed: aborts are done by the function or its inlets, which is who runs this.
    if (p.birth == f_.aborts.load(std::memory_order_relaxed))
        p.inlet(f_.frame(), 1, p.arguments(), result);
}

bool inlet_queue::any_waits() const {
    // Sequentially consistent: see run_on. Acquire would do elsewhere.
    return used_ && first_.load(std::memory_order_seq_cst) != nullptr;
}

void inlet_queue::run_waiting() {
    while (any_waits()) {
        // Acquire: pairs with the release in `deliver`; the parcels are filled.
        parcel *p = reversed(first_.exchange(nullptr, std::memory_order_acquire));
        platform::take_over(this);
        while (p != nullptr) {
            const parcel_ptr done(p);
            p = p->older;
            run(*done, done->result());
        }
    }
}

void inlet_queue::open() {
    if (!used_)
        return;
    open_ = true;
    let_go();
}

void inlet_queue::let_go() {
    parcel *none;
    do {
        run_waiting();
        none = nullptr;
        platform::hand_over(this);
        // Release: what the function and its inlets have written is visible to the next inlet;
        // pairs with the acquires in `deliver` and `close`. After it the frame may be another's.
    } while (!first_.compare_exchange_strong(none, opened, std::memory_order_release,
                                             std::memory_order_relaxed));
}

void inlet_queue::close() {
    if (!open_)
        return;
    open_ = false;
    parcel *seen = opened;
    // Acquire: pairs with the release with which the last inlet's worker has opened it again.
    while (!first_.compare_exchange_weak(seen, nullptr, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
        seen = opened;
        sched_yield();
    }
    platform::take_over(this);
}

void inlet_queue::run_on(deque &d) {
    if (!used_)
        return;
    close();
    // Sequentially consistent, and so is the load that follows in any_waits: pairs with the
    // exchange and the load in `deliver`. Either this finds the parcel, or that finds this deque.
    runs_on_.store(&d, std::memory_order_seq_cst);
    run_waiting();
}

void inlet_queue::make_owner_ask() {
    deque *const d = runs_on_.load(std::memory_order_seq_cst);
    if (d == nullptr)
        return; // the frame was taken and has not gone on yet
    const std::lock_guard guard(d->lock);
    // The frame is there as long as its child has not arrived; the deque may run something else.
    if (d->origin == &f_)
        d->keep_asking();
}

void inlet_queue::deliver(parcel_ptr p, const void *result) {
    bool filled = false;
    // Relaxed: the exchanges order what matters.
    parcel *seen = first_.load(std::memory_order_relaxed);
    for (;;) {
        if (seen == opened) {
            // Acquire: pairs with `open`; the frame is complete.
            if (first_.compare_exchange_weak(seen, nullptr, std::memory_order_acquire,
                                             std::memory_order_relaxed))
                break;
            continue;
        }
        if (!filled && p->result_bytes != 0)
            std::memcpy(p->result(), result, p->result_bytes);
        filled = true;
        p->older = seen;
        platform::hand_over(this);
        // Release: pairs with the exchange in run_waiting. Sequentially consistent for run_on.
        if (first_.compare_exchange_weak(seen, p.get(), std::memory_order_seq_cst,
                                         std::memory_order_relaxed)) {
            p.release();
            make_owner_ask();
            return;
        }
    }
    platform::take_over(this);
    run(*p, result);
    let_go();
}

void run_inlets_of_origin(deque &d) {
    full_frame *f;
    {
        const std::lock_guard guard(d.lock);
        f = d.origin;
        // Relaxed: the owner reads its own stores.
        if (f == nullptr || __atomic_load_n(d.slots(), __ATOMIC_RELAXED) != f->frame() ||
            !f->inlets.any_waits())
            return;
        f->inlets_run = true;
    }
    const std::uint32_t before = f->aborts.load(std::memory_order_relaxed);
    f->inlets.run_waiting();
    const bool aborts = f->aborts.load(std::memory_order_relaxed) != before;
    const std::lock_guard guard(d.lock);
    f->inlets_run = false;
    f->child_aborted = f->child_aborted || aborts;
}

} // namespace saguaro::scheduler
