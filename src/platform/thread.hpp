// SPDX-License-Identifier: MIT
// What the calling thread may be told about itself.
#pragma once

#include <string>

namespace saguaro::platform {

// Lets the calling thread run on processor `cpu` only. False, and nothing changes, where the
// kernel refuses: no such processor, or one that the process may not use.
bool pin_to_cpu(int cpu);

// Names the calling thread for ps, top, gdb and perf. Names are cut to 15 bytes, which is all that
// Linux keeps.
void set_thread_name(const std::string &name);

} // namespace saguaro::platform
