// SPDX-License-Identifier: MIT
// Virtual memory by the page. Addresses and sizes given to these functions are multiples of
// `page_size()`; a system call each, except `page_size`.
#pragma once

#include <cstddef>

namespace saguaro::platform {

// Bytes in a page: a power of two.
std::size_t page_size();

// `bytes` rounded up to whole pages.
std::size_t round_to_pages(std::size_t bytes);

// Maps `bytes` of zeros, readable and writable, private to the process. No memory is taken and no
// swap is set aside before a page is touched, and pages come one by one, never as huge pages: who
// touches one page of a region pays for that page. Null when the system gives no more (address
// space, RLIMIT_AS, vm.max_map_count).
void *reserve(std::size_t bytes);

// As `reserve`, at or above `floor` if the system has room there, anywhere otherwise. Where the
// system's own choice is below, which is rare, a system call for each mapping that is met above.
void *reserve_above(const void *floor, std::size_t bytes);

// The same, aligned to `alignment`, a power of two of at least a page.
void *reserve_aligned(std::size_t bytes, std::size_t alignment);

// From now on the system may give this memory of `reserve_aligned` by huge pages, where it has them
// for whoever asks: for memory that is going to be used from end to end. A page fault of a few
// microseconds for each 4 KB becomes one for each 2 MB.
void allow_huge_pages(void *p, std::size_t bytes);

// Gives back what `reserve` or `reserve_aligned` gave, or whole pages of it.
void release(void *p, std::size_t bytes);

// Makes every store to the pages a fault. False when the system refuses.
bool make_read_only(void *p, std::size_t bytes);

// Makes every access to the pages a fault. False when the system refuses: the call splits a
// mapping, and there may be no more of them.
bool protect_none(void *p, std::size_t bytes);

// The same for pages of memory of `reserve` that nobody has touched; in page tables alone where the
// kernel can do that (Linux 6.13, MADV_GUARD_INSTALL): then no mapping is split, and the number of
// guards is not limited by vm.max_map_count. `discard` leaves them as they are.
bool guard(void *p, std::size_t bytes);

// Whether `guard` splits no mappings on this system. Found out once, by trying.
bool light_guards();

// From now on `guard` does as on a kernel without light guards, or as the kernel can. For tests.
void forbid_light_guards(bool forbidden);

// Gives the memory behind the pages back; they stay mapped and read as zeros again.
void discard(void *p, std::size_t bytes);

} // namespace saguaro::platform
