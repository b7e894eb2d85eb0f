// SPDX-License-Identifier: MIT
// Pedigrees of what a thread enters.
#pragma once

namespace saguaro::cilk {

// Outside of the workers: what the calling thread spawns from now on has pedigrees, if the program
// asks for any (__cilkrts_get_pedigree). Before it enters.
void begin_pedigree();

} // namespace saguaro::cilk
