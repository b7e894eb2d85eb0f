// SPDX-License-Identifier: MIT
// An access that the memory system has refused, to a page that is not there yet, or not for this.
#pragma once

namespace saguaro::spmc {

// Makes this process handle such faults. Others go on to whoever handled them before. Called again
// it does nothing.
void handle_faults();

} // namespace saguaro::spmc
