// SPDX-License-Identifier: MIT
// Keeping the serially first of several exceptions, and throwing it again.
#include "saguaro/detail/first_error.hpp"

#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "platform/spin_lock.hpp"
#include "platform/thread.hpp"

#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace saguaro::detail {

struct first_error::record {
    platform::spin_lock lock;
    std::uint64_t key = std::numeric_limits<std::uint64_t>::max();
    std::exception_ptr error;
};

std::exception_ptr caught_error() noexcept {
    std::exception_ptr error = std::current_exception();
    if (error == nullptr)
        platform::abort_with_thread("task");
    return error;
}

void first_error::offer(std::uint64_t key, std::exception_ptr error) noexcept {
    platform::hand_over(this); // the exception: who offers another may drop it
    // Acquire: pairs with the exchange below; the record is built.
    record *kept = kept_.load(std::memory_order_acquire);
    if (kept == nullptr) {
        std::unique_ptr<record> fresh(new (std::nothrow) record);
        if (fresh == nullptr)
            platform::end_without_memory("an exception that leaves a strand");
        // Release and acquire: whoever loses finds the winner's record built.
        if (kept_.compare_exchange_strong(kept, fresh.get(), std::memory_order_acq_rel))
            kept = fresh.release();
    }
    const std::lock_guard guard(kept->lock);
    platform::take_over(this);
    if (kept->error == nullptr || key < kept->key) {
        std::swap(kept->error, error);
        kept->key = key;
    }
    // What was dropped dies with the parameter, after the lock.
}

void first_error::drop() {
    delete kept_.exchange(nullptr, std::memory_order_relaxed);
}

void first_error::throw_kept() {
    // Relaxed: see any().
    const std::unique_ptr<record> kept(kept_.exchange(nullptr, std::memory_order_relaxed));
    std::rethrow_exception(std::move(kept->error));
}

} // namespace saguaro::detail
