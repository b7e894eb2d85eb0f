// SPDX-License-Identifier: MIT
// Finding out whether a program uses spaces, and executing it again without randomisation.
#include "spmc/same_addresses.hpp"

#include "platform/settings.hpp"
#include "spmc/lines.hpp"
#include "spmc/variables.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <iterator>
#include <link.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace saguaro::spmc {

namespace {

// What a program of spaces calls: all that spmc.h declares, and what makes that which the functions
// of channels and collectives take.
constexpr const char *functions[] = {"spmc_alloc",
                                     "spmc_copy_consumer",
                                     "spmc_extend",
                                     "spmc_fix",
                                     "spmc_free",
                                     "spmc_space_create",
                                     "spmc_space_exec",
                                     "spmc_space_parent",
                                     "spmc_space_self",
                                     "spmc_space_wait",
                                     "spmc_transfer_ownership",
                                     "sg_channel_create",
                                     "sg_team_create",
                                     "sg_worker_pool_run",
                                     "sg_job_stream_open"};

bool is_one_of_ours(const char *name) {
    return std::any_of(std::begin(functions), std::end(functions),
                       [=](const char *each) { return std::strcmp(name, each) == 0; });
}

using program_header = ElfW(Phdr);

// ---- The main program, as the kernel or the dynamic linker has mapped it ----

class main_program {
public:
    // The C library says where it is: its own headers need not (PT_PHDR), and those of a program of
    // -static-pie do not.
    main_program() {
        dl_iterate_phdr(
            [](dl_phdr_info *info, std::size_t, void *into) {
                auto &mine = *static_cast<main_program *>(into);
                mine.headers_ = info->dlpi_phdr;
                mine.count_ = info->dlpi_phnum;
                mine.moved_by_ = info->dlpi_addr;
                return 1; // the first one is the main program
            },
            this);
    }

    // Started by the dynamic linker, which was given its name, instead of by the kernel.
    bool is_an_argument() const { return find(PT_INTERP) != nullptr && getauxval(AT_BASE) == 0; }

    bool contains(std::uintptr_t address) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (headers_[i].p_type == PT_LOAD &&
                address - moved_by_ - headers_[i].p_vaddr < headers_[i].p_memsz)
                return true;
        return false;
    }

    // Whether it refers to a function of ours, wherever that is defined.
    bool refers_to_us() const {
        return has_symbol(in_dynamic(DT_JMPREL), in_dynamic(DT_PLTRELSZ)) ||
               has_symbol(in_dynamic(DT_RELA), in_dynamic(DT_RELASZ));
    }

private:
    const program_header *find(ElfW(Word) type) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (headers_[i].p_type == type)
                return &headers_[i];
        return nullptr;
    }

    // What an entry of the dynamic section holds; 0 if there is none.
    std::uintptr_t in_dynamic(ElfW(Sxword) tag) const {
        const program_header *const section = find(PT_DYNAMIC);
        if (section == nullptr)
            return 0;
        const auto *each = reinterpret_cast<const ElfW(Dyn) *>(moved_by_ + section->p_vaddr);
        for (; each->d_tag != DT_NULL; ++each)
            if (each->d_tag == tag)
                return each->d_un.d_val;
        return 0;
    }

    // Some dynamic linkers leave addresses there as they are in the file.
    template <class T>
    const T *pointer(std::uintptr_t address) const {
        return reinterpret_cast<const T *>(address < moved_by_ ? moved_by_ + address : address);
    }

    // Whether one of these relocations has the symbol of a function of ours.
    bool has_symbol(std::uintptr_t relocations, std::size_t bytes) const {
        const auto *const symbols = pointer<ElfW(Sym)>(in_dynamic(DT_SYMTAB));
        const auto *const names = pointer<char>(in_dynamic(DT_STRTAB));
        const auto *const first = pointer<ElfW(Rela)>(relocations);
        for (std::size_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i)
            if (const auto symbol = ELF64_R_SYM(first[i].r_info);
                symbol != 0 && is_one_of_ours(names + symbols[symbol].st_name))
                return true;
        return false;
    }

    const program_header *headers_ = nullptr;
    std::size_t count_ = 0;
    std::uintptr_t moved_by_ = 0;
};

// Whether the library was loaded with the program, and not by a dlopen while it runs; and the
// program uses spaces.
bool belongs_to_a_program_of_spaces() {
    const main_program program;
    if (program.is_an_argument())
        return false;
    return program.contains(reinterpret_cast<std::uintptr_t>(&begin_without_randomisation)) ||
           program.refers_to_us();
}

// ---- Its file ----

// The program's file, of which `path` is the name. False where somebody else executes it, an
// emulator for example, and where the file is gone.
bool name_file(char (&path)[PATH_MAX]) {
    constexpr const char *self = "/proc/self/exe";
    const ssize_t length = readlink(self, path, sizeof(path) - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    struct stat executed;
    struct stat named;
    return stat(self, &executed) == 0 && stat(path, &named) == 0 &&
           executed.st_ino == named.st_ino && executed.st_dev == named.st_dev;
}

bool wants_randomisation() {
    const char *const set = platform::value_of(variables::randomize);
    if (set == nullptr)
        return false;
    if (std::strcmp(set, "0") != 0 && std::strcmp(set, "1") != 0)
        give_up("SAGUARO_SPMC_RANDOMIZE is '%s', and may be 0 or 1", set);
    return set[0] == '1';
}

void execute_anew(char **arguments, char **environment) {
    char path[PATH_MAX];
    if (!name_file(path))
        return;
    const int now = personality(0xffffffff);
    if (now < 0 || personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0)
        return;
    char mark[64];
    std::snprintf(mark, sizeof(mark), "%s=1", variables::begun_anew.name);
    std::vector<char *> all;
    for (char **each = environment; *each != nullptr; ++each)
        all.push_back(*each);
    all.push_back(mark);
    all.push_back(nullptr);
    execve(path, arguments, all.data());
    personality(static_cast<unsigned long>(now));
}

} // namespace

void begin_without_randomisation(char **arguments, char **environment) {
    const bool was_begun_anew = platform::value_of(variables::begun_anew) != nullptr;
    const int now = personality(0xffffffff);
    if (was_begun_anew) {
        unsetenv(variables::begun_anew.name);
        // This program has its addresses. Those that it executes have theirs as without it.
        if (now >= 0)
            personality(static_cast<unsigned long>(now) &
                        ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
    }
    const bool is_done = was_begun_anew || now < 0 || (now & ADDR_NO_RANDOMIZE) != 0;
    // A program that was given rights of its own is not the caller's to change.
    if (is_done || arguments == nullptr || platform::has_more_rights_than_caller())
        return;
    if (belongs_to_a_program_of_spaces() && !wants_randomisation())
        execute_anew(arguments, environment);
}

} // namespace saguaro::spmc
