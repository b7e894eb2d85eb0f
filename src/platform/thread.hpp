// SPDX-License-Identifier: MIT
// What a thread may be told.
#pragma once

#include <string>
#include <thread>

namespace saguaro::platform {

// Lets the calling thread run on processor `cpu` only. False, and nothing changes, where the
// kernel refuses: no such processor, or one that the process may not use.
bool pin_to_cpu(int cpu);

// Names a running thread for ps, top, gdb and perf. Names are cut to 15 bytes, which is all that
// Linux keeps. Whoever starts a thread names it: then it has its name before anything waits for it.
void set_thread_name(std::thread &thread, const std::string &name);

} // namespace saguaro::platform
