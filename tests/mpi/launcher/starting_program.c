/* SPDX-License-Identifier: MIT */
/* Executes or loads the file that its second word names, in the way that the first one says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count != 3)
        return 2;
    const char *const way = words[1];
    const char *const file = words[2];
    if (strcmp(way, "execl") == 0)
        execl(file, file, (char *)NULL);
    else if (strcmp(way, "execlp") == 0)
        execlp(file, file, "a word", (char *)NULL);
    else if (strcmp(way, "execle") == 0)
        execle(file, file, "a", "b", (char *)NULL, environ);
    else if (dlopen(file, RTLD_NOW) != NULL)
        return 0;
    else
        fprintf(stderr, "%s\n", dlerror());
    return 1;
}
