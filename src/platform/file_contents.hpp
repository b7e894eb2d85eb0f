// SPDX-License-Identifier: MIT
// Reading a small file of the kernel's as a whole.
#pragma once

#include <string>

namespace saguaro::platform {

// All that the file has; empty if it cannot be read. Without streams, the first of which takes a
// process some 0.3 ms: what the start reads is read by this.
std::string contents_of(const std::string &path);

} // namespace saguaro::platform
