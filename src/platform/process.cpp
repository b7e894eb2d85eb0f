// SPDX-License-Identifier: MIT
// Finding the C library's exit among the callers of a thread, and whether an object is static, and
// whose the program is.
#include "platform/process.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

// A program that is linked with -static has its own `exit` and nothing to look it up with.
#pragma weak dlsym

// Which object the code is in; the compiler's.
extern "C" [[gnu::visibility("hidden")]] void *__dso_handle;

// Of the C++ ABI; the header of libc++ leaves it out.
extern "C" int __cxa_atexit(void (*)(void *), void *, void *) noexcept;

namespace saguaro::platform {

namespace {

using function = void (*)(int);

// The C library's. Not just its name: that may be a stub of the program's that jumps there.
std::uintptr_t exit_of_the_c_library() {
    void *const found = &dlsym != nullptr ? dlsym(RTLD_NEXT, "exit") : nullptr;
    const function named = &std::exit;
    return found != nullptr ? reinterpret_cast<std::uintptr_t>(found)
                            : reinterpret_cast<std::uintptr_t>(named);
}

struct search {
    const std::uintptr_t wanted;
    bool found = false;
};

_Unwind_Reason_Code look_at_caller(_Unwind_Context *frame, void *argument) {
    auto &looking_for = *static_cast<search *>(argument);
    looking_for.found = _Unwind_GetRegionStart(frame) == looking_for.wanted;
    return looking_for.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// What the loader knows of one object, the program or a shared one.
class loaded_object {
public:
    explicit loaded_object(const dl_phdr_info &object) : object_(object) {}

    bool contains(std::uintptr_t address) const {
        return std::any_of(object_.dlpi_phdr, object_.dlpi_phdr + object_.dlpi_phnum,
                           [&](const ElfW(Phdr) & each) {
                               return each.p_type == PT_LOAD &&
                                      address - object_.dlpi_addr - each.p_vaddr < each.p_memsz;
                           });
    }

    // The names of the objects that it needs (DT_NEEDED), or its own (DT_SONAME): f(name) until it
    // returns true. Returns whether it did.
    template <class F>
    bool any_name(ElfW(Sxword) kind, F f) const {
        const ElfW(Dyn) *const entries = dynamic_entries();
        if (entries == nullptr)
            return false;
        const char *strings = nullptr;
        for (const ElfW(Dyn) *each = entries; each->d_tag != DT_NULL; ++each)
            if (each->d_tag == DT_STRTAB)
                strings = reinterpret_cast<const char *>(each->d_un.d_ptr);
        for (const ElfW(Dyn) *each = entries; strings != nullptr && each->d_tag != DT_NULL; ++each)
            if (each->d_tag == kind && f(strings + each->d_un.d_val))
                return true;
        return false;
    }

private:
    const ElfW(Dyn) * dynamic_entries() const {
        for (int i = 0; i < object_.dlpi_phnum; ++i)
            if (object_.dlpi_phdr[i].p_type == PT_DYNAMIC)
                return reinterpret_cast<const ElfW(Dyn) *>(object_.dlpi_addr +
                                                           object_.dlpi_phdr[i].p_vaddr);
        return nullptr;
    }

    const dl_phdr_info &object_;
};

// The first object is the program.
struct owner_search {
    const std::uintptr_t here;
    bool is_first = true;
    dl_phdr_info program{};
    bool is_the_programs = false;
};

int look_at_object(dl_phdr_info *info, std::size_t, void *argument) {
    auto &search = *static_cast<owner_search *>(argument);
    if (search.is_first)
        search.program = *info;
    const loaded_object object(*info);
    if (!object.contains(search.here)) {
        search.is_first = false;
        return 0;
    }
    const auto is_needed = [&](const char *own_name) {
        return loaded_object(search.program).any_name(DT_NEEDED, [&](const char *needed) {
            return std::strcmp(own_name, needed) == 0;
        });
    };
    search.is_the_programs = search.is_first || object.any_name(DT_SONAME, is_needed);
    return 1;
}

} // namespace

bool program_uses_this_library() noexcept {
    owner_search search{reinterpret_cast<std::uintptr_t>(&look_at_object)};
    dl_iterate_phdr(look_at_object, &search);
    return search.is_the_programs;
}

bool thread_is_exiting() noexcept {
    search for_exit{exit_of_the_c_library()};
    _Unwind_Backtrace(look_at_caller, &for_exit);
    return for_exit.found;
}

bool may_be_static(const void *address) noexcept {
#if __GLIBC_PREREQ(2, 35)
    dl_find_object found;
    return _dl_find_object(const_cast<void *>(address), &found) == 0;
#else
    return address != nullptr;
#endif
}

bool at_exit(void (*handler)(void *)) noexcept {
    return __cxa_atexit(handler, nullptr, &__dso_handle) == 0;
}

} // namespace saguaro::platform
