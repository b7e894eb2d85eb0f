// SPDX-License-Identifier: MIT
// Pedigrees of programs that ask for them by Cilk Plus's names.
#include "cilk/c_pedigree.hpp"

#include "saguaro/detail/cilk_library.h"
#include "saguaro/detail/strand_node.hpp"
#include "scheduler/next_number.hpp"
#include "scheduler/worker.hpp"

#include <atomic>
#include <cstddef>

namespace saguaro::cilk {

namespace {

// Programs read a node as a __cilkrts_pedigree: { rank, parent }.
static_assert(offsetof(detail::ancestor, birth) == 0 &&
              offsetof(detail::ancestor, parent) == sizeof(std::uint64_t));

std::atomic<bool> asked{false};

std::atomic<std::uint64_t> seed_of_numbers{0};

// Of all that the thread does outside of the workers, and of what it enters.
thread_local detail::ancestor root;

} // namespace

void begin_pedigree() {
    // Relaxed: the flag tells of nothing else; what a thread has begun before has no pedigrees.
    if (asked.load(std::memory_order_relaxed) && scheduler::current_worker() == nullptr &&
        detail::strand_node() == nullptr)
        detail::set_strand_node(&root);
}

} // namespace saguaro::cilk

using namespace saguaro;

extern "C" {

void sg_c_use_pedigrees(void) {
    // Relaxed: as where it is read.
    cilk::asked.store(true, std::memory_order_relaxed);
    cilk::begin_pedigree();
}

const void *sg_c_pedigree(unsigned long *rank) {
    cilk::begin_pedigree();
    const detail::ancestor *const self = detail::strand_node();
    *rank = self == nullptr ? 0 : self->rank;
    return self;
}

void sg_c_bump_rank(void) {
    cilk::begin_pedigree();
    if (detail::ancestor *const self = detail::strand_node())
        ++self->rank;
}

void sg_c_seed_numbers(unsigned long seed) {
    // Relaxed: the program has no strand ask for a number meanwhile.
    cilk::seed_of_numbers.store(seed, std::memory_order_relaxed);
}

unsigned long sg_c_number(void) {
    cilk::begin_pedigree();
    detail::ancestor *const self = detail::strand_node();
    // Relaxed: as above.
    return scheduler::next_number(self == nullptr ? cilk::root : *self,
                                  cilk::seed_of_numbers.load(std::memory_order_relaxed));
}
}
