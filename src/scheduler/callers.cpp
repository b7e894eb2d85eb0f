// SPDX-License-Identifier: MIT
// Finding a worker for a thread that enters, and making one.
#include "scheduler/callers.hpp"

#include "numa/near.hpp"
#include "scheduler/runtime.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

namespace saguaro::scheduler {

namespace {

// Which of them the thread had last: its memory is near.
[[gnu::tls_model("initial-exec")]] constinit thread_local unsigned last_taken = 0;

[[noreturn]] void end_without_memory(unsigned inside) {
    std::fprintf(stderr, "saguaro: no memory for thread %u that runs something at the same time\n",
                 inside);
    std::_Exit(2);
}

} // namespace

callers::~callers() {
    for (unsigned i = 0; i < others(); ++i)
        delete other_at(i);
    for (const std::atomic<std::atomic<worker *> *> &row : table_)
        delete[] row.load(std::memory_order_relaxed); // one thread is left
}

callers::place callers::place_of(unsigned i) {
    const auto row = static_cast<unsigned>(std::bit_width(i / first_row + 1)) - 1;
    return {row, i - first_row * ((1U << row) - 1)};
}

worker *callers::other_at(unsigned i) const {
    const place p = place_of(i);
    // Acquire, both: pair with the releases in `make`; the row, and the worker, are built.
    std::atomic<worker *> *const row = table_[p.row].load(std::memory_order_acquire);
    return row == nullptr ? nullptr : row[p.column].load(std::memory_order_acquire);
}

worker &callers::take(bool alone) {
    if (alone && try_take(*first_)) [[likely]]
        return *first_;
    if (last_taken <= others()) // by this runtime's table: another's may have been longer
        if (worker *const w = at(last_taken); w != nullptr && try_take(*w))
            return *w;
    if (worker *const w = take_any())
        return *w;
    if (worker *const w = try_make())
        return *w;
    end_without_memory(others() + 1);
}

worker *callers::take_for_good() {
    for (unsigned i = 0; i < others(); ++i)
        if (worker *const w = other_at(i); w != nullptr && try_take(*w))
            return w;
    return try_make();
}

// One whose memory is on the thread's node, if there is one.
worker *callers::take_any() {
    const unsigned here = numa::node_index_here();
    for (const bool near : {true, false})
        for (unsigned i = 0; i <= others(); ++i) {
            worker *const w = at(i);
            if (w == nullptr || w->is_taken.load(std::memory_order_relaxed))
                continue; // a hint
            // Relaxed: a hint as well; begin_working moves the memory.
            if (near && w->node.load(std::memory_order_relaxed) != here)
                continue;
            if (try_take(*w)) {
                last_taken = i;
                return w;
            }
        }
    return nullptr;
}

// Null: there is no memory. No lock is held: memory may come from the program's own operator new.
worker *callers::try_make() {
    // Relaxed: the place is this thread's alone.
    const unsigned i = others_.fetch_add(1, std::memory_order_relaxed);
    const place p = place_of(i);
    try {
        std::atomic<std::atomic<worker *> *> &row = table_[p.row];
        std::atomic<worker *> *there = row.load(std::memory_order_acquire);
        if (there == nullptr) {
            auto mine = std::make_unique<std::atomic<worker *>[]>(first_row << p.row);
            // Release: pairs with the acquire in other_at. Acquire: the row is another thread's.
            if (row.compare_exchange_strong(there, mine.get(), std::memory_order_acq_rel))
                there = mine.release();
        }
        auto made = std::make_unique<worker>(rt_, workers_ + i);
        numa::bring(made.get(), sizeof(worker), numa::node_index_here());
        made->is_taken.store(true, std::memory_order_relaxed);
        last_taken = i + 1;
        // Release: pairs with other_at.
        there[p.column].store(made.get(), std::memory_order_release);
        return made.release();
    } catch (const std::exception &) {
        return nullptr; // and nothing is ever at that place
    }
}

} // namespace saguaro::scheduler
