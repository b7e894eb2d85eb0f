// SPDX-License-Identifier: MIT
// Functions of the C library that access the program's memory, or give it to another owner. What is
// named __wrap_ takes the place of calls from the program's own objects (ld's --wrap).
#include "race/accesses.hpp"
#include "race/detector.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <malloc.h>
#include <utility>

using namespace saguaro::race;

namespace {

// The block's next owner comes upon no accesses of this one; to free it is a write of all of it.
// The place: who called the function that frees, which most often is operator delete's caller.
void end_block(void *block, address place) {
    if (block == nullptr || shadow_begin == nullptr)
        return;
    const std::size_t bytes = malloc_usable_size(block);
    if (now.off == 0)
        check_range<access::write>(address_of(block), bytes,
                                   {0, now.call_top != now.calls ? now.call_top[-1] : place});
    forget(address_of(block), bytes);
}

} // namespace

extern "C" {

// glibc's own.
void *__libc_realloc(void *, std::size_t);
void __libc_free(void *);

void free(void *block) {
    end_block(block, SG_CALLER);
    __libc_free(block);
}

void *realloc(void *block, std::size_t bytes) {
    end_block(block, SG_CALLER);
    return __libc_realloc(block, bytes);
}

int __real_munmap(void *, std::size_t);
int __real___cxa_guard_acquire(void *);
void __real___cxa_guard_release(void *);
void __real___cxa_guard_abort(void *);

// ---- Memory and text ----

// A function that reads two texts, up to `read` of each.
#define SG_COMPARES(name, read)                                                                    \
    int __real_##name(const char *, const char *);                                                 \
    int __wrap_##name(const char *left, const char *right) {                                       \
        SG_READS(left, read(left));                                                                \
        SG_READS(right, read(right));                                                              \
        return __real_##name(left, right);                                                         \
    }

// A function that looks for a character in a text.
#define SG_LOOKS(name)                                                                             \
    char *__real_##name(const char *, int);                                                        \
    char *__wrap_##name(const char *text, int wanted) {                                            \
        SG_READS(text, std::strlen(text) + 1);                                                     \
        return __real_##name(text, wanted);                                                        \
    }

// A function that writes as many bytes as it reads.
#define SG_COPIES(name)                                                                            \
    void *__real_##name(void *, const void *, std::size_t);                                        \
    void *__wrap_##name(void *to, const void *from, std::size_t bytes) {                           \
        SG_READS(from, bytes);                                                                     \
        SG_WRITES(to, bytes);                                                                      \
        return __real_##name(to, from, bytes);                                                     \
    }

static std::size_t size_of(const char *text) {
    return std::strlen(text) + 1;
}

SG_COPIES(memcpy)
SG_COPIES(memmove)
SG_COMPARES(strcmp, size_of)
SG_COMPARES(strcasecmp, size_of)
SG_LOOKS(strchr)
SG_LOOKS(strrchr)

void *__real_memset(void *, int, std::size_t);
void *__wrap_memset(void *to, int value, std::size_t bytes) {
    SG_WRITES(to, bytes);
    return __real_memset(to, value, bytes);
}

int __real_memcmp(const void *, const void *, std::size_t);
int __wrap_memcmp(const void *left, const void *right, std::size_t bytes) {
    SG_READS(left, bytes);
    SG_READS(right, bytes);
    return __real_memcmp(left, right, bytes);
}

void *__real_memchr(const void *, int, std::size_t);
void *__wrap_memchr(const void *in, int wanted, std::size_t bytes) {
    void *const found = __real_memchr(in, wanted, bytes);
    SG_READS(in, found == nullptr ? bytes : address_of(found) - address_of(in) + 1);
    return found;
}

std::size_t __real_strlen(const char *);
std::size_t __wrap_strlen(const char *text) {
    const std::size_t length = __real_strlen(text);
    SG_READS(text, length + 1);
    return length;
}

int __real_strncmp(const char *, const char *, std::size_t);
int __wrap_strncmp(const char *left, const char *right, std::size_t most) {
    SG_READS(left, std::min(strnlen(left, most) + 1, most));
    SG_READS(right, std::min(strnlen(right, most) + 1, most));
    return __real_strncmp(left, right, most);
}

char *__real_strcpy(char *, const char *);
char *__wrap_strcpy(char *to, const char *from) {
    SG_READS(from, size_of(from));
    SG_WRITES(to, size_of(from));
    return __real_strcpy(to, from);
}

char *__real_strncpy(char *, const char *, std::size_t);
char *__wrap_strncpy(char *to, const char *from, std::size_t bytes) {
    SG_READS(from, std::min(strnlen(from, bytes) + 1, bytes));
    SG_WRITES(to, bytes);
    return __real_strncpy(to, from, bytes);
}

char *__real_strcat(char *, const char *);
char *__wrap_strcat(char *to, const char *from) {
    SG_READS(from, size_of(from));
    SG_WRITES(to, size_of(to) - 1 + size_of(from));
    return __real_strcat(to, from);
}

int __wrap_munmap(void *begin, std::size_t bytes) {
    forget(address_of(begin), bytes);
    return __real_munmap(begin, bytes);
}

// ---- Static variables of functions ----

// Whichever strand comes first makes the variable, and others find it made: as if before all.
// Makers nest.
static strand behind_guard[64];
static unsigned guards = 0;

int __wrap___cxa_guard_acquire(void *guard) {
    if (__real___cxa_guard_acquire(guard) == 0)
        return 0;
    behind_guard[guards++ % 64] = std::exchange(now.self, strand{1});
    return 1;
}

void __wrap___cxa_guard_release(void *guard) {
    now.self = behind_guard[--guards % 64];
    __real___cxa_guard_release(guard);
}

void __wrap___cxa_guard_abort(void *guard) {
    now.self = behind_guard[--guards % 64];
    __real___cxa_guard_abort(guard);
}
}
