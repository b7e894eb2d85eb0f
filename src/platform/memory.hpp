// SPDX-License-Identifier: MIT
// Virtual memory by the page. Addresses and sizes given to these functions are multiples of
// `page_size()` where nothing else is said. A system call each or a few, except `page_size`.
#pragma once

#include <cstddef>
#include <optional>

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

// The same, aligned to `alignment`, a power of two of at least a page.
void *reserve_aligned(std::size_t bytes, std::size_t alignment);

// ---- Addresses without memory ----
//
// What `reserve` gives costs memory as soon as a process locks its memory (mlockall), and counts as
// used where the system keeps strict account (vm.overcommit_memory=2, RLIMIT_DATA). These functions
// give addresses that nobody may touch and that cost nothing anywhere; what is to be used of them
// is committed first.

// Addresses. Null as of `reserve`. A process that locks its memory has them neither in memory nor
// counted as locked.
void *reserve_addresses(std::size_t bytes);

// The same, of which the first `committed` bytes are committed: with fewer calls than by `commit`.
void *reserve_partly(std::size_t bytes, std::size_t committed);

// The same as `reserve_addresses`, aligned to `alignment`, a power of two of at least a page.
void *reserve_aligned_addresses(std::size_t bytes, std::size_t alignment);

// Makes the whole pages among these bytes of an object of zeros, which nobody has touched,
// addresses, which can still be read. Nothing changes where the system refuses.
void make_addresses(void *p, std::size_t bytes);

// From now on the pages that have any of these bytes are zeros to be read and written, and so are
// those of `reserve`; what was committed already stays as it is. A process that locks its memory
// gets them as they are touched, and keeps them. False when the system refuses.
bool commit(void *p, std::size_t bytes);

// Whether memory costs something before it is touched: the process locks all that it maps, or there
// is a bound on what it may map for writing. Some microseconds.
bool untouched_memory_costs();

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

// How many of the pages are in memory. Nothing where the system does not tell.
std::optional<std::size_t> pages_present(void *p, std::size_t bytes);

// Gives the memory behind the pages back; they stay mapped and read as zeros again.
void discard(void *p, std::size_t bytes);

} // namespace saguaro::platform
