// SPDX-License-Identifier: MIT
// One look at each rank that has not called MPI_Init yet, at times that double, and at its end.
#include "library_check.hpp"

#include "libraries.hpp"
#include "rank_notes.hpp"

#include <utility>

namespace saguaro::detmpiexec {

void library_check::look() {
    const std::int64_t waited = due_ - started_;
    due_ = never;
    last_seen_.resize(ranks_.count());
    for (std::size_t i = 0; i < ranks_.count(); ++i) {
        const std::size_t rank = ranks_.rank_of(i);
        const rank_process &process = ranks_.of(rank);
        if (!process.lives ||
            world_.rank(static_cast<std::uint32_t>(rank)).life.load(std::memory_order_relaxed) !=
                mpi::life::outside)
            continue;
        due_ = started_ + 2 * waited;
        const std::string other = other_library_of(process.pid);
        const std::string before = std::exchange(last_seen_[i], other);
        if (other.empty() || other != before || end_.exit_code() != 0)
            continue;
        fail(rank, other);
    }
}

void library_check::rank_ended(std::size_t rank, std::uint32_t life) {
    if (life != mpi::life::outside || end_.exit_code() != 0)
        return;
    if (const std::string other = noted_library(rank); !other.empty())
        fail(rank, other);
}

void library_check::fail(std::size_t rank, const std::string &other) {
    end_.fail(1, ranks_.of(rank).what.command.front() + ": rank " + std::to_string(rank) +
                     " has loaded another MPI library, " + other +
                     ", and does not know the other ranks");
}

} // namespace saguaro::detmpiexec
