/* SPDX-License-Identifier: MIT */
/* What programs that are compiled with the headers of a later glibc ask of glibc 2.28 in vain. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without the headers that declare them: these are hidden in each library that needs them. The system's
   struct stat is the C library's, on 64 bits. */
int stat(const char *name, void *about);
int lstat(const char *name, void *about);
int fstat(int file, void *about);
int fstat64(int file, void *about);

int stat(const char *name, void *about) {
    return (int)syscall(SYS_newfstatat, AT_FDCWD, name, about, 0);
}

int lstat(const char *name, void *about) {
    return (int)syscall(SYS_newfstatat, AT_FDCWD, name, about, AT_SYMLINK_NOFOLLOW);
}

int fstat(int file, void *about) {
    return (int)syscall(SYS_newfstatat, file, "", about, AT_EMPTY_PATH);
}

int fstat64(int file, void *about) {
    return fstat(file, about);
}

pid_t gettid(void) {
    return (pid_t)syscall(SYS_gettid);
}

/* For std::random_device. */
unsigned arc4random(void);
unsigned arc4random(void) {
    unsigned number;
    if (getentropy(&number, sizeof(number)) != 0)
        abort();
    return number;
}

/* Its one caller asks whether an address lies in a loaded file, and takes 0 for "perhaps". */
int _dl_find_object(void *address, void *found);
int _dl_find_object(void *address, void *found) {
    return (void)address, (void)found, 0;
}

/* libstdc++ asks whether it can do without locks: it cannot. */
char __libc_single_threaded = 0;

/* Before 2.34 a program itself runs its constructors, by a function that it gives to the C library; what
   the compiler links into a program today gives none. */
#ifdef __aarch64__
__asm__(".symver start_of_libc, __libc_start_main@GLIBC_2.17");
#else
__asm__(".symver start_of_libc, __libc_start_main@GLIBC_2.2.5");
#endif
typedef int main_function(int, char **, char **);
typedef void start_function(int, char **, char **);
int start_of_libc(main_function *, int, char **, start_function *, void (*)(void), void (*)(void), void *);
int __libc_start_main(main_function *, int, char **, start_function *, void (*)(void), void (*)(void),
                      void *);

extern start_function *const __init_array_start[] __attribute__((visibility("hidden"), weak));
extern start_function *const __init_array_end[] __attribute__((visibility("hidden"), weak));

static void construct(int count, char **words, char **variables) {
    for (start_function *const *each = __init_array_start; each != __init_array_end; ++each)
        (*each)(count, words, variables);
}

int __libc_start_main(main_function *program, int count, char **words, start_function *init,
                      void (*fini)(void), void (*end_of_linker)(void), void *stack) {
    return start_of_libc(program, count, words, init != 0 ? init : construct, fini, end_of_linker,
                         stack);
}
