// SPDX-License-Identifier: MIT
// Shadow page tables: where they come from, and when they and their pages are free again.
#pragma once

#include "spmc/job.hpp"
#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::spmc {

// A table of so many pages that nobody has touched, produced by this space: one reference, one
// producer. Null when the control area, or the file, has no more room. It costs 64 bytes, and 8 for
// each page when the page is touched; a table of at most 8 pages takes them at once.
table *new_table(job &all, std::uint64_t pages);

// One more user of the table, which the caller is itself, or knows to be one.
void retain(table &of);

// One user less. The last one gives back the pages, and the tables that they were expanded to.
void release(job &all, table &of);

// Leaves pages of tables, which were just mapped, out of the copies that others make of this
// space's memory. A child of a fork has no regions, and its channels have ends of its own. Writing
// a core would read every page, and so give memory to those that nobody has touched. Cannot fail.
void keep_out_of_copies(void *begin, std::size_t bytes);

// The kind of a page, and the table that an extended one was expanded to.
std::uint32_t kind_of(const entry &e);
table *expansion_of(job &all, const entry &e);

// What `entry::other` holds for an expansion.
std::uint32_t tagged(const job &all, const table &expansion);

// The slot of the space that produces the page, or did so last.
slot producer_of(const table &of, const entry &e);

// Whether nobody is left who could fix the page.
bool is_given_up(const table &of, const entry &e);

} // namespace saguaro::spmc
