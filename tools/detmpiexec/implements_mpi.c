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

/* Of a file for 64 bits; null: it is none. */
static const Elf64_Ehdr *head_of(content of) {
    const Elf64_Ehdr *const head = at(of, 0, sizeof(*head));
    return head != NULL && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
                   head->e_ident[EI_CLASS] == ELFCLASS64
               ? head
               : NULL;
}

/* As many as the head says; null if the file ends before. */
static const Elf64_Shdr *sections_of(content of, const Elf64_Ehdr *head) {
    return at(of, head->e_shoff, head->e_shnum * sizeof(Elf64_Shdr));
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

static int look_into(content of) {
    static const char of_messages[] = "MPI_Init_thread";
    const Elf64_Ehdr *const head = head_of(of);
    if (head == NULL)
        return SG_NO_MPI;
    const Elf64_Phdr *const parts = at(of, head->e_phoff, head->e_phnum * sizeof(*parts));
    const Elf64_Shdr *const all = sections_of(of, head);
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

static const struct {
    const char *start, *end, *own;
} interfaces[SG_MPI_NAMES] = {{"libmpi", ".so.12", "libmpi.so.12"},
                              {"libmpich", ".so.12", "libmpi.so.12"},
                              {"libmpi", ".so.40", "libmpi.so.40"},
                              {"libmpi_abi", ".so.1", "libmpi_abi.so.1"}};

/* Whether the text is the start, a number of auditwheel's or none, the end, and perhaps more
 * numbers. */
static int is_named(const char *text, const char *start, const char *end) {
    if (strncmp(text, start, strlen(start)) != 0)
        return 0;
    text += strlen(start);
    if (*text == '-')
        text += 1 + strspn(text + 1, "0123456789abcdef");
    return strncmp(text, end, strlen(end)) == 0 &&
           (text[strlen(end)] == '\0' || text[strlen(end)] == '.');
}

/* The place in `interfaces`, or SG_MPI_NAMES. */
static int needed_interface(content of) {
    const Elf64_Ehdr *const head = head_of(of);
    if (head == NULL)
        return SG_MPI_NAMES;
    const Elf64_Shdr *const all = sections_of(of, head);
    for (size_t i = 0; all != NULL && i < head->e_shnum; ++i) {
        if (all[i].sh_type != SHT_DYNAMIC || all[i].sh_link >= head->e_shnum)
            continue;
        const Elf64_Shdr *const names = &all[all[i].sh_link];
        const Elf64_Dyn *const entries = at(of, all[i].sh_offset, all[i].sh_size);
        const char *const text = at(of, names->sh_offset, names->sh_size);
        if (entries == NULL || text == NULL || names->sh_size == 0 ||
            text[names->sh_size - 1] != '\0')
            continue;
        for (size_t j = 0; j < all[i].sh_size / sizeof(*entries); ++j)
            for (int k = 0; k < SG_MPI_NAMES; ++k)
                if (entries[j].d_tag == DT_NEEDED && entries[j].d_un.d_val < names->sh_size &&
                    is_named(text + entries[j].d_un.d_val, interfaces[k].start, interfaces[k].end))
                    return k;
    }
    return SG_MPI_NAMES;
}

/* What the function says of the file's content; `otherwise` if there is none. */
static int read_file(const char *file, int (*look)(content), int otherwise) {
    const int opened = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    int found = otherwise;
    if (opened < 0)
        return found;
    if (fstat(opened, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        const size_t size = (size_t)about.st_size;
        void *const bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, opened, 0);
        if (bytes != MAP_FAILED) {
            found = look((content){bytes, size});
            munmap(bytes, size);
        }
    }
    close(opened);
    return found;
}

enum sg_mpi_of_file sg_implements_mpi(const char *file) {
    return (enum sg_mpi_of_file)read_file(file, look_into, SG_NO_MPI);
}

int sg_needed_mpi(const char *library) {
    return read_file(library, needed_interface, SG_MPI_NAMES);
}

const char *sg_own_name(int place) {
    return interfaces[place].own;
}
