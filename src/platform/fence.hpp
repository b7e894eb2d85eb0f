// SPDX-License-Identifier: MIT
// The asymmetric fence: the side that runs often pays nothing, the side that runs seldom pays for
// both.
//
// The owner of a deque and a thief each store one word and then load the other's:
//
//     owner                          thief
//     tail = t                       head = h
//     light_fence()                  heavy_fence()
//     read head                      read tail
//
// It must not happen that both read the old value, or both would take the same frame. Processors
// let a load pass an older store (x86 does so in its store buffer, and it is the only reordering
// that x86 has), so ordinarily each side needs a full fence, 5 ns and more, between its store and
// its load.
//
// membarrier(PRIVATE_EXPEDITED) makes every processor that runs a thread of this process execute a
// full fence at some point between the call's begin and its return. If the owner's light fence
// (which keeps the compiler, and nobody else, from reordering) comes before that point, the
// owner's store is visible when the thief reads the tail; if it comes after, the owner's load
// comes after that point too and sees the thief's store. Either way one of the two sees the other.
// A thread that is not running passed a full fence when it was taken off its processor.
#pragma once

#include <atomic>

namespace saguaro::platform {

// Chooses the kind of fence for this process. Registers for membarrier if `allow_membarrier` and
// returns whether the kernel has it; if not, and in the generic port, the light side must be a real
// fence as well. Call it before the first fence, while no other thread uses them; calling again
// chooses again.
//
// The registration belongs to the address space: fork() hands it to the child (seen on Linux 6),
// exec ends it.
bool fence_init(bool allow_membarrier);

// What the last `fence_init` returned. False before.
bool fence_is_asymmetric();

// The fence of the side that runs seldom. 0.4 µs alone, 1.3 µs with a running peer; without
// membarrier a sequentially consistent fence, some 5 ns.
void heavy_fence();

// The fence of the side that runs often: keeps the compiler from moving memory accesses across and
// costs no instruction. Pairs with `heavy_fence` only if `fence_is_asymmetric()`; otherwise the
// caller puts `real_fence()` in its place.
inline void light_fence() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

// A full fence of the calling processor.
void real_fence();

} // namespace saguaro::platform
