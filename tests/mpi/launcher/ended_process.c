/* SPDX-License-Identifier: MIT */
/* Loaded before the C library, this lets process 1 seem to end between open and read of its
   /proc/1/stat: the read fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int file, void *to, size_t size) {
    static const char wanted[] = "/proc/1/stat";
    char link[64];
    char name[sizeof(wanted)];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    if (readlink(link, name, sizeof(name)) == (ssize_t)sizeof(wanted) - 1 &&
        memcmp(name, wanted, sizeof(wanted) - 1) == 0) {
        errno = ESRCH;
        return -1;
    }
    return (ssize_t)syscall(SYS_read, file, to, size);
}
