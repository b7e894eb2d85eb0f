// SPDX-License-Identifier: MIT
// Finding the caller on the stack, and naming it by the dynamic linker's tables.
#include "mpi/core/reports/call_sites.hpp"

#include <cstddef>
#include <cstdio>
#include <dlfcn.h>
#include <execinfo.h>

namespace saguaro::mpi {

const void *program_address() {
    void *frames[32];
    const int count = backtrace(frames, 32);
    Dl_info own{};
    dladdr(reinterpret_cast<const void *>(&program_address), &own);
    for (int i = 0; i < count; ++i) {
        Dl_info about{};
        if (dladdr(frames[i], &about) == 0 || about.dli_fbase != own.dli_fbase)
            return frames[i];
    }
    return nullptr;
}

std::string name_of_address(const void *address) {
    Dl_info about{};
    if (address == nullptr || dladdr(address, &about) == 0 || about.dli_fname == nullptr)
        return "the program";
    char offset[32];
    std::snprintf(offset, sizeof(offset), "+0x%zx",
                  static_cast<std::size_t>(static_cast<const char *>(address) -
                                           static_cast<const char *>(about.dli_fbase)));
    const std::string file = about.dli_fname;
    std::string text = file.substr(file.rfind('/') + 1) + offset;
    if (about.dli_sname != nullptr)
        text += std::string(" (") + about.dli_sname + ")";
    return text;
}

} // namespace saguaro::mpi
