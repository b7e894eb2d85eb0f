/* SPDX-License-Identifier: MIT */
/* Reading the symbols of a file in ELF's form. */
#define _GNU_SOURCE
#include "implements_mpi.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *bytes;
    size_t size;
} content;

/* Null if the file ends before that. */
static const void *at(content of, size_t offset, size_t size) {
    return offset <= of.size && size <= of.size - offset ? of.bytes + offset : NULL;
}

static int defines(content of, const Elf64_Shdr *symbols, const Elf64_Shdr *names) {
    const Elf64_Sym *const all = at(of, symbols->sh_offset, symbols->sh_size);
    const char *const text = at(of, names->sh_offset, names->sh_size);
    static const char wanted[] = "PMPI_Init";
    if (all == NULL || text == NULL || names->sh_size < sizeof(wanted))
        return 0;
    for (size_t i = 0; i < symbols->sh_size / sizeof(*all); ++i)
        if (all[i].st_shndx != SHN_UNDEF && all[i].st_name <= names->sh_size - sizeof(wanted) &&
            memcmp(text + all[i].st_name, wanted, sizeof(wanted)) == 0)
            return 1;
    return 0;
}

static enum sg_mpi_of_file look_into(content of) {
    static const char of_messages[] = "MPI_Init_thread";
    const Elf64_Ehdr *const head = at(of, 0, sizeof(*head));
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64)
        return SG_NO_MPI;
    const Elf64_Phdr *const parts = at(of, head->e_phoff, head->e_phnum * sizeof(*parts));
    const Elf64_Shdr *const all = at(of, head->e_shoff, head->e_shnum * sizeof(*all));
    int is_static = 1;
    int has_symbols = 0;
    for (size_t i = 0; parts != NULL && i < head->e_phnum; ++i)
        if (parts[i].p_type == PT_INTERP)
            is_static = 0;
    for (size_t i = 0; all != NULL && i < head->e_shnum; ++i) {
        if ((all[i].sh_type != SHT_SYMTAB && all[i].sh_type != SHT_DYNSYM) ||
            all[i].sh_link >= head->e_shnum)
            continue;
        /* The first symbol is none. */
        has_symbols |= all[i].sh_size > sizeof(Elf64_Sym);
        if (defines(of, &all[i], &all[all[i].sh_link]))
            return is_static ? SG_MPI_IN_STATIC : SG_MPI_INSIDE;
    }
    return is_static && !has_symbols &&
                   memmem(of.bytes, of.size, of_messages, sizeof(of_messages) - 1) != NULL
               ? SG_MPI_IN_STATIC
               : SG_NO_MPI;
}

enum sg_mpi_of_file sg_implements_mpi(const char *file) {
    const int opened = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    enum sg_mpi_of_file found = SG_NO_MPI;
    if (opened < 0)
        return found;
    if (fstat(opened, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        const size_t size = (size_t)about.st_size;
        void *const bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, opened, 0);
        if (bytes != MAP_FAILED) {
            found = look_into((content){bytes, size});
            munmap(bytes, size);
        }
    }
    close(opened);
    return found;
}
