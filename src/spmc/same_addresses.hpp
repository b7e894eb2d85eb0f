// SPDX-License-Identifier: MIT
// Programs whose spaces have the same addresses in each run.
#pragma once

namespace saguaro::spmc {

// Begins the program anew without the randomisation of addresses, which every fork of it inherits:
// README.md, "The same addresses". Called before anything that the program does itself. Returns if
// the program has no randomisation, does not use spaces, wants to keep the randomisation, or cannot
// be begun anew. 1 ms if it does not return.
void begin_without_randomisation(char **arguments, char **environment);

} // namespace saguaro::spmc
