// SPDX-License-Identifier: MIT
// The one way in which the library opens a file to write.
#pragma once

#include <cstdio>

namespace saguaro::platform {

enum class contents { kept, removed };

// Opens a file to write, and makes it if it is not there: for its owner alone, whatever the umask
// is. A symbolic link is refused (ELOOP), because another user may have put it there; only
// /dev/stdout, /dev/stderr and /dev/fd/N are those descriptors of the process, duplicated. An exec
// closes the descriptor. Returns it, or -1 and errno.
int open_output(const char *name, contents former);

// The same as a stream, which loses what the file contains. Null and errno.
std::FILE *open_output_stream(const char *name);

} // namespace saguaro::platform
