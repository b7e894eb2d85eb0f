// SPDX-License-Identifier: MIT
// The table of the copies of the library in a process, and leaving another copy's run for a while.
//
// A copy that is loaded finds the others by a note in each object (`dl_iterate_phdr`), whatever
// names are visible to it, and enters itself in a page that none of them owns and none unmaps. What
// is in the page has one layout for all versions of the library that have its number. README.md,
// "Several copies in one process", has the rules.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <link.h>

namespace saguaro::platform {

// A signal handler of one copy's, and the one that was there before. Another copy whose handler
// that is replaces it by its own former one when it is unloaded. Relaxed: written under the
// loader's lock; a signal that comes meanwhile is handed to either.
struct chained_handler {
    std::atomic<void *> ours; // null: none is installed
    std::atomic<void *> former;
    std::atomic<int> former_flags; // SA_SIGINFO, or 0
    std::atomic<int> number;       // of the signal
};

// One copy. What another copy may read of it stays readable when the copy is unloaded.
struct copy_slot {
    // Odd while a copy has it. Another number for each that does.
    std::atomic<std::uint32_t> generation;
    // How many of the copy's own threads compute, less those of the program's in its runs that do
    // not. Relaxed, as the two below: hints.
    std::atomic<int> awake;
    // Where each thread's pointer to what it sees of the copy is, from the thread pointer, and its
    // value on a thread that is in no run of the copy's. Relaxed: written while generation is even.
    std::atomic<std::ptrdiff_t> pointer_at;
    std::atomic<void *> outside;
    // How many threads are in runs of the copy's, and how many of the threads that are have left it
    // for a run of another's.
    std::atomic<int> inside, away;
    chained_handler handlers[4];
};

struct copy_table {
    static constexpr std::size_t most = 31;

    std::atomic<std::uint32_t> used; // how many slots
    char for_later[124];
    copy_slot slots[most];
};
static_assert(sizeof(copy_slot) == 128 && sizeof(copy_table) == 4096);

// This copy's table; null before it has entered itself, or where there was no memory. Hidden, as
// all that a copy knows of itself.
[[gnu::visibility("hidden")]] extern constinit std::atomic<copy_table *> the_copies;

// How many threads are in a run of this copy's, and work for another copy meanwhile. A hint.
int threads_away() noexcept;

// How many threads compute for all other copies. A hint. A load and a branch where there is none.
int threads_of_other_copies() noexcept;

// What other copies are to read of this one: see copy_slot::awake.
void tell_other_copies(int awake) noexcept;

// In the child of a fork: none.
void forget_threads() noexcept;

// A place in the table for a handler of this copy's that is about to be installed. Null: there is
// none. Under the loader's lock.
chained_handler *place_for_handler() noexcept;

// The handler `gone` is about to be unloaded, and another one has been installed since: takes it
// out of the chain if that is in the table. False: it is not. By its copy, under the loader's lock.
bool leave_chain(const chained_handler &gone) noexcept;

// Calls f() under the loader's lock, which is recursive: no other copy is in such a call, and none
// is loaded or unloaded.
template <class F>
void under_loader_lock(F f) noexcept {
    const auto call_once = [](dl_phdr_info *, std::size_t, void *argument) {
        (*static_cast<F *>(argument))();
        return 1;
    };
    dl_iterate_phdr(call_once, &f);
}

// Enters this copy in the table: `pointer` is the calling thread's pointer to what it sees of the
// copy, `outside` its value outside of any run. Once, while the copy is loaded. A copy that finds
// the table full, or has no memory for it, knows of no others.
void enter_copy_table(void **pointer, void *outside) noexcept;

// When the copy is unloaded, or the process ends: other threads may be in its runs then.
void leave_copy_table() noexcept;

// As long as one lives, the thread that made it is in no run of another copy: that one's functions
// take it for a thread of the program's, and enter as such. Otherwise they would push frames of a
// flow that does not run on this stack, and could go on with another flow in the middle of it. By
// the thread that is about to run flows of this copy's on itself; the same thread destroys it. Two
// loads in a process with one copy.
class other_copies_left {
public:
    other_copies_left() noexcept {
        // Relaxed: the thread is in a run of another copy only if it has loaded that before, or
        // been told of it.
        copy_table *const table = the_copies.load(std::memory_order_relaxed);
        if (table != nullptr && table->used.load(std::memory_order_relaxed) > 1) [[unlikely]]
            leave(*table);
    }
    ~other_copies_left() {
        if (is_counted_) [[unlikely]]
            come_back();
    }
    other_copies_left(const other_copies_left &) = delete;
    other_copies_left &operator=(const other_copies_left &) = delete;

private:
    void leave(copy_table &copies) noexcept;
    void come_back() noexcept;

    copy_slot *left_ = nullptr; // null: the thread was in no run
    void *seen_ = nullptr;      // there
    bool is_counted_ = false;
};

} // namespace saguaro::platform
